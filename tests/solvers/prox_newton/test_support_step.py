"""A Newton step on a support: it falls, keeps signs, and finds the minimum of the orthant where it is inside."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from laconic.solvers.conjugate_gradient import conjugate_gradients
from laconic.solvers.prox_newton import support_step as support
from laconic.solvers.prox_newton.support_step import SupportStep


@given(seed=st.integers(0, 10**6), rank=st.integers(1, 6), unsigned=st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_step_falls_and_keeps_signs(seed, rank, unsigned):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(rank, 6))
    B = A.T @ A + 0.05 * np.eye(6)
    here = rng.normal(size=6)
    here[6 - unsigned :] = 0.0
    slope = rng.normal(size=6)
    move, fallen = SupportStep(1e-24, 0.0)(here, slope, lambda d, out: np.matmul(B, d, out=out), B.diagonal())

    def model(w):
        return -slope @ (w - here) + 0.5 * (w - here) @ B @ (w - here)

    end = here + move
    assert fallen > 0.0
    assert model(end) == pytest.approx(-fallen, abs=1e-8)
    signed = slice(0, 6 - unsigned)
    assert np.all(end[signed] * here[signed] >= 0.0)
    # The best point of the orthant is a bound, and is reached when no weight had to leave.
    bounds = [(0, None) if s > 0 else (None, 0) for s in here[signed]] + [(None, None)] * unsigned
    best = minimize(model, here, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-10}).fun
    assert model(end) >= best - 1e-6
    free = np.linalg.solve(B, slope)
    if np.all((here + free)[signed] * here[signed] > 0.0):
        assert model(end) == pytest.approx(best, abs=1e-6)


def test_a_slope_of_zero_is_no_step():
    move, fallen = SupportStep(1e-3, 0.0)(np.ones(2), np.zeros(2), lambda d, out: np.copyto(out, d), np.ones(2))
    assert fallen == 0.0
    assert not move.any()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_conjugate_gradients_solve(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(8, 8))
    A = A @ A.T + np.diag(rng.uniform(0.1, 100.0, 8))
    right = rng.normal(size=(4, 2))

    def product(x, out):
        out[:] = (A @ x.ravel()).reshape(4, 2)

    inverse = (1.0 / A.diagonal()).reshape(4, 2)
    x, rest = conjugate_gradients(product, right, inverse, 1e-24, 200)
    np.testing.assert_allclose(rest.ravel(), right.ravel() - A @ x.ravel(), atol=1e-9)
    np.testing.assert_allclose(A @ x.ravel(), right.ravel(), atol=1e-8)
    # Unknowns without an inverse stay where they start, and the others are solved given them.
    start, live = rng.normal(size=(4, 2)), rng.random((4, 2)) < 0.5
    x, _ = conjugate_gradients(product, right, np.where(live, inverse, 0.0), 1e-24, 200, start=start)
    np.testing.assert_array_equal(x[~live], start[~live])
    np.testing.assert_allclose((A @ x.ravel() - right.ravel())[live.ravel()], 0.0, atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_where_all_else_fails_it_goes_to_the_first_zero(seed, monkeypatch):
    """Of dependent columns: hundreds of weights would change sign, and no shortened step without them falls."""
    monkeypatch.setattr(support, "PIVOTS", 0)
    monkeypatch.setattr(support, "LENGTHS", ())
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(60, 8)) @ rng.normal(size=(8, 300)) + 1e-3 * rng.normal(size=(60, 300))
    B = columns.T @ columns
    here = np.sign(rng.normal(size=300)) * rng.uniform(1e-8, 1e-3, size=300)
    slope = columns.T @ rng.normal(size=60)
    move, fallen = SupportStep(1e-6, 0.0)(here, slope, lambda d, out: np.matmul(B, d, out=out), B.diagonal())
    assert fallen > 0.0
    assert slope @ move - 0.5 * move @ B @ move == pytest.approx(fallen, rel=1e-6)
    end = here + move
    assert np.all(end * here >= 0.0)
    assert np.count_nonzero(end) == 299
