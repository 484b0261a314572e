import numpy as np
import pandas as pd
import pytest

from laconic.data import Document
from laconic.models.inputs import checked_documents, checked_labels


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ("one text", "single str: put it in a list"),
        (b"one text", "single bytes"),
        (None, "but got NoneType"),
        ({"a": "b"}, "but got dict"),
        (pd.DataFrame({"text": ["a"]}), "one column of a table, but got DataFrame"),
        (["a", 3], r"position 1 \(counting from 0\) must be a string, but is of type int: '3'"),
        (["a", ["b"]], "position 1 .*must be a string, but is of type list"),
        ([None], "position 0 .*NoneType"),
    ],
)
def test_wrong_texts(texts, sentence):
    with pytest.raises(TypeError, match=sentence):
        list(checked_documents(texts))


def test_wrong_lists_of_tokens():
    assert list(checked_documents([["a"], ("b",)], "tokens")) == [["a"], ("b",)]
    with pytest.raises(TypeError, match=r"position 1 .*must be a list of tokens, but is of type str"):
        list(checked_documents([["a"], "b"], "tokens"))


@pytest.mark.parametrize("texts", [np.array(["a", "b"]), pd.Series(["a", "b"]), iter(["a", "b"]), ("a", "b")])
def test_all_kinds_of_lists(texts):
    assert list(checked_documents(texts)) == ["a", "b"]


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (["a", "b"], "3 texts but 2 labels"),
        (["a", None, float("nan")], r"2 of 3 labels are missing .*first at position 1"),
        (["a", "", "b"], "1 of 3 labels are missing"),
        (pd.Series(["a", pd.NA, "b"]), "1 of 3 labels are missing"),
        (["a", "a", "a"], "All 3 texts have the one label 'a'"),
        (["a", 1, "b"], r"different types \(int, str\)"),
        ([True, 1, 2], "different types"),
        ([0.5, 1.5, 2.5], "position 0 .*fraction"),
        (["a", ["b", "c"], "d"], "position 1 .*list of labels"),
        ("abc", "one label for each text, but got str"),
        (None, "but got NoneType"),
        (np.zeros((3, 2)), "one label for each text"),
    ],
)
def test_wrong_labels(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        checked_labels(y, 3)


@pytest.mark.parametrize(
    ("y", "kind"), [(["b", "a"], "U"), ([2, 1], "i"), ([2.0, 1.0], "i"), ([True, False], "b"), (np.array([1, 2]), "i")]
)
def test_types_of_labels(y, kind):
    found = checked_labels(y, 2)
    assert found.dtype.kind == kind
    assert found.tolist() == list(y)


def test_labels_given_to_fit_keep_their_blanks():
    assert checked_labels(np.array(["a ", "b"]), 2).tolist() == ["a ", "b"]


def test_documents_stand_for_their_texts():
    documents = [Document("a", "some text"), "another"]
    assert list(checked_documents(documents)) == ["some text", "another"]
    assert list(checked_documents(documents, whole=True)) == documents
    with pytest.raises(TypeError, match=r"position 0 .* must be a list of tokens"):
        list(checked_documents(documents, "tokens"))
