"""Newton steps on a support: the curvature matrix by both ways, and the walk against enumeration of signs."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from laconic.solvers import support
from laconic.solvers.support import gram, walk


@pytest.mark.parametrize("density", [0.02, 0.9])
@pytest.mark.parametrize("pair_cost", [0.0, np.inf])
def test_gram_is_the_same_both_ways(density, pair_cost, monkeypatch):
    monkeypatch.setattr(support, "PAIR_COST", pair_cost)
    monkeypatch.setattr(support, "BLOCK", 7)
    X = sp.random_array((40, 9), density=density, rng=np.random.default_rng(0), format="csr")
    weight = np.random.default_rng(1).uniform(0, 2, 40)
    np.testing.assert_allclose(gram(X, weight), X.toarray().T @ (weight[:, None] * X.toarray()), atol=1e-14)


@given(seed=st.integers(0, 10**6), rank=st.integers(1, 6), unsigned=st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_walk_falls_and_keeps_signs(seed, rank, unsigned):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(rank, 6))
    G = A.T @ A + 0.05 * np.eye(6)
    start = rng.normal(size=6)
    start[6 - unsigned :] = 0.0
    slope = rng.normal(size=6)
    end, fallen = walk(G, slope, start, unsigned)

    def model(w):
        return -slope @ (w - start) + 0.5 * (w - start) @ G @ (w - start)

    assert model(end) == pytest.approx(-fallen, abs=1e-8)
    signed = slice(0, 6 - unsigned)
    assert np.all(end[signed] * start[signed] >= 0.0)
    # The best point of the orthant is a bound, and is reached when no weight had to leave.
    bounds = [(0, None) if s > 0 else (None, 0) for s in start[signed]] + [(None, None)] * unsigned
    best = minimize(model, start, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-10}).fun
    assert model(end) >= best - 1e-6
    if np.all(end[signed] != 0.0):
        assert model(end) == pytest.approx(best, abs=1e-6)
