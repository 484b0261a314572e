"""What is said before a fit."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data import Corpus
from laconic.data.first_look import label_shares, metric_by_shares, set_aside, suspicious, without_classes


def remarks(texts, labels, **others):
    return "\n".join(suspicious({"train": Corpus.from_lists(texts, labels), **others}))


def test_good_documents_are_not_suspicious():
    assert remarks(["one", "two", "three", "four"] * 1 + ["five", "six"], [0, 0, 0, 1, 1, 1]) == ""


def test_what_is_suspicious():
    texts = ["a b", "a b", "c", " ", "d", "e", "f", "g"]
    said = remarks(texts, ["x", "y", "x", "x", "x", "y", "y", "z"], test=Corpus.from_lists(["c", "new"], ["x", "x"]))
    assert "1 of 8 documents are empty" in said
    assert "1 documents are copies of others, and 1 texts have different labels" in said
    assert "1 of the 2 test documents are training documents, too" in said
    assert "the label 'z' has fewer than 3 documents" in said
    assert "is the label column one of ids?" in remarks(["a", "b", "c"], ["u1", "u2", "u3"])
    said = remarks(["a", "b", "c", "d"], ["1.0", "2.50", "1.0", "2.50"])
    assert "the labels are numbers such as '2.50', and each is taken for a class of its own" in said
    assert "numbers" not in remarks(["a", "b", "c", "d"], ["1.0", "v2.5", "1.0", "v2.5"])
    assert "is the text column one of ids?" in remarks(["17", "18", "19", "ok"], [0, 0, 1, 1])


def test_shares_of_many_labels_are_cut():
    corpus = Corpus.from_lists([str(i) for i in range(66)], [k for k in range(11) for _ in range(k + 1)])
    assert label_shares(corpus).startswith("labels: 10 16.7%, 9 15.2%")
    assert label_shares(corpus).endswith(" and 3 more, down to 0 (1 documents)")


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=60))
def test_the_metric_follows_the_rarest_class(labels):
    counts = Counter(labels)
    rare = min(counts.values()) / len(labels) < 0.2 / len(counts)
    metric, why = metric_by_shares(labels)
    assert metric == ("macro_f1" if rare else "accuracy")
    assert bool(why) == rare


@pytest.mark.parametrize(("yes", "metric"), [(99, "macro_f1"), (100, "accuracy")])
def test_a_tenth_is_the_limit_with_two_classes(yes, metric):
    assert metric_by_shares(["no"] * (1000 - yes) + ["yes"] * yes)[0] == metric


def test_rare_classes_leave_every_split():
    train = Corpus.from_lists(list("abcdef"), [1, 1, 2, 2, 3, 1])
    test = Corpus.from_lists(list("xyz"), [3, 1, 2])
    said: list[str] = []
    kept = set_aside({"train": train, "test": test}, 2, said.append)
    assert kept["train"].labels == (1, 1, 2, 2, 1)
    assert kept["train"].ids == ("1", "2", "3", "4", "6")
    assert kept["test"].labels == (1, 2)
    assert "1 class with fewer than 2 documents: 3 (1); train loses 1 document, test loses 1 document" in said[0]


def test_labels_of_a_list_go_and_documents_with_others_stay():
    train = Corpus.from_lists(list("abcd"), [["x", "z"], ["x", "y"], ["y"], ["z2"]])
    said: list[str] = []
    kept = set_aside({"train": train}, 2, said.append)["train"]
    assert kept.labels == (("x",), ("x", "y"), ("y",))
    assert "2 classes" in said[0]


def test_nothing_is_set_aside_where_one_class_would_stay():
    train = Corpus.from_lists(list("abcd"), ["x", "x", "x", "y"])
    assert set_aside({"train": train}, 2, print)["train"] is train
    assert without_classes(train, {"x": 3, "y": 1}) is train
