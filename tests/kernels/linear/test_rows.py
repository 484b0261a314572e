"""Products document by document against dense NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.kernels.linear.rows import accumulate_rows, correlate_rows


@pytest.mark.parametrize("binary", [True, False])
def test_products_equal_dense_numpy(binary):
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
