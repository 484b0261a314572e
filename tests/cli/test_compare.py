import json

import pytest


@pytest.fixture
def other(run, letters, model, tmp_path):
    folder = tmp_path / "one_word"
    assert run("fit", letters, "--out", folder, "--method", "lasso", "--words", 1, "--quiet").code == 0
    return folder


def test_table(run, model, other, letters):
    result = run("compare", other, model, letters)
    assert result.code == 0
    assert "60 documents of letters.jsonl" in result.out
    assert "95%" in result.out
    assert "McNemar p" in result.out or "McNemar" in result.out


def test_json_holds_words_and_tests(run, model, other, letters):
    found = json.loads(run("compare", other, model, letters, "--json").out)
    first, second = found["models"]
    assert found["documents"] == 60
    assert first["words"] == 1
    assert second["words"] > 1
    assert first["sign"] is None
    assert second["accuracy"]["value"] == 1.0
    assert second["wins"] > 0 == second["losses"]
    assert second["sign"] == pytest.approx(0.5 ** second["wins"])


@pytest.mark.parametrize("twice", [False, True])
def test_two_different_models_are_needed(run, model, letters, twice):
    result = run("compare", model, *([model] if twice else []), letters)
    assert result.code == 2
    assert ("named twice" if twice else "at least two models") in result.err


def test_one_folder_by_two_spellings(run, model, letters):
    result = run("compare", model, f"{model.parent}/../{model.parent.name}/{model.name}", letters)
    assert result.code == 2
    assert "named twice" in result.err


def test_labels_that_no_model_knows(run, model, other, tmp_path):
    path = tmp_path / "poems.csv"
    path.write_text("text,label\nbroken,poem\nthanks,ode\n", encoding="utf-8")
    result = run("compare", model, other, path)
    assert (result.code, result.out) == (1, "")
    assert "None of the labels of y (such as 'poem') is one of the model" in " ".join(result.err.split())
