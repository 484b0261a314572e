"""Losses against finite differences, brute-force conjugates and exact intercepts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge

LOSSES = [Logistic(), SquaredHinge(), Squared(), Softmax(3)]


def sample(loss, seed, n=7):
    rng = np.random.default_rng(seed)
    if loss.name == "softmax":
        y = np.concatenate([np.arange(3), rng.integers(0, 3, n - 3)])
    elif loss.name == "squared":
        y = rng.normal(size=n)
    else:
        y = np.concatenate([[1.0, -1.0], rng.choice([-1.0, 1.0], n - 2)])
    F = 2.0 * rng.normal(size=(n, loss.n_outputs(y)))
    return y, F, rng.uniform(0.2, 3.0, n)


def total(loss, y, F, s):
    return float(s @ loss.values(y, F))


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_residual_is_minus_the_gradient(loss, seed):
    y, F, s = sample(loss, seed)
    numeric = np.empty_like(F)
    for index in np.ndindex(*F.shape):
        step = np.zeros_like(F)
        step[index] = 1e-6
        numeric[index] = (total(loss, y, F + step, s) - total(loss, y, F - step, s)) / 2e-6
    np.testing.assert_allclose(loss.residual(y, F, s), -numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_curvature_product_is_the_derivative_of_the_residual(loss, seed):
    y, F, s = sample(loss, seed)
    if loss.name == "squared_hinge":
        F += 0.01 * (np.abs(1 - y[:, None] * F) < 0.005)  # keep away from the kink
    Z = np.random.default_rng(seed + 1).normal(size=F.shape)
    numeric = (loss.residual(y, F - 1e-6 * Z, s) - loss.residual(y, F + 1e-6 * Z, s)) / 2e-6
    np.testing.assert_allclose(loss.curvature_product(loss.curvature(y, F, s), s, Z), numeric, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_fenchel_young_with_equality_at_the_gradient(loss, seed):
    """−L*(−α) ≤ L(G) + α·G for every G, with equality where α is the residual at G."""
    y, F, s = sample(loss, seed)
    alpha = loss.residual(y, F, s)
    dual = loss.dual_value(y, alpha, s)
    assert dual == pytest.approx(total(loss, y, F, s) + float((alpha * F).sum()), rel=1e-9, abs=1e-9)
    G = F + np.random.default_rng(seed).normal(size=F.shape)
    assert dual <= total(loss, y, G, s) + float((alpha * G).sum()) + 1e-9


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("seed", range(5))
def test_intercept_matches_a_generic_minimiser(loss, seed):
    y, F, s = sample(loss, seed)
    b = loss.intercept(y, F, s)
    best = minimize(lambda c: total(loss, y, F + c, s), np.zeros(F.shape[1]), method="BFGS", options={"gtol": 1e-10})
    assert total(loss, y, F + b, s) <= best.fun + 1e-10 * (1 + abs(best.fun))
    assert np.abs(loss.residual(y, F + b, s).sum(axis=0)).max() <= 1e-11 * s.sum()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_balanced_residual_sums_to_zero_and_stays_a_dual_point(loss, seed):
    y, F, s = sample(loss, seed)
    alpha = loss.balance(y, loss.residual(y, F, s), s)
    np.testing.assert_allclose(alpha.sum(axis=0), 0.0, atol=1e-11)
    G = np.random.default_rng(seed).normal(size=F.shape)
    # With Σα = 0 a shift of G changes nothing on the right: that is what makes it a bound with a free intercept.
    assert loss.dual_value(y, alpha, s) <= total(loss, y, G + 3.0, s) + float((alpha * G).sum()) + 1e-9


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_a_class_that_no_document_has_leaves_a_dual_point_near_the_residual(seed):
    loss = Softmax(4)
    y, F, s = sample(loss, seed)
    kept = y != 2
    y, F, s = y[kept], F[kept], s[kept]
    F = F + loss.intercept(y, F, s)
    alpha = loss.balance(y, loss.residual(y, F, s), s)
    np.testing.assert_allclose(alpha.sum(axis=0), 0.0, atol=1e-11)
    np.testing.assert_allclose(alpha, loss.residual(y, F, s), atol=1e-9)
    assert np.isfinite(loss.dual_value(y, alpha, s))


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), noise=st.floats(0.0, 5.0))
@settings(max_examples=20, deadline=None)
def test_any_vector_is_admitted_as_a_dual_point_and_residuals_as_they_are(loss, seed, noise):
    y, F, s = sample(loss, seed)
    alpha = loss.residual(y, F, s)
    np.testing.assert_allclose(loss.admit(y, alpha, s), alpha, atol=1e-12)
    rng = np.random.default_rng(seed)
    alpha, G = loss.admit(y, alpha + noise * rng.normal(size=F.shape), s), rng.normal(size=F.shape)
    assert loss.dual_value(y, alpha, s) <= total(loss, y, G, s) + float((alpha * G).sum()) + 1e-9


def test_extreme_margins_stay_finite():
    F = np.array([[800.0], [-800.0]])
    y, s = np.array([1.0, 1.0]), np.ones(2)
    assert total(Logistic(), y, F, s) == pytest.approx(800.0)
    assert np.isfinite(Logistic().residual(y, F, s)).all()
    G = np.array([[800.0, -800.0, 0.0]])
    assert total(Softmax(3), np.array([1]), G, np.ones(1)) == pytest.approx(1600.0)


@given(seed=st.integers(0, 10**6), size=st.floats(1.0, 300.0))
@settings(max_examples=40, deadline=None)
def test_softmax_intercepts_are_found_from_far_away(seed, size):
    loss = Softmax(3)
    y, F, s = sample(loss, seed)
    near = loss.intercept(y, F, s)
    far = np.random.default_rng(seed).normal(size=3) * size
    again = loss.intercept(y, F + far, s)
    np.testing.assert_allclose(F + far + again - (far + again - near).mean(), F + near, atol=1e-6 * size)


def test_softmax_intercepts_are_finite_where_margins_are_so_far_apart_that_nothing_bends():
    F = 730.0 * np.eye(3)[[0, 0, 1, 1, 2, 2]]
    y, s = np.array([0, 0, 0, 1, 1, 2]), np.ones(6)
    b = Softmax(3).intercept(y, F, s)
    assert np.isfinite(b).all()
    assert Softmax(3).values(y, F + b).sum() <= Softmax(3).values(y, F).sum()
