"""Products between columns, against dense matrices."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.kernels.linear.gram_matrix import add_gram


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
