import json

import pytest

import laconic.reproduce.wnut2018 as paper
import laconic.reproduce.wnut2018_pursuit as pursuit


class Made:
    def to_json(self):
        return {"rows": [{"gap": float("inf")}]}

    def markdown(self):
        return "# a table"


@pytest.fixture
def calls(monkeypatch):
    found = []

    def run(data_dir, out, progress):
        progress(0, 1, "science ridge")
        found.append((data_dir, out))
        return Made()

    monkeypatch.setattr(paper, "run", run)
    monkeypatch.setattr(pursuit, "run", run)
    return found


def test_it_passes_the_folders_on_and_prints(run, calls):
    assert run("reproduce", "wnut2018", "--baselines", "--data", "d", "--out", "o") == (0, "# a table\n", "")
    assert calls == [("d", "o")]


def test_pursuits_are_rerun_alike(run, calls):
    assert run("reproduce", "wnut2018", "--pursuit", "--data", "d", "--out", "o") == (0, "# a table\n", "")
    assert calls == [("d", "o")]


def test_json(run, calls):
    assert json.loads(run("reproduce", "wnut2018", "--baselines", "--json").out) == {"rows": [{"gap": None}]}


def test_it_asks_what_to_rerun(run, calls):
    for options in ((), ("--baselines", "--pursuit")):
        result = run("reproduce", "wnut2018", *options)
        assert result.code == 2
        assert "pass --baselines or --pursuit" in result.err
    assert not calls


def test_a_folder_that_cannot_be_made_is_refused_before_the_work(run, calls, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    for out, sentence in (("file", "is a file"), ("no/place", "no does not exist")):
        result = run("reproduce", "wnut2018", "--baselines", "--out", out)
        assert result.code == 1
        assert sentence in result.err
    assert not calls


def test_missing_data_are_explained(run):
    result = run("reproduce", "wnut2018", "--baselines")
    assert result.code == 1
    assert "LACONIC_DATA" in result.err
