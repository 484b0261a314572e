"""Grids and rows.

The rules on tables made by hand, and their properties on any table.
"""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.evaluate.tuning.candidates import RULES, Candidate, Pick, describe, pick, read_grid


def test_a_dict_is_a_product_in_the_order_given():
    assert read_grid({"b": [2, 1], "a": (10, 20)}) == [
        {"b": 2, "a": 10},
        {"b": 2, "a": 20},
        {"b": 1, "a": 10},
        {"b": 1, "a": 20},
    ]


def test_arrays_become_plain_numbers():
    grid = read_grid({"C": np.array([1.0, 2.0])})
    assert grid == [{"C": 1.0}, {"C": 2.0}]
    assert type(grid[0]["C"]) is float


def test_a_list_stays_as_it_is():
    given = [{"C": 1}, {}, {"C": 1}]
    assert read_grid(given) == given
    assert read_grid(given)[0] is not given[0]


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        ({"C": 1.0}, TypeError, r"grid\['C'\] must be a list of values to try, got 1.0; write \[1.0\]"),
        ({"loss": "logistic"}, TypeError, r"write \['logistic'\]"),
        ({"C": []}, ValueError, r"grid\['C'\] is an empty list"),
        ({}, ValueError, "grid is empty"),
        ([], ValueError, "grid is empty"),
        ([{"C": 1}, 3], TypeError, r"grid\[1\] must be a dict of parameters, got 3"),
        ("C=1", TypeError, "grid must be a list of parameter dicts or a dict of lists, got str"),
        (None, TypeError, "got NoneType"),
        ([{1: 2}], TypeError, "named by strings, got 1"),
    ],
)
def test_bad_grids(grid, error, message):
    with pytest.raises(error, match=message):
        read_grid(grid)


def test_row():
    candidate = Candidate({"C": 1.0}, (0.5, 0.7), 0.6, 0.1, 10.5, 1e-9, 0.25)
    assert candidate.row() == {
        "params": {"C": 1.0},
        "scores": [0.5, 0.7],
        "mean": 0.6,
        "standard_error": 0.1,
        "words": 10.5,
        "gap": 1e-9,
        "seconds": 0.25,
    }
    assert json.dumps(candidate.row())


def test_seconds_are_no_part_of_a_comparison():
    one, other = (Candidate({}, (0.5,), 0.5, 0.1, 1.0, 0.0, seconds) for seconds in (1.0, 2.0))
    assert one == other


def test_describe():
    assert describe({"a": "x", "b": 1}) == "a='x', b=1"
    assert describe({}) == "the parameters as given"


def table(*rows):
    """Candidates from (mean, standard error, words)."""
    return [
        Candidate({"row": i}, (mean,), mean, error, float(words), 0.0, 0.0)
        for i, (mean, error, words) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "metric", "rule", "expected"),
    [
        # The rule takes the smallest within one standard error, not the best.
        ([(0.90, 0.02, 500), (0.89, 0.02, 80), (0.87, 0.02, 10)], "accuracy", "one_se", Pick(0, (), 1)),
        ([(0.90, 0.02, 500), (0.89, 0.02, 80), (0.87, 0.02, 10)], "accuracy", "best", Pick(0, (), 0)),
        # The standard error that counts is the best one's, whatever that of the others.
        ([(0.90, 0.00, 500), (0.89, 0.90, 80)], "accuracy", "one_se", Pick(0, (), 0)),
        # Exactly one standard error away is within.
        ([(0.90, 0.10, 500), (0.80, 0.02, 80)], "accuracy", "one_se", Pick(0, (), 1)),
        # Lower is better.
        ([(0.30, 0.05, 500), (0.34, 0.01, 80), (0.40, 0.0, 10)], "log_loss", "one_se", Pick(0, (), 1)),
        ([(0.30, 0.05, 500), (0.34, 0.01, 80)], "log_loss", "best", Pick(0, (), 0)),
        # Ties: fewer words, then the earlier.
        ([(0.9, 0.0, 50), (0.9, 0.0, 40), (0.9, 0.0, 40), (0.8, 0.0, 1)], "accuracy", "best", Pick(1, (0, 2), 1)),
        ([(0.9, 0.0, 50), (0.9, 0.0, 40), (0.9, 0.0, 40), (0.8, 0.0, 1)], "accuracy", "one_se", Pick(1, (0, 2), 1)),
        # Sums in another order differ in the last bit and tie all the same.
        ([(0.1 + 0.2 + 0.3, 0.0, 50), (0.3 + 0.2 + 0.1, 0.0, 40)], "accuracy", "best", Pick(1, (0,), 1)),
        # Equally small within the error: the better one.
        ([(0.90, 0.05, 500), (0.86, 0.0, 80), (0.88, 0.0, 80)], "accuracy", "one_se", Pick(0, (), 2)),
        ([(0.5, 0.1, 3)], "accuracy", "one_se", Pick(0, (), 0)),
    ],
)
def test_by_hand(rows, metric, rule, expected):
    assert pick(table(*rows), metric, rule) == expected


