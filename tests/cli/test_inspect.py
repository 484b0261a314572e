import json

import pytest

from laconic.models import load


def test_words_per_class_strongest_first(run, model):
    result = run("inspect", model)
    assert result.code == 0
    words = load(model).words
    assert f"{len(words)}, " in result.out
    assert "classes     praise, repair" in result.out
    assert "method      lasso, λ₁ = " in result.out
    assert "relative duality gap" in result.out
    for word, weights in words.items():
        assert word in result.out
        assert f"{abs(weights['repair']):+.3f}" in result.out


def test_nothing_heavy_is_imported(start, model):
    block = "import sys\nfor name in ('numba', 'scipy', 'sklearn', 'pandas'): sys.modules[name] = None"
    for more in ((), ("--json",), ("--text", "a broken lamp")):
        process = start("inspect", model, *more, before=block)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        assert "broken" in out


def test_top_and_all(run, model):
    short = run("inspect", model, "--top", 1)
    assert "more" in short.out
    assert "more" not in run("inspect", model, "--all").out


def test_one_class(run, model):
    result = run("inspect", model, "--class", "praise")
    assert "thanks" in result.out
    assert "leaking" not in result.out
    assert "repair      weight" not in result.out


def test_an_unknown_class_is_named_with_the_known_ones(run, model):
    result = run("inspect", model, "--class", "poem")
    assert result.code == 1
    assert "no class 'poem'; its classes are praise, repair" in result.err


def test_json(run, model):
    found = json.loads(run("inspect", model, "--json").out)
    assert found["classes"] == ["praise", "repair"]
    assert found["comparison"]["contenders"][0]["method"] == "lasso"
    assert {one["word"] for one in found["words"]} == set(load(model).words)


def test_a_text_is_explained(run, model):
    result = run("inspect", model, "--text", "The bench is leaking. Many thanks to you all. It was leaking before.")
    assert result.code == 0
    assert result.out.startswith(("repair, probability", "praise, probability"))
    marked = [line for line in result.out.splitlines() if line.startswith("→")]
    assert len(marked) == 1
    assert any(line.startswith("leaking") for line in result.out.splitlines())
    why = json.loads(run("inspect", model, "--text", "leaking", "--json").out)
    assert why["label"] == "repair"
    assert why["words"][0]["spans"] == [[0, 7]]


def test_a_text_without_known_words_is_decided_by_the_intercept(run, model):
    result = run("inspect", model, "--text", "xyzzy")
    assert result.code == 0
    assert "the intercept decides" in result.out


@pytest.mark.parametrize("columns", ["60", "80", "100", "200"])
def test_no_line_is_wider_than_the_window(run, model, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    lines = run("inspect", model).out.splitlines()
    assert max(map(len, lines)) <= int(columns)
