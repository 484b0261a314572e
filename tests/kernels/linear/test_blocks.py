"""Coordinate descent kernels against dense NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.kernels.linear.blocks import descend
from laconic.kernels.linear.columns import column_curvatures


def columns_of(X):
    X = sp.csc_array(X)
    ends = X.indptr.astype(np.int32)
    return X.data if X.data.max() > 1.0 else np.empty(0), X.indices.astype(np.uint16), ends[:-1], ends[1:]


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("l2", [0.0, 0.3])
@pytest.mark.parametrize("largest", [1.0, np.inf])
def test_descend_minimises_the_model(free, l2, largest):
    """The model −α·z + ½ zᵀHz + Σ λ₁|w| + Σ λ₂w² has no descent direction left at the answer."""
    rng = np.random.default_rng(1)
    X = np.minimum(rng.poisson(0.7, (30, 6)).astype(float), largest)
    h, alpha = rng.uniform(0.1, 1, 30), rng.normal(size=30)
    w, l1, l2 = np.zeros(6), np.full(6, 0.5), l2 * rng.uniform(0.5, 2.0, 6)
    curvature, weight = np.empty(6), np.empty(6)
    column_curvatures(*columns_of(X), h, curvature, weight)
    r = alpha.copy()
    gained, done = descend(
        *columns_of(X),
        h,
        r,
        w,
        l1,
        l2,
        np.zeros(len(w), dtype=np.int8),
        curvature,
        weight,
        free,
        0.0,
        1e-14,
        0.0,
        10_000,
    )
    assert done
    move = r.sum() / h.sum() if free else 0.0
    np.testing.assert_allclose(r, alpha - h * (X @ w))

    def model(w, b):
        z = X @ w + b
        return -alpha @ z + 0.5 * h @ z**2 + l1 @ np.abs(w) + l2 @ w**2

    here = model(w, move)
    decrease = model(np.zeros(6), alpha.sum() / h.sum() if free else 0.0) - here
    # Where a weight passes zero the kink adds to the decrease, so the sum of ½·bend·move² is a lower bound.
    assert 0.9 * decrease <= gained <= decrease * (1 + 1e-9)
    for _ in range(200):
        step = 1e-4 * rng.normal(size=6)
        assert model(w + step, move + (1e-4 * rng.normal() if free else 0.0)) >= here - 1e-12
