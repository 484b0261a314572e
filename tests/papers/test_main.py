import importlib
import json

import pytest


class Made:
    def to_json(self):
        return {"rows": [{"gap": float("inf")}]}

    def markdown(self):
        return "# a table"


@pytest.fixture(params=["wnut2018", "icml2014", "acl2014"])
def paper(request, monkeypatch):
    found = []

    def run(data_dir, out, quick, jobs, progress, so_far):
        progress(0, 1, "science ridge")
        found.append((data_dir, out, quick, jobs, so_far))
        return Made()

    monkeypatch.setattr(importlib.import_module(f"papers.{request.param}"), "run", run)
    return request.param, found


def test_it_passes_the_options_on_and_prints(run, paper):
    name, calls = paper
    options = ("--data", "d", "--out", "o", "--quick", "--jobs", 1, "--so-far")
    assert run(name, *options) == (0, "# a table\n", "")
    assert calls == [("d", "o", True, 1, True)]


def test_json(run, paper):
    name, calls = paper
    assert json.loads(run(name, "--json").out) == {"rows": [{"gap": None}]}
    assert calls == [(None, "reproduction", False, 2, False)]


def test_a_folder_that_cannot_be_made_is_refused_before_the_work(run, paper, tmp_path):
    name, calls = paper
    (tmp_path / "file").write_text("", encoding="utf-8")
    for out, sentence in (("file", "is a file"), ("no/place", "no does not exist")):
        result = run(name, "--out", out)
        assert result.code == 1
        assert sentence in result.err
    assert not calls


def test_missing_data_are_explained(run):
    result = run("wnut2018", "--quick", "--jobs", 1)
    assert result.code == 1
    assert "LACONIC_DATA" in result.err


@pytest.mark.parametrize("command", ["wnut2018", "icml2014", "acl2014", "emnlp2011", "import"])
def test_every_command_explains_itself_with_an_example(run, command):
    result = run(command, "--help")
    assert result.code == 0
    assert f"python -m papers {command}" in result.out
