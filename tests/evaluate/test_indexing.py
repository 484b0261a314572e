"""Rows of every kind of document list."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from laconic.data import Corpus
from laconic.evaluate.indexing import as_rows, n_rows, take

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
