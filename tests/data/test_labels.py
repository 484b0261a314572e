"""Labels: types are kept, missing ones are seen, mixed ones become strings."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.labels import clean_label, label_separator, split_labels, unify_labels, warn_of_twins


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("pos", "pos"),
        (" pos\t", "pos"),
        ([" a", "a "], ("a",)),
        (3, 3),
        (True, True),
        (4.0, 4),
        (np.int64(7), 7),
        (np.float32(2.0), 2),
        (np.bool_(False), False),
        (np.str_("x"), "x"),
        (["b", "a", "b"], ("b", "a")),
        (np.array([1, 2]), (1, 2)),
        ({"b", "a"}, ("a", "b")),
        ([], ()),
        ([1, True], (1, True)),
    ],
)
def test_plain_types(value, expected):
    label = clean_label(value)
    assert label == expected
    assert type(label) is type(expected)
    if isinstance(label, tuple):
        assert [type(one) for one in label] == [type(one) for one in expected]


@pytest.mark.parametrize("value", [None, math.nan, np.nan, np.float32("nan"), "", "  \t", pd.NA, pd.NaT])
def test_missing(value):
    assert clean_label(value) is None


@pytest.mark.parametrize("value", [4.5, math.inf, {"a": 1}, b"pos", object(), pd.Timestamp("2020-01-01"), [["a"]]])
def test_impossible_labels(value):
    with pytest.raises(ValueError, match="label"):
        clean_label(value)


def test_a_text_in_place_of_a_label_is_refused_and_not_shown_whole():
    assert clean_label("x" * 1000 + " ") == "x" * 1000
    for value in ("x" * 5_000_000, ["y", "x" * 5_000_000]):
        with pytest.raises(
            ValueError, match=r"'xxx.* has 5,000,000 characters; a label has at most 1,000, so"
        ) as caught:
            clean_label(value)
        assert len(str(caught.value)) < 300


def test_missing_in_a_list():
    with pytest.raises(ValueError, match="holds a missing value"):
        clean_label(["a", None])


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["a", 1, True], ("a", "1", "True")),
        ([0, False], ("0", "False")),
        ([1, 2], (1, 2)),
        (["a", ("b", "a")], (("a",), ("b", "a"))),
        ([(1,), ("a", 1)], (("1",), ("a", "1"))),
        ([("1", 1)], (("1",),)),
        ([(), (2,)], ((), (2,))),
    ],
)
def test_unify(labels, expected):
    assert unify_labels(labels) == expected


@given(st.lists(st.one_of(st.text(min_size=1), st.integers(), st.booleans(), st.lists(st.integers()).map(tuple))))
def test_unify_gives_one_type(labels):
    unified = unify_labels(labels)
    assert len(unified) == len(labels)
    flat = [one for label in unified for one in (label if isinstance(label, tuple) else (label,))]
    assert len({type(one) for one in flat}) <= 1
    assert unify_labels(unified) == unified


def test_labels_that_differ_only_in_case():
    with pytest.warns(UserWarning, match="^news: labels differ only in case: 'A' and 'a', 'Pos' and 'pos'; they are"):
        warn_of_twins(["a", ("Pos", "A"), "pos", "b", 1], "news")


def test_no_warning_of_other_labels(recwarn):
    warn_of_twins([True, 1, "a", ("a", "b")])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("labels", "separator"),
    [
        (["a,b", "a", "b,c", "c,a", "c"], ","),
        (["a; b", "a", "b ;a"], ";"),
        (["a|b,c", "a", "b,c", "b,c|a"], "|"),
        (["Food, drinks", "Clothing, men", "Food, drinks"], None),
        (["a,b", "a,b", "a"], None),
        (["a", "b", 3, None, ("a", "b")], None),
    ],
)
def test_separators_of_labels(labels, separator):
    assert label_separator(labels) == separator


def test_split_labels():
    assert split_labels([" a| b|a|", ("a|b",), None, 3], "|") == [("a", "b"), ("a|b",), None, 3]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('["a", "b"]', ("a", "b")),
        ("['a', 'b']", ("a", "b")),
        ("[3, 14]", (3, 14)),
        ("[]", ()),
        ("[a]", "[a]"),
        ("[1.5]", "[1.5]"),
        ("[" * 999 + "]", "[" * 999 + "]"),
    ],
)
def test_lists_written_as_strings(text, label):
    assert clean_label(text) == label
