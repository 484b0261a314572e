"""Values as JSON takes them."""

import json

import numpy as np

from laconic.core.values import plain


def test_arrays_tuples_keys_and_numbers_become_plain():
    given = {
        1: (np.float64(2.0), np.array([[1, 2]])),
        "a": {"nan": float("nan"), "b": None},
        "c": [np.inf, np.bool_(True)],
    }
    assert plain(given) == {"1": [2.0, [[1, 2]]], "a": {"nan": None, "b": None}, "c": [None, True]}
    assert plain({"a": {"b": None, "c": [None]}}, drop_none=True) == {"a": {"c": [None]}}
    assert json.loads(json.dumps(plain(given))) == plain(given)
