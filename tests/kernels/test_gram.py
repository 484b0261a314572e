"""The curvature matrix against dense NumPy."""

import numpy as np
import scipy.sparse as sp

from laconic.kernels.gram import weighted_gram


def rows_of(X):
    X = sp.csr_array(X)
    return X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)


def test_weighted_gram():
    rng = np.random.default_rng(0)
    X, h, G = rng.poisson(0.5, (20, 6)).astype(float), rng.uniform(0, 1, 20), np.ones((6, 6))
    weighted_gram(*rows_of(X), h, G)
    np.testing.assert_allclose(G, 1.0 + np.triu(X.T @ (h[:, None] * X)))
