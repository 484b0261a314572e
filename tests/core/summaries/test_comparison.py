import math
from dataclasses import replace

import pytest

from laconic.core.summaries.comparison import Comparison, Contender


def point(gain, half, chosen=False):
    return Contender("always 'no'", 0.0, 0.0, 0.9, 0.0, None, 0, math.inf, chosen=chosen, gain=gain, half=half)


def comparison(gain, half, unpredicted=()):
    rows = (Contender("omp", 0.0, 0.1, 0.91, 0.02, None, 22, math.inf, chosen=True),)
    return Comparison("accuracy", "dev", "So.", rows, (point(gain, half),), unpredicted)


@pytest.mark.parametrize(
    ("gain", "half", "doubtful"),
    [(-0.01, 0.005, False), (-0.01, 0.01, True), (-0.01, 0.02, True), (0.0, None, True), (-0.01, None, False)],
)
def test_a_model_is_doubted_where_the_majority_may_be_as_good(gain, half, doubtful):
    said = ["The model is not surely better than always 'no': accuracy 0.910 against 0.900 (dev)."]
    assert comparison(gain, half).doubts == said * doubtful


def test_classes_that_are_never_predicted_are_named():
    assert comparison(-1.0, 0.1, ("yes",)).doubts == ["The model never predicts 'yes' (dev)."]
    assert comparison(-1.0, 0.1, ("a", "b")).doubts == ["The model never predicts 'a' and 1 more class (dev)."]
    assert comparison(-1.0, 0.1, (2, 3, 4)).doubts == ["The model never predicts 2 and 2 more classes (dev)."]


def test_a_comparison_of_before_is_not_doubted():
    rows = comparison(0.0, 0.0).contenders
    assert Comparison("accuracy", "dev", "So.", rows).doubts == []
    assert Comparison("accuracy", "dev", "So.", rows).majority is None


def test_gains_are_points_of_shares_with_their_interval():
    assert point(0.0123, 0.01).gained("accuracy") == "+1.2 [+0.2, +2.2]"
    assert point(-0.0123, None).gained("macro_f1") == "-1.2"
    assert point(0.0123, 0.01).gained("log_loss") == "+0.012 [+0.002, +0.022]"
    assert point(0.0, 0.0, chosen=True).gained("accuracy") == ""


@pytest.mark.parametrize(
    ("metric", "beside"), [("accuracy", "macro_f1"), ("macro_f1", "accuracy"), ("log_loss", "accuracy")]
)
def test_score_against_words_has_a_second_metric(metric, beside):
    always = replace(point(-0.1, 0.02), also={"accuracy": 0.9, "macro_f1": 0.45})
    headings, rows = replace(comparison(0.0, 0.0), metric=metric, frontier=(always,)).by_size
    assert headings == ["method", "words", f"{metric}, dev", beside, "over the kept [95%]"]
    second = {"accuracy": "0.900", "macro_f1": "0.450"}[beside]
    assert rows == [["always 'no'", "0", "0.900 ± 0.000", second, always.gained(metric)]]


def test_a_comparison_of_before_has_no_rows():
    assert replace(comparison(0.0, 0.0), frontier=()).by_size[1] == []
