"""Corpus: validation, views, fingerprint.

Document: a frozen record.
"""

import hashlib
import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data import Corpus, Document, Splits


def test_document():
    document = Document("1", "text")
    assert (document.label, document.sentences, document.tree) == (None, None, None)
    with pytest.raises(AttributeError):
        document.text = "other"  # type: ignore[misc]


labels_strategy = st.one_of(st.sampled_from(["a", "b", "ü"]), st.just("other"))


def test_defaults():
    corpus = Corpus.from_lists(["x", "y"])
    assert corpus.ids == ("1", "2")
    assert corpus.labels is None
    assert corpus.classes == ()
    assert list(corpus) == [Document("1", "x"), Document("2", "y")]
    assert repr(corpus) == "Corpus('', 2 documents, no labels)"


def test_all_parts():
    corpus = Corpus.from_lists(
        np.array(["a b", "c"]), np.array([2, 1]), [10, "k"], [["a", "b"], ("c",)], ["(1 a)", "(0 c)"], name="n"
    )
    assert list(corpus) == [
        Document("10", "a b", 2, ("a", "b"), "(1 a)"),
        Document("k", "c", 1, ("c",), "(0 c)"),
    ]
    assert type(corpus.texts[0]) is str
    assert corpus.classes == (1, 2)
    assert repr(corpus) == "Corpus('n', 2 documents, 2 classes)"


