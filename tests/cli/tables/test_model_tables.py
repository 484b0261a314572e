from dataclasses import replace
from types import SimpleNamespace

import pytest

from laconic.cli.shared.output import show
from laconic.cli.tables.explanation_view import example_view
from laconic.cli.tables.model_tables import (
    comparison_table,
    frontier_table,
    header,
    labels_table,
    scores_tables,
    word_lists,
)
from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.explanation import Contribution, Explanation
from laconic.core.summaries.summary import ClassRow, Example, Scores, Summary, WordWeight
from laconic.models.search.fit_text import FittedLabels
from laconic.models.search.tune_labels import LabelRow

ODD = "[bold]x[/bold] :smile:"


@pytest.fixture
def shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def render(part):
        show(part)
        return capsys.readouterr().out

    return render


def summary(n_classes=2, n_words=5):
    classes = (*(f"class {k}" for k in range(n_classes - 1)), ODD)
    outputs = tuple(sorted(classes))[1:] if n_classes == 2 else tuple(sorted(classes))
    words = tuple(WordWeight("w" * 40 + str(i), (1.0 / (i + 1),) * len(outputs)) for i in range(n_words))
    made = {
        "method": "lasso",
        "l1": 0.5,
        "l2": 0.0,
        "analyzer": "char",
        "ngrams": [3, 5],
        "cells": "count",
        "documents": 9,
    }
    return Summary("t", tuple(sorted(classes)), outputs, words, (0.0,) * len(outputs), 100, float("inf"), made)


def test_markup_in_labels_is_text(shown):
    assert ODD in shown(header(summary()))
    assert ODD in shown(word_lists(summary()))
    scores = Scores(ODD, 1, {"accuracy": 1.0}, (ClassRow(ODD, 1.0, 1.0, 1.0, 1),), ((1,),))
    assert shown(scores_tables(scores)).count(ODD) >= 4


def test_the_header_says_what_there_is(shown):
    text = shown(header(summary()))
    assert "5, 5.00% of the 100 words" in text
    assert "lasso, λ₁ = 0.5" in text
    assert "λ₂" not in text
    assert "no certificate" in text
    assert "char, 3- to 5-grams, count values" in text


@pytest.mark.parametrize("n_classes", [2, 3, 20])
def test_lists_fit_into_the_window(shown, n_classes):
    text = shown(word_lists(summary(n_classes, 30), most=4))
    assert max(map(len, text.splitlines())) <= 80
    assert "w" * 23 + "…" in text
    assert "26 more" in text


def test_bars_grow_with_the_weights(shown):
    lines = [line for line in shown(word_lists(summary())).splitlines() if line.startswith("www") or "  www" in line]
    bars = [line.count("█") for line in lines]
    assert bars[0] == 8
    assert bars == sorted(bars, reverse=True)


def test_columns_of_the_comparison_appear_when_there_is_something_to_say(shown):
    one = Contender("none", 0.0, 0.0, 0.9, 0.01, None, 1234, float("inf"), None, True)
    text = shown(comparison_table(Comparison("accuracy", "dev", "Why.", (one,))))
    assert text.splitlines()[0].split() == ["method", "λ₁", "λ₂", "accuracy,", "dev", "words", "gap"]
    assert text.splitlines()[1].split() == ["→", "none", "-", "-", "0.900", "±", "0.010", "1,234", "-"]


def test_a_gap_below_zero_is_shown_as_zero(shown):
    one = Contender("lasso", 1.0, 0.0, 0.9, 0.01, None, 12, -2e-17, None, True)
    row = shown(comparison_table(Comparison("accuracy", "dev", "Why.", (one,)))).splitlines()[1]
    assert row.split()[-1] == "0e+00"
    assert "0.0e+00 (relative duality gap)" in shown(header(replace(summary(), gap=-2e-17)))


def test_the_telling_sentence_is_marked_and_words_without_weight_are_left_out(shown):
    words = (Contribution("lamp", 1.0, (2.0,), ((6, 10),)), Contribution("hi", 1.0, (0.0,), ((0, 2),)))
    why = Explanation("yes", ("no", "yes"), (0.1, 0.9), ("yes",), (0.0,), (2.0,), words)
    lines = shown(example_view(Example("1", "Hi. A lamp.", "yes", why, ((0, 3, 0.0), (4, 11, 2.0))))).splitlines()
    assert lines[0] == "yes, probability 0.90 (true label: yes)"
    assert lines[2].split() == ["+0.00", "Hi."]
    assert lines[3].split() == ["→", "+2.00", "A", "lamp."]
    assert lines[6].split()[:2] == ["lamp", "+2.000"]
    assert len(lines) == 7


def test_score_against_words_stands_below_the_methods_with_the_majority_in_both(shown):
    also = {"accuracy": 0.7, "macro_f1": 0.61}
    points = (
        Contender("always 'a'", 0, 0, 0.5, 0.0, None, 0, float("inf"), also=also, gain=-0.2, half=0.05),
        Contender("omp", 0, 0.1, 0.7, 0.02, None, 20, 0.0, also=also, gain=0.0, half=0.0, chosen=True),
        Contender("ridge", 0, 1, 0.75, 0.02, None, 12345, 0.0, also=also, gain=0.05, half=0.0123),
    )
    rows = (Contender("omp", 0.0, 0.1, 0.7, 0.02, None, 22, float("inf"), budget=20, chosen=True),)
    text = shown(comparison_table(Comparison("accuracy", "dev", "So.", rows, points)))
    methods, _, sizes = text.partition("Score against words")
    assert methods.splitlines()[2].split() == ["always", "'a'", "-", "-", "0.500", "±", "0.000", "0", "-"]
    lines = [line.split() for line in sizes.splitlines()]
    assert ["always", "'a'", "0", "0.500", "±", "0.000", "0.610", "-20.0", "[-25.0,", "-15.0]"] in lines
    assert ["→", "omp", "20", "0.700", "±", "0.020", "0.610"] in lines
    assert ["ridge", "12,345", "0.750", "±", "0.020", "0.610", "+5.0", "[+3.8,", "+6.2]"] in lines
    assert max(map(len, text.splitlines())) <= 80


def test_of_many_labels_the_most_frequent_are_listed_and_the_rest_are_counted(shown):
    rows = tuple(LabelRow(f"label {n}", n, {}, 0.25, 0.5, 0.5, 0.5 if n > 2 else 0.0, n) for n in range(1, 31))
    model = SimpleNamespace(n_words_=99)
    made = FittedLabels(model, rows, "So.", None, {"data": {"train": {"documents": 60}}})
    lines = [line.split() for line in shown(labels_table(made)).splitlines()]
    assert [line[1] for line in lines[1:13]] == [str(n) for n in range(30, 18, -1)]
    assert lines[13] == ["…", "and", "18", "more"]
    assert lines[15] == ["all", "(macro)", "0.500", "0.500", f"{0.5 * 28 / 30:.3f}", "99"]
    assert made.doubts == ["The model never gets 'label 1' and 1 more label right."]
    assert FittedLabels(model, rows[2:], "So.", None, {}).doubts == []


def test_a_comparison_of_before_has_no_table_of_sizes():
    rows = (Contender("lasso", 1.0, 0.0, 0.7, 0.02, None, 200, 1e-7, chosen=True),)
    assert frontier_table(Comparison("accuracy", "dev", "So.", rows)) == []


def test_the_header_says_the_budget(shown):
    assert "omp, λ₂ = 0.5, budget = 1,200" in shown(
        header(replace(summary(), made={**summary().made, "method": "omp", "l1": 0.0, "l2": 0.5, "budget": 1200}))
    )
