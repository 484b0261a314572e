"""Dev sets and stratified folds.

Rows of every kind of document list.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from laconic.data import Corpus
from laconic.evaluate.splits import (
    as_rows,
    check_whole,
    dev_split,
    documents,
    grouped_folds,
    label_folds,
    n_rows,
    ordered_folds,
    stratified_folds,
    take,
    training_documents,
)


@pytest.mark.parametrize("value", [2, np.int32(7)])
def test_whole_numbers_pass(value):
    check_whole("folds", value, 2)


@pytest.mark.parametrize("value", [1, True, 2.0, "3", None])
def test_others_are_refused(value):
    with pytest.raises(ValueError, match="folds must be a whole number from 2, or less, got"):
        check_whole("folds", value, 2, ", or less")


TABLE = np.arange(12.0).reshape(4, 3)
CHOSEN = np.array([3, 0, 1])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_array, sparse.csc_matrix, pd.DataFrame])
def test_tables(form):
    X = as_rows(form(TABLE))
    taken = take(X, CHOSEN)
    assert n_rows(X) == 4
    dense = taken.toarray() if sparse.issparse(taken) else np.asarray(taken)
    np.testing.assert_array_equal(dense, TABLE[CHOSEN])


@pytest.mark.parametrize("form", [list, tuple, Corpus.from_lists, lambda t: np.array(t, dtype=object), pd.Series])
def test_texts(form):
    texts = ["a", "b b", "", "d"]
    X = as_rows(form(texts))
    assert n_rows(X) == 4
    assert list(take(X, CHOSEN)) == ["d", "a", "b b"]


def test_token_lists_stay_lists():
    assert take(as_rows([["a", "b"], ["c"]]), np.array([1])) == [["c"]]


@pytest.mark.parametrize("X", ["one text", iter(["a"]), 3, None, np.float64(1.0)])
def test_no_rows(X):
    with pytest.raises(TypeError, match=r"X must be a list of texts, a Corpus.* put a single text into a list"):
        as_rows(X)


@pytest.mark.parametrize("X", [[], (), np.zeros((0, 3)), sparse.csr_array((0, 3))])
def test_empty(X):
    with pytest.raises(ValueError, match="dev has no documents"):
        as_rows(X, "dev")


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


# Documents that belong together, and documents in order


def test_grouped_folds_keep_documents_together():
    rng = np.random.default_rng(0)
    y, by = rng.integers(2, size=200), rng.integers(20, size=200)
    X = np.arange(200)[:, None]
    held = []
    for split in grouped_folds(X, y, by, 4, seed=3):
        X_fit, y_fit, X_score, y_score = split()
        assert not set(by[X_fit[:, 0]]) & set(by[X_score[:, 0]])
        np.testing.assert_array_equal(y_fit, y[X_fit[:, 0]])
        assert abs(y_score.mean() - y.mean()) < 0.15
        held += X_score[:, 0].tolist()
    assert sorted(held) == list(range(200))


def test_ordered_folds_look_back_only():
    rng = np.random.default_rng(1)
    y, dates = rng.integers(2, size=101), rng.permutation(101)
    X = np.arange(101)[:, None]
    scored = []
    for split in ordered_folds(X, y, dates, 4):
        X_fit, _, X_score, y_score = split()
        assert dates[X_fit[:, 0]].max() < dates[X_score[:, 0]].min()
        np.testing.assert_array_equal(y_score, y[X_score[:, 0]])
        scored += dates[X_score[:, 0]].tolist()
    assert sorted(scored) == list(range(21, 101))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: grouped_folds(X, y, ["a", "b"], 2, 0), "by must have one value for each of the 6"),
        (lambda X, y: grouped_folds(X, y, list("aaabbb"), 3, 0), "2 different values, fewer than the 3 folds"),
        (lambda X, y: grouped_folds(X, y, list("abcdef"), 1, 0), "folds must be a whole number"),
        (lambda X, y: grouped_folds(X, np.array([0, 0, 0, 1, 1, 1]), list("aaabbb"), 2, 0), "outside a fold of by"),
        (lambda X, y: ordered_folds(X, y, range(6), 6), "too few for 6 folds"),
        (lambda X, y: ordered_folds(X, np.array([0, 0, 0, 1, 1, 1]), range(6), 2), "before a cut of order"),
    ],
)
def test_folds_that_cannot_be(call, message):
    with pytest.raises(ValueError, match=message):
        call(["t"] * 6, np.array([0, 1] * 3))


def dealt_one_by_one(has, folds, seed):
    """The same folds, one document after the other."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([has, ~has.any(axis=1)])
    room = [len(table) / folds] * folds
    lacking = [[total / folds for total in table.sum(axis=0)] for _ in range(folds)]
    found = [-1] * len(table)
    while -1 in found:
        left = [i for i, fold in enumerate(found) if fold < 0]
        counts = {k: sum(table[i, k] for i in left) for k in range(table.shape[1])}
        rarest = min((k for k in counts if counts[k]), key=lambda k: (counts[k], k))
        rows = rng.permutation([i for i in left if table[i, rarest]])
        chance = rng.permutation(folds)
        for i in rows:
            fold = max(range(folds), key=lambda f: (lacking[f][rarest], room[f], -chance[f]))
            found[i] = fold
            room[fold] -= 1
            for k in np.flatnonzero(table[i]):
                lacking[fold][k] -= 1
    return found


@given(st.integers(0, 2**16), st.integers(2, 5), st.integers(2, 40), st.integers(1, 5), st.floats(0.05, 0.9))
@settings(max_examples=60, deadline=None)
def test_folds_are_those_of_dealing_one_by_one(seed, folds, n, labels, share):
    has = np.random.default_rng(seed).random((n, labels)) < share
    found = label_folds(has, folds, seed)
    assert found.tolist() == dealt_one_by_one(has, folds, seed)
    counts = has.sum(axis=0)
    if counts.any():  # the rarest label is dealt out first, and evenly
        rarest = int(np.where(counts > 0, counts, n + 1).argmin())
        rows = np.flatnonzero(has[:, rarest])
        if counts[rarest] <= (~has.any(axis=1)).sum() or not (~has.any(axis=1)).any():
            assert np.ptp(np.bincount(found[rows], minlength=folds)) <= 1


@pytest.mark.parametrize("folds", [3, 5])
def test_every_fold_has_its_share_of_every_label(folds):
    rng = np.random.default_rng(1)
    has = rng.random((600, 6)) < np.array([0.5, 0.3, 0.2, 0.1, 0.05, 0.02])
    found = label_folds(has, folds, seed=2)
    shares = np.array([has[found == fold].sum(axis=0) for fold in range(folds)])
    assert np.abs(shares - has.sum(axis=0) / folds).max() <= 3
    assert np.ptp(np.bincount(found)) <= 0.1 * len(has) / folds
    assert np.array_equal(found, label_folds(has, folds, seed=2))
    assert not np.array_equal(found, label_folds(has, folds, seed=3))
