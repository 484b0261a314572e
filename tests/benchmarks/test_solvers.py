"""Solver files: what all must have, conversions, and ours against the objective."""

from itertools import islice

import numpy as np
import pytest
from scipy import sparse

from benchmarks import objectives, solvers
from benchmarks.environments import HERE
from benchmarks.objectives._objective import bound, value
from benchmarks.task import Task

LASSO = (solvers.OURS, solvers.OUR_PATH, *solvers.PEERS, *solvers.PATH_PEERS)
ALL = (*LASSO, solvers.OUR_GROUPS, solvers.OUR_GROUP_PATH, *solvers.GROUP_PATH_PEERS)


def small(n_classes, layout):
    rng = np.random.default_rng(0)
    X = sparse.random(60, 20, density=0.3, rng=rng, format=layout)
    X.data[:] = 1.0
    y = rng.permutation(np.arange(60) % n_classes)
    return X, y


@pytest.mark.parametrize("name", ALL)
def test_a_solver_file_states_its_facts(name):
    solver = solvers.get(name)
    assert solver.NAME
    assert solver.FORMAT in ("csr", "csc")
    assert set(solver.OBJECTIVES) <= {*objectives.NAMES, *objectives.PATHS}
    assert solver.ENVIRONMENT is None or (HERE / solver.ENVIRONMENT).exists()
    tolerances = [settings["tol"] for settings in solver.SETTINGS]
    assert tolerances == sorted(tolerances, reverse=True)
    assert len(tolerances) > 5


@pytest.mark.parametrize("name", objectives.NAMES)
def test_ours_is_certified_by_the_objective_itself(name):
    solver, objective = solvers.get(solvers.OURS), objectives.get(name)
    n_classes = 3 if objective.many_classes else 2
    X, y = small(n_classes, solver.FORMAT)
    task = objective.task(objective.lambda_max(X, y) / 5, n_classes)
    W, b = solver.weights(solver.fit((X, y), task, tol=1e-9))
    reached = value(task, X, y, W, b)
    assert W.shape == (20, 3 if objective.many_classes else 1)
    assert (reached - bound(task, X, y, W)) / reached < 1e-7
    assert task.intercept or not b.any()


@pytest.mark.parametrize("name", ["lasso", "softmax_lasso"])
def test_our_path_has_the_points_asked_for(name):
    solver, objective = solvers.get(solvers.OUR_PATH), objectives.get(name)
    n_classes = 3 if objective.many_classes else 2
    X, y = small(n_classes, solver.FORMAT)
    lambdas = list(objective.lambda_max(X, y) * np.geomspace(1.0, 0.1, 4))
    W, b = solver.weights(solver.fit((X, y), objective.task(lambdas[-1], n_classes), lambdas=lambdas, tol=1e-8))
    k = W.shape[1] // 4
    for i, lam in enumerate(lambdas):
        here, task = W[:, i * k : (i + 1) * k].toarray(), objective.task(lam, n_classes)
        reached = value(task, X, y, here, b[i * k : (i + 1) * k])
        assert (reached - bound(task, X, y, here)) / reached < 1e-6


def test_scales_of_other_libraries():
    task = Task(l1=3.0, l2=0.5, intercept=True, n_classes=2)
    assert task.inverse == 0.25
    assert task.l1_ratio == 0.75
    assert Task(0.0, 0.5, True, 2).inverse == 1.0


def test_newton_cholesky_refuses_a_hessian_that_does_not_fit():
    solver = solvers.get("sklearn_newton_cholesky")
    assert solver.refuses(100, 1000, 2) is None
    assert "GB" in solver.refuses(100, 80_000, 2)
    assert "GB" in solver.refuses(100, 5_000, 20)


def test_ladders_go_from_loose_to_tight():
    assert solvers.ladder(loosest=1e-1, tightest=1e-3) == [{"tol": 0.1}, {"tol": 0.01}, {"tol": 0.001}]
    assert [s["tol"] for s in solvers.ladder(loosest=1e-1, tightest=1e-2, per_decade=2)] == [0.1, 0.0316, 0.01]


def test_our_group_path_is_certified_by_the_objective_itself():
    solver, objective = solvers.get(solvers.OUR_GROUP_PATH), objectives.get("group_lasso")
    X, y = small(2, solver.FORMAT)
    lambdas = list(objective.lambda_max(X, y) * np.geomspace(1.0, 0.1, 4))
    W, b = solver.weights(solver.fit((X, y), objective.task(lambdas[-1], 2), lambdas=lambdas, tol=1e-8))
    for i, lam in enumerate(lambdas):
        here, task = W[:, [i]].toarray(), objective.task(lam, 2)
        reached = value(task, X, y, here, b[[i]])
        assert (reached - bound(task, X, y, here)) / reached < 1e-6
    assert not W[:, [0]].nnz
    assert W[:, [3]].nnz


@pytest.mark.parametrize("apart", [False, True])
def test_the_plain_admm_comes_to_our_optimum(apart):
    from benchmarks.objectives.overlapping import value as overlapping_value
    from benchmarks.solvers import scipy_admm
    from laconic import GroupLassoClassifier, Groups

    X, y = small(2, "csc")
    groups = Groups.from_lists([range(at, min(at + 4, 20)) for at in range(0, 18, 2)], 20)
    model = GroupLassoClassifier(groups, 0.3, 0.1, tol=1e-9).fit(X, y)
    parts = X, np.where(y == 1, 1.0, -1.0), groups.indptr, groups.indices, 0.3 * groups.weights, 0.1
    assert overlapping_value(*parts, model.coef_[0], model.intercept_[0]) == pytest.approx(model.solution_.objective)
    *_, (w, b) = islice(scipy_admm.rounds(*parts, 1.0, apart), 300)
    assert overlapping_value(*parts, w, b) == pytest.approx(model.solution_.objective, rel=1e-4)
