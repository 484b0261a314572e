import numpy as np
import pytest

from laconic.models.scoring.linear_text import LinearText
from laconic.text import Analyzer, Vocabulary

KEPT = Vocabulary(("a", "b"), np.array([1, 2]), 3)
GOOD = {
    "analyzer": Analyzer(),
    "cells": "count",
    "classes": ("no", "yes"),
    "probabilistic": True,
    "words": KEPT.words,
    "weights": np.ones((2, 1)),
    "intercept": np.zeros(1),
    "vocabulary": KEPT,
    "n_vocabulary": 9,
}


def test_outputs_of_two_and_of_three_classes():
    assert LinearText(**GOOD).outputs == ("yes",)
    three = {**GOOD, "classes": (1, 2, 3), "weights": np.ones((2, 3)), "intercept": np.zeros(3)}
    assert LinearText(**three).outputs == (1, 2, 3)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"weights": np.ones((3, 1))}, r"weights disagree with the words: 2 words.*\(2, 1\).*\(3, 1\)"),
        ({"weights": np.ones((2, 2))}, "weights disagree with the words"),
        ({"weights": np.array([[1.0], [np.nan]])}, "weights must be finite"),
        ({"weights": np.array([["a"], ["b"]])}, "weights must be finite numbers"),
        ({"intercept": np.zeros(2)}, r"2 classes need an intercept of shape \(1,\)"),
        ({"intercept": np.array([np.inf])}, "intercept must be finite"),
        ({"cells": "tf"}, "Unknown cells 'tf'; allowed are 'count', 'binary', 'tfidf'"),
        ({"classes": ("a",)}, "two or more labels"),
        ({"classes": ("a", 1)}, "of one type"),
        ({"classes": (0.5, 1.5)}, "of one type"),
        ({"classes": ("b", "a")}, "sorted and different"),
        ({"words": ("a", "c")}, "differ"),
        ({"words": ("a", "c"), "cells": "tfidf"}, r"\['c'\] are not in the vocabulary"),
    ],
)
def test_parts_that_do_not_fit_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        LinearText(**{**GOOD, **wrong})