def test_frozen():
    with pytest.raises(AttributeError):
        Corpus.from_lists(["x"]).name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": []}, "the corpus '' is empty"),
        ({"texts": "one text"}, "got a single str; put it in a list"),
        ({"texts": ["a", None]}, "document '2': the text is None of type NoneType; a text must be a string"),
        ({"texts": ["a", 3]}, "document '2': the text is 3 of type int"),
        ({"texts": ["a", "b"], "labels": ["x"]}, "2 texts but 1 labels"),
        ({"texts": ["a", "b"], "ids": ["x"]}, "2 texts but 1 ids"),
        ({"texts": ["a"], "sentences": []}, "1 texts but 0 lists of sentences"),
        ({"texts": ["a"], "trees": []}, "1 texts but 0 trees"),
        ({"texts": list("abc"), "labels": ["x", None, float("nan")]}, "2 of 3 documents have no label .*ids '2', '3'"),
        ({"texts": ["a"], "labels": [0.5]}, "document '1': the label 0.5 is a fraction"),
        ({"texts": list("abc"), "ids": ["u", "v", "u"]}, "ids must be unique, but 1 occur more than once: 'u'.*1 and"),
        ({"texts": list("ab"), "ids": [1, "1"]}, "ids must be unique"),
        ({"texts": ["a"], "ids": [None]}, "text number 1: the id None"),
        ({"texts": ["a"], "ids": [""]}, "the id is an empty string"),
        ({"texts": ["a"], "ids": [True]}, "the id True is of type bool"),
        ({"texts": ["a"], "sentences": ["a"]}, "document '1': sentences are 'a'"),
        ({"texts": ["a", "b"], "sentences": [["a"], None]}, "document '2': sentences are None"),
        ({"texts": ["a"], "sentences": [[1]]}, "sentences must be strings, got 1"),
        ({"texts": ["a"], "trees": [None]}, "the tree is None"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        Corpus.from_lists(**arguments)


def test_many_missing_labels_show_only_the_first_ids():
    with pytest.raises(ValueError, match=r"9 of 10 documents .*ids '2', '3', '4', '5', '6', \.\.\.") as error:
        Corpus.from_lists(["x"] * 10, ["a"] + [None] * 9)
    assert "'7'" not in str(error.value)


def test_mixed_labels_become_strings():
    assert Corpus.from_lists(["a", "b", "c"], ["x", 1, 2.0]).labels == ("x", "1", "2")


def test_class_counts_are_sorted_as_numbers():
    assert list(Corpus.from_lists(["a"] * 4, [10, 9, 10, 2]).class_counts().items()) == [(2, 1), (9, 1), (10, 2)]


def test_several_labels():
    corpus = Corpus.from_lists(["a", "b", "c"], [["x", "y"], "x", []])
    assert corpus.labels == (("x", "y"), ("x",), ())
    assert corpus.class_counts() == {"x": 2, "y": 1}
    assert corpus.one_vs_rest("y").labels == (True, False, False)
    assert corpus.one_vs_rest("x").texts == corpus.texts
    with pytest.raises(ValueError, match="label 'z' does not occur; the classes are 'x', 'y'"):
        corpus.one_vs_rest("z")


def test_one_vs_rest_of_single_labels():
    assert Corpus.from_lists(["a", "b"], [1, 2]).one_vs_rest(2).labels == (False, True)


def test_subset():
    corpus = Corpus.from_lists(["a", "b", "c"], [1, 2, 3], sentences=[["a"], ["b"], ["c"]], trees=["(a)", "(b)", "(c)"])
    assert list(corpus.subset(np.array([2, 0]))) == [
        Document("3", "c", 3, ("c",), "(c)"),
        Document("1", "a", 1, ("a",), "(a)"),
    ]
    assert Corpus.from_lists(["a", "b"]).subset([1]).labels is None


@pytest.mark.parametrize(
    ("indices", "message"),
    [([], "at least one"), ([0, 0], "must differ"), ([3], "index 3 is out of range"), ([-1], "index -1 is out")],
)
def test_bad_subset(indices, message):
    with pytest.raises(ValueError, match=message):
        Corpus.from_lists(["a", "b", "c"]).subset(indices)


def test_fingerprint_is_what_the_docstring_says():
    corpus = Corpus.from_lists(["zwei", "ünf"], ["y", "x"], ["b", "a"])
    twin = b""
    for identifier, label, text in sorted([("b", "y", "zwei"), ("a", "x", "ünf")]):
        parts = [identifier.encode(), json.dumps(label).encode(), text.encode()]
        twin += " ".join(str(len(part)) for part in parts).encode() + b"\n" + b"".join(parts)
    assert corpus.fingerprint() == hashlib.sha256(twin).hexdigest()


def test_fingerprint_tells_types_and_borders_apart():
    prints = {Corpus.from_lists(["a"], [label]).fingerprint() for label in (1, "1", True, "true", ["1"], [1])} | {
        Corpus.from_lists(["a"]).fingerprint(),
        Corpus.from_lists(["1a"], ids=["1"]).fingerprint(),
    }
    assert len(prints) == 8
    assert Corpus.from_lists(["bc"], ids=["a"]).fingerprint() != Corpus.from_lists(["c"], ids=["ab"]).fingerprint()


def test_lone_surrogates_do_not_break_the_fingerprint():
    assert len(Corpus.from_lists(["bad \ud800 pair"]).fingerprint()) == 64


@given(st.lists(st.tuples(st.text(), labels_strategy), min_size=1, max_size=8), st.randoms())
def test_fingerprint_ignores_order_only(rows, rng: random.Random):
    corpus = Corpus.from_lists([text for text, _ in rows], [label for _, label in rows])
    order = list(range(len(rows)))
    rng.shuffle(order)
    assert corpus.subset(order).fingerprint() == corpus.fingerprint()
    changed = Corpus.from_lists([corpus.texts[0] + "!", *corpus.texts[1:]], corpus.labels)
    assert changed.fingerprint() != corpus.fingerprint()


@given(st.lists(st.tuples(st.text(), labels_strategy), min_size=1, max_size=8))
def test_iteration_round_trip(rows):
    corpus = Corpus.from_lists([text for text, _ in rows], [label for _, label in rows])
    again = Corpus.from_lists([d.text for d in corpus], [d.label for d in corpus], [d.id for d in corpus])
    assert again == corpus


def test_describe_is_json():
    corpus = Corpus.from_lists(["abc", "", " \n"], [1, 2, 2], sentences=[["abc"], [], []], name="n")
    facts = json.loads(json.dumps(corpus.describe()))
    assert facts == {
        "name": "n",
        "documents": 3,
        "classes": {"1": 1, "2": 2},
        "labelled": True,
        "several_labels": False,
        "characters": 5,
        "empty_documents": 2,
        "given_sentences": 1,
        "given_trees": False,
        "fingerprint": corpus.fingerprint(),
    }
    assert Corpus.from_lists(["a"]).describe()["labelled"] is False


def test_blanks_around_labels_are_cut_off():
    assert Corpus.from_lists(["x", "y", "z"], ["a ", " a", "b\t"]).labels == ("a", "a", "b")


def test_labels_that_differ_only_in_case_give_a_warning_at_the_caller():
    with pytest.warns(UserWarning, match="'Pos' and 'pos'") as caught:
        Corpus.from_lists(["x", "y"], ["Pos", "pos"])
    assert caught[0].filename == __file__


def test_splits_come_in_order():
    parts = [Corpus.from_lists([text], name=text) for text in ("a", "b", "c")]
    splits = Splits(*parts)
    assert [(name, corpus.name) for name, corpus in splits] == [("train", "a"), ("dev", "b"), ("test", "c")]
