"""Products with sparse columns against dense NumPy, with and without stored values."""

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.kernels.linear.columns import accumulate, column_curvatures, correlate, strongest_cells


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
