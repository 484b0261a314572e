"""Products with sparse columns against dense NumPy, with and without stored values."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.kernels.linear.columns import (
    accumulate,
    accumulate_rows,
    add_gram,
    column_curvatures,
    correlate,
    correlate_rows,
    strongest_cells,
)


@given(seed=st.integers(0, 10**6), binary=st.booleans(), rate=st.floats(0.05, 3.0))
@settings(max_examples=60, deadline=None)
def test_products_equal_dense_numpy(seed, binary, rate):
    rng = np.random.default_rng(seed)
    X = rng.poisson(rate, (19, 7)).astype(float)
    if binary:
        X = np.minimum(X, 1.0)
    compressed = sp.csc_array(X)
    ends = compressed.indptr.astype(np.int32)
    data = np.empty(0) if binary else compressed.data
    # Only some of the columns, in another order.
    J = rng.permutation(7)[:5]
    columns = data, compressed.indices.astype(np.uint16), ends[:-1][J], ends[1:][J]
    X = X[:, J]
    h, w = rng.uniform(0, 1, 19), rng.normal(size=5) * rng.integers(0, 2, 5)
    curvature, weight, products, z = np.empty(5), np.empty(5), np.empty(5), np.ones(19)
    column_curvatures(*columns, h, curvature, weight)
    np.testing.assert_allclose(curvature, (h[:, None] * X**2).sum(axis=0), atol=1e-13)
    np.testing.assert_allclose(weight, h @ X, atol=1e-13)
    correlate(*columns, h, products)
    np.testing.assert_allclose(products, h @ X, atol=1e-13)
    accumulate(*columns, w, z)
    np.testing.assert_allclose(z, 1.0 + X @ w, atol=1e-13)
    row, value, rest = np.zeros(5, dtype=np.int32), np.zeros(5), np.empty(5)
    strongest_cells(*columns, h, 1.0 / h.sum(), row, value, rest)
    squares = h[:, None] * X**2
    np.testing.assert_allclose(h[row] * value**2, squares.max(axis=0), atol=1e-13)
    others = X.copy()
    others[row, np.arange(5)] = 0.0
    expected = (h[:, None] * others**2).sum(axis=0) - (h @ others) ** 2 / h.sum()
    np.testing.assert_allclose(rest, expected, atol=1e-11)


@pytest.mark.parametrize("binary", [True, False])
def test_products_of_rows_equal_dense_numpy(binary):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.5, (13, 9)).astype(float)
    X = np.minimum(X, 1.0) if binary else X
    rows = sp.csr_array(X)
    given = np.empty(0) if binary else rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    some = np.array([1, 4, 8])
    place = np.full(9, -1, dtype=np.int32)
    place[some] = np.arange(3)
    W, A = rng.normal(size=(3, 5)), rng.normal(size=(13, 5))
    F, C = np.ones((13, 5)), np.zeros((3, 5))
    accumulate_rows(*given, place, W, F)
    np.testing.assert_allclose(F, 1.0 + X[:, some] @ W)
    correlate_rows(*given, place, A, C)
    np.testing.assert_allclose(C, X[:, some].T @ A)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("rows", [np.uint16, np.uint32])
def test_add_gram_adds_the_upper_triangle(binary, rows):
    rng = np.random.default_rng(0)
    dense = rng.poisson(0.4, (50, 12)).astype(float)
    dense = np.minimum(dense, 1.0) if binary else dense
    X, h = sp.csc_array(dense), rng.normal(size=50)
    chosen = np.array([1, 4, 5, 11])
    G = np.ones((4, 4))
    data = np.empty(0) if binary else X.data
    ends = X.indptr.astype(np.int32)
    add_gram(data, X.indices.astype(rows), ends[:-1][chosen], ends[1:][chosen], h, G)
    expected = dense[:, chosen].T @ (h[:, None] * dense[:, chosen])
    np.testing.assert_allclose(G, 1.0 + np.triu(expected), atol=1e-12)
