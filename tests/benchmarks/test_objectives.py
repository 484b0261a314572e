"""Values, bounds and λ_max of the objectives against cvxpy on tiny data."""

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse

from benchmarks import objectives
from benchmarks.objectives._objective import bound, value


def tiny(many_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.random((30, 8)) < 0.4).astype(float)
    y = np.arange(30) % (3 if many_classes else 2)
    y[rng.random(30) < 0.2] = 0
    return sparse.csr_array(X), y


def solve(task, X, y):
    """Minimise the objective written down a second time, as a convex program."""
    k = task.n_classes if task.n_classes > 2 else 1
    W, b = cp.Variable((X.shape[1], k)), cp.Variable((1, k))
    margins = X.toarray() @ W + np.ones((len(y), 1)) @ b
    if k == 1:
        loss = cp.sum(cp.logistic(cp.multiply(1.0 - 2.0 * y, margins[:, 0])))
    else:
        loss = cp.sum(cp.log_sum_exp(margins, axis=1)) - cp.sum(cp.multiply(np.eye(k)[y], margins))
    penalty = task.l1 * cp.sum(cp.abs(W)) + task.l2 * cp.sum_squares(W)
    problem = cp.Problem(cp.Minimize(loss + penalty), [] if task.intercept else [b == 0])
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return problem.value, W.value, b.value[0] if task.intercept else np.zeros(k)


@pytest.mark.parametrize("name", objectives.NAMES)
def test_value_and_bound_meet_at_the_optimum(name):
    objective = objectives.get(name)
    X, y = tiny(objective.many_classes)
    task = objective.task(objective.lambda_max(X, y) / 4, int(y.max()) + 1)
    optimum, W, b = solve(task, X, y)
    assert value(task, X, y, W, b) == pytest.approx(optimum, rel=1e-8)
    assert bound(task, X, y, W) == pytest.approx(optimum, rel=1e-4)


@pytest.mark.parametrize("name", objectives.NAMES)
def test_bound_is_below_the_optimum_wherever_it_is_taken(name):
    objective = objectives.get(name)
    X, y = tiny(objective.many_classes, seed=1)
    task = objective.task(objective.lambda_max(X, y) / 10, int(y.max()) + 1)
    optimum, W, _ = solve(task, X, y)
    rng = np.random.default_rng(2)
    for noise in (0.0, 1e-3, 0.1, 3.0):
        assert bound(task, X, y, W + noise * rng.normal(size=W.shape)) <= optimum * (1 + 1e-8)


@pytest.mark.parametrize("name", ["lasso", "lasso_no_intercept", "elastic_net", "softmax_lasso"])
def test_lambda_max_is_where_the_first_word_enters(name):
    objective = objectives.get(name)
    X, y = tiny(objective.many_classes)
    largest = objective.lambda_max(X, y)
    n_classes = int(y.max()) + 1
    above = solve(objective.task(1.001 * largest, n_classes), X, y)[1]
    below = solve(objective.task(0.95 * largest, n_classes), X, y)[1]
    assert np.abs(above).max() < 1e-5
    assert np.abs(below).max() > 1e-3


def test_bound_of_separable_documents_is_finite():
    X, y = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0]])), np.array([0, 1])
    task = objectives.get("lasso").task(1e-3, 2)
    W = np.array([[-40.0], [40.0]])
    assert np.isfinite(bound(task, X, y, W))
    assert bound(task, X, y, W) <= value(task, X, y, W, np.zeros(1))
