"""Coordinate descent kernels against dense NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.kernels.coordinate import accumulate, column_curvatures, descend


def columns_of(X):
    X = sp.csc_array(X)
    return X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)


def test_column_curvatures_and_accumulate():
    rng = np.random.default_rng(0)
    X, h, w = rng.poisson(0.5, (9, 5)).astype(float), rng.uniform(0, 1, 9), rng.normal(size=5)
    curvature, weight = np.empty(5), np.empty(5)
    column_curvatures(*columns_of(X), h, curvature, weight)
    np.testing.assert_allclose(curvature, (h[:, None] * X**2).sum(axis=0))
    np.testing.assert_allclose(weight, h @ X)
    z = np.ones(9)
    accumulate(*columns_of(X), w, z)
    np.testing.assert_allclose(z, 1.0 + X @ w)


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_descend_minimises_the_model(free, l2):
    """The model −α·z + ½ zᵀHz + λ₁‖w‖₁ + λ₂‖w‖² has no descent direction left at the answer."""
    rng = np.random.default_rng(1)
    X, h, alpha = rng.poisson(0.7, (30, 6)).astype(float), rng.uniform(0.1, 1, 30), rng.normal(size=30)
    w, l1 = np.zeros(6), np.full(6, 0.5)
    curvature, weight = np.empty(6), np.empty(6)
    column_curvatures(*columns_of(X), h, curvature, weight)
    r = alpha.copy()
    gained, done = descend(*columns_of(X), h, r, w, l1, l2, curvature, weight, free, 0.0, 1e-14, 10_000)
    assert done
    move = r.sum() / h.sum() if free else 0.0
    np.testing.assert_allclose(r, alpha - h * (X @ w))

    def model(w, b):
        z = X @ w + b
        return -alpha @ z + 0.5 * h @ z**2 + l1 @ np.abs(w) + l2 * w @ w

    here = model(w, move)
    decrease = model(np.zeros(6), alpha.sum() / h.sum() if free else 0.0) - here
    # Where a weight passes zero the kink adds to the decrease, so the sum of ½·bend·move² is a lower bound.
    assert 0.9 * decrease <= gained <= decrease * (1 + 1e-9)
    for _ in range(200):
        step = 1e-4 * rng.normal(size=6)
        assert model(w + step, move + (1e-4 * rng.normal() if free else 0.0)) >= here - 1e-12
