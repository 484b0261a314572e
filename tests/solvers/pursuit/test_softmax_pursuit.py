"""Compiled pursuits of several classes: refits against independent optima, searches against all scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax
from scipy.special import softmax as scipy_softmax

from laconic.core.losses import Logistic, Softmax
from laconic.core.problem import LinearProblem
from laconic.solvers.pursuit.atom_search import Atoms
from laconic.solvers.pursuit.pursuit import Pursuit, pursue


def documents(seed, n=150, p=60, K=5, counts=False):
    """Return sparse columns of which some speak for a class, classes, and weights of documents."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) < rng.uniform(0.02, 0.3, p)) * (rng.integers(1, 4, (n, p)) if counts else 1.0)
    y = (X[:, : 3 * K].reshape(n, 3, K).sum(axis=1) + rng.gumbel(size=(n, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y, rng.uniform(0.5, 2.0, n)


def objective(A, y, s, ridge, W, b):
    """Return loss and ridge."""
    return -s @ log_softmax(A @ W + b, axis=1)[np.arange(len(y)), y] + ridge @ (W**2).sum(axis=1)


def optimum(A, y, s, ridge, K, free=True):
    """Return the least objective over some columns, by a quasi-Newton method of scipy."""
    k = A.shape[1]
    own = np.eye(K)[y]

    def both(flat):
        W, b = flat[: k * K].reshape(k, K), flat[k * K :]
        R = s[:, None] * (scipy_softmax(A @ W + b, axis=1) - own)
        gradient = np.concatenate([(A.T @ R + 2 * ridge[:, None] * W).ravel(), R.sum(axis=0) * free])
        return objective(A, y, s, ridge, W, b), gradient

    return minimize(
        both, np.zeros((k + 1) * K), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "gtol": 1e-9}
    ).fun


@given(
    st.integers(0, 10_000),
    st.integers(3, 9),
    st.sampled_from([0.01, 0.3, 10.0]),
    st.sampled_from([1e-3, 1e-4, 1e-6]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_every_refit_is_within_its_tolerance(seed, K, l2, tol, counts, free, scaled):
    X, y, s = documents(seed, K=K, counts=counts)
    problem = LinearProblem(X, y, Softmax(K), s, free)
    found = pursue(problem, Atoms.columns(60), Pursuit(12, l2, tol=tol, scaled=scaled))
    ridges = l2 * (s @ X**2 if scaled else np.ones(60))
    for solution in found.solutions[1::4]:
        A, ridge = X[:, solution.support], ridges[solution.support]
        reached = objective(A, y, s, ridge, solution.values, solution.rest.intercept)
        assert solution.rest.objective == pytest.approx(reached, rel=1e-10)
        assert reached <= optimum(A, y, s, ridge, K, free) * (1 + tol) + 1e-7
        np.testing.assert_allclose(solution.values.sum(axis=1), 0.0, atol=1e-9)
        assert abs(solution.rest.intercept.sum()) < 1e-9
        assert free or not solution.rest.intercept.any()


@pytest.mark.parametrize(("K", "unit_norm"), [(3, True), (20, True), (77, False)])
def test_the_winner_of_every_step_has_the_highest_score(K, unit_norm):
    rng = np.random.default_rng(K)
    X = (rng.random((500, 900)) < rng.uniform(0.002, 0.05, 900)).astype(float)
    y = (X[:, : 2 * K].reshape(500, 2, K).sum(axis=1) * 2 + rng.gumbel(size=(500, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    found = pursue(LinearProblem(X, y, Softmax(K)), Atoms.columns(900), Pursuit(60, 0.5, unit_norm=unit_norm))
    norms = np.maximum(np.linalg.norm(X, axis=0), 1e-300) if unit_norm else np.ones(900)
    chosen = []
    for solution, entry in zip(found.solutions[:-1], found.entries, strict=True):
        F = X[:, solution.support] @ solution.values + solution.rest.intercept
        R = np.eye(K)[y] - scipy_softmax(F, axis=1)
        scores = np.linalg.norm(X.T @ R, axis=1) / norms
        scores[chosen] = 0.0
        assert scores[entry.features[0]] >= scores.max() * (1 - 1e-8)
        assert entry.score == pytest.approx(scores.max() ** 2, rel=1e-8)
        chosen += entry.features
    assert [entry.residual for entry in found.entries[:-1]] == pytest.approx(
        [np.linalg.norm(np.eye(K)[y] - scipy_softmax(X[:, one.support] @ one.values + one.rest.intercept, axis=1))
         for one in found.solutions[1:-1]]
    )  # fmt: skip


@pytest.mark.parametrize("K", [1, 4])
def test_kept_words_come_first_and_columns_without_cells_do_no_harm(K):
    X, y, s = documents(2, K=4)
    X[:, [7, 11]] = 0.0
    loss, y = (Softmax(4), y) if K == 4 else (Logistic(), np.where(y > 1, 1.0, -1.0))
    for scaled in (False, True):
        wanted = Pursuit(8, 0.2, kept=np.array([30, 7]), banned=np.array([0]), scaled=scaled, tol=1e-12)
        found = pursue(LinearProblem(X, y, loss, s), Atoms.columns(60), wanted)
        assert found.entries[0].features == (30, 7)
        assert [len(one.support) for one in found.solutions] == [0, 2, 3, 4, 5, 6, 7, 8]
        later = [entry.features[0] for entry in found.entries[1:]]
        assert not {0, 7, 11, 30} & set(later)
        assert len(set(later)) == 6
        assert np.isfinite(found.solutions[-1].values).all()
        assert not found.solutions[-1].values[1].any()
    only = pursue(LinearProblem(X, y, loss, s), Atoms.columns(60), Pursuit(1, 0.2, kept=np.array([30, 5])))
    assert [entry.features for entry in only.entries] == [(30, 5)]


def test_kept_words_give_the_model_that_choosing_them_gives():
    X, y, s = documents(3)
    problem = LinearProblem(X, y, Softmax(5), s)
    free = pursue(problem, Atoms.columns(60), Pursuit(9, 0.2, tol=1e-13))
    first = [entry.features[0] for entry in free.entries[:4]]
    held = pursue(problem, Atoms.columns(60), Pursuit(9, 0.2, tol=1e-13, kept=np.array(first)))
    assert [entry.features for entry in held.entries[1:]] == [entry.features for entry in free.entries[4:]]
    np.testing.assert_allclose(held.solutions[-1].values, free.solutions[-1].values, atol=1e-6)


def test_classes_that_are_told_apart_without_a_ridge_are_said_to_be_so():
    X = np.kron(np.eye(3), np.ones((5, 1)))
    found = pursue(LinearProblem(X, np.repeat([0, 1, 2], 5), Softmax(3)), Atoms.columns(3), Pursuit(3, 0.0))
    assert all(np.isfinite(one.values).all() for one in found.solutions)
    assert "separated without error" in found.message


def test_a_word_that_comes_into_one_class_alone_has_no_optimum_without_a_ridge_but_a_finite_weight():
    X, y, _ = documents(4)
    X[:, 20] = 0.0
    X[np.flatnonzero(y == 2)[:6], 20] = 1.0
    found = pursue(LinearProblem(X, y, Softmax(5)), Atoms.columns(60), Pursuit(30, 0.0))
    assert all(np.isfinite(one.values).all() for one in found.solutions)
    objectives = [one.rest.objective for one in found.solutions]
    assert (np.diff(objectives) < 0.0).all()
