"""Grids and rows."""

import json

import numpy as np
import pytest

from laconic.evaluate.tuning.candidates import Candidate, describe, read_grid


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
