import io
import json

import pytest

from laconic.models import load

TEXT = "The bench is broken again. Thanks for the letter."


def test_probabilities_sentences_and_words(run, model):
    result = run("explain", model, TEXT)
    assert result.code == 0
    share = load(model).explain(TEXT)
    lines = result.out.splitlines()
    assert lines[0].startswith("praise")
    assert lines[0].rstrip().endswith(f"{100 * share.probabilities[0]:.1f}%")
    assert any("The bench is broken again." in line and "│" in line for line in lines)
    assert any(line.startswith("broken") for line in lines)
    assert max(map(len, lines)) <= 100


def test_another_class_turns_the_signs(run, model):
    own = json.loads(run("explain", model, TEXT, "--json").out)
    other = next(label for label in own["classes"] if label != own["label"])
    turned = json.loads(run("explain", model, TEXT, "--class", other, "--json").out)
    for one, two in zip(own["sentences"], turned["sentences"], strict=True):
        assert one["log_odds"] == pytest.approx(-two["log_odds"])
        assert one["text"] == two["text"]
    assert "no class 'x'" in run("explain", model, TEXT, "--class", "x").err


def test_standard_input_and_unknown_words(run, model, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("zzz"))
    result = run("explain", model, "-")
    assert result.code == 0
    assert "the intercept decides" in result.out
