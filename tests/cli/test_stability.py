import json

from laconic.models import TextClassifier, load


def test_the_words_of_a_model_are_looked_at_again(run, model, letters):
    result = run("stability", model, letters, "--pairs", 4, "--threshold", 0.9)
    assert result.code == 0
    assert "stable words, selected by at least 90% of 8 models; at most 0." in result.out
    assert "broken" in result.out
    found = json.loads(run("stability", model, letters, "--pairs", 4, "--threshold", 0.9, "--json").out)
    assert found["n_models"] == 8
    assert found["model_words"] == list(load(model).words)
    assert {"leaking", "thanks"} <= set(found["stable"])
    assert found == json.loads(run("stability", model, letters, "--pairs", 4, "--threshold", 0.9, "--json").out)


def test_what_cannot_be_done_is_said(run, model, letters, tmp_path):
    result = run("stability", model, letters, "--pairs", 2, "--errors", "1e-9")
    assert result.code == 1
    assert "at best" in result.err
    TextClassifier().fit(["a b", "c d"], ["x", "y"]).save(tmp_path / "other")
    result = run("stability", "other", letters)
    assert result.code == 1
    assert "use one that laconic fit made" in result.err
