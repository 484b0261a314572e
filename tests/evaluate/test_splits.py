"""Dev sets and stratified folds."""

import numpy as np
import pytest

from laconic.evaluate.splits import dev_split, documents, stratified_folds, training_documents

TEXTS = [f"text {i}" for i in range(12)]
LABELS = np.array(["a", "b", "a"] * 4)


def test_folds_cover_everything_once_and_are_stratified():
    splits = stratified_folds(TEXTS, LABELS, folds=4, seed=1)
    held_out = []
    for split in splits:
        X_fit, y_fit, X_score, y_score = split()
        assert sorted(X_fit + X_score) == sorted(TEXTS)
        assert sorted(y_score) == ["a", "a", "b"]
        for texts, labels in ((X_fit, y_fit), (X_score, y_score)):
            assert [LABELS[TEXTS.index(text)] for text in texts] == list(labels)
        held_out += X_score
    assert sorted(held_out) == sorted(TEXTS)


def test_seed_makes_the_folds():
    def held_out(seed):
        return [split()[2] for split in stratified_folds(TEXTS, LABELS, 2, seed)]

    assert held_out(3) == held_out(3)
    assert held_out(3) != held_out(4)


def test_dev():
    [split] = dev_split(TEXTS, LABELS, [("x", "y"), ["a", "a"]], "accuracy")
    X_fit, y_fit, X_score, y_score = split()
    assert X_fit is TEXTS
    assert y_fit is LABELS
    assert X_score == ["x", "y"]
    assert list(y_score) == ["a", "a"]


@pytest.mark.parametrize(
    ("dev", "error", "message"),
    [
        (TEXTS, TypeError, r"dev must be a pair \(X, y\).* got list"),
        (3, TypeError, "got int"),
        ((["x"], ["a", "b"]), ValueError, "dev set has 1 documents but its list of labels has 2 labels"),
        (([], []), ValueError, "The dev set has no documents"),
        ((["x"], [None]), ValueError, "Label 0 of its list of labels is missing"),
        ((["x"], ["c"]), ValueError, "dev set has the label 'c', which no training document has"),
        ((["x"], [1]), ValueError, "those of the dev set like 1"),
        (
            (["x"], ["a"]),
            ValueError,
            "average_precision needs dev documents of every class, but the class 'b' has none",
        ),
    ],
)
def test_bad_dev(dev, error, message):
    with pytest.raises(error, match=message):
        dev_split(TEXTS, LABELS, dev, "average_precision")


@pytest.mark.parametrize("folds", [1, 0, -2, 2.5, "5", True, None])
def test_bad_folds(folds):
    with pytest.raises(ValueError, match="folds must be a whole number from 2"):
        stratified_folds(TEXTS, LABELS, folds, 0)


@pytest.mark.parametrize(
    ("n_rare", "message"),
    [
        (4, "'b' has 4 documents, fewer than the 5 folds.* use folds=4 or fewer, add documents .* or give a dev set"),
        (2, "'b' has 2 documents, .* use folds=2, add documents"),
        (1, "'b' has 1 document, .* add documents of that class or drop it, or give a dev set"),
    ],
)
def test_rare_class(n_rare, message):
    y = np.array(["a"] * 9 + ["b"] * n_rare)
    with pytest.raises(ValueError, match=message):
        stratified_folds(list(y), y, 5, 0)


def test_documents():
    with pytest.raises(ValueError, match="X has 2 documents but y has 1 labels; give one label per document"):
        documents(["a", "b"], ["x"])
    with pytest.raises(ValueError, match="y has only the class 'x'"):
        training_documents(["a", "b"], ["x", "x"])
