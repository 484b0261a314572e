from laconic.data import Corpus
from laconic.data.rare_classes import set_aside, without_classes


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