def test_sums_above_do_differ():
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1


def test_max_words_decides_who_competes():
    rows = table((0.9, 0.01, 500), (0.8, 0.05, 100), (0.78, 0.0, 50), (0.8, 0.05, 101))
    assert pick(rows, "accuracy", "one_se", max_words=100) == Pick(1, (), 2)
    assert pick(rows, "accuracy", "best", max_words=101) == Pick(1, (3,), 1)
    assert pick(rows, "accuracy", "best", max_words=500) == Pick(0, (), 0)


def test_errors():
    rows = table((0.9, 0.01, 500), (0.8, 0.05, 60.5))
    with pytest.raises(ValueError, match=r"at most max_words=60 words: the smallest has 60.5 \(row=1\)"):
        pick(rows, "accuracy", "one_se", max_words=60)
    with pytest.raises(ValueError, match="no rule 'two_se'; use one of one_se, best"):
        pick(rows, "accuracy", "two_se")
    for wrong in (0, -3, 1.5, True, "10"):
        with pytest.raises(ValueError, match="max_words must be a whole number from 1"):
            pick(rows, "accuracy", "best", max_words=wrong)
    with pytest.raises(ValueError, match="no metric"):
        pick(rows, "nonsense", "best")


# Coarse numbers, so that ties and equal sizes are frequent.
tables = st.lists(
    st.tuples(st.integers(0, 20).map(lambda k: k / 20), st.integers(0, 6).map(lambda k: k / 20), st.integers(0, 8)),
    min_size=1,
    max_size=12,
)


@given(tables, st.sampled_from(["accuracy", "log_loss"]), st.sampled_from(RULES), st.none() | st.integers(1, 8))
def test_properties(rows, metric, rule, max_words):
    candidates = table(*rows)
    sign = -1 if metric == "log_loss" else 1
    small_enough = [i for i, row in enumerate(rows) if max_words is None or row[2] <= max_words]
    if not small_enough:
        with pytest.raises(ValueError, match="No candidate"):
            pick(candidates, metric, rule, max_words)
        return
    found = pick(candidates, metric, rule, max_words)
    means = [sign * mean for mean, _, _ in rows]
    words = [row[2] for row in rows]
    top = max(means[i] for i in small_enough)
    equal = [i for i in small_enough if means[i] == top]
    assert found.best == min(equal, key=lambda i: (words[i], i))
    assert sorted([found.best, *found.ties]) == equal
    assert found.chosen in small_enough
    if rule == "best":
        assert found.chosen == found.best
        return
    within = [i for i in small_enough if means[i] >= top - rows[found.best][1] - 1e-9]
    assert found.chosen in within
    assert words[found.chosen] == min(words[i] for i in within)
    assert means[found.chosen] == max(means[i] for i in within if words[i] == words[found.chosen])
