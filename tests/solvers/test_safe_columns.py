"""Words out of reach: their weights are zero, and paths are the same without them."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.core.edits import Edits
from laconic.core.losses import Logistic, Squared, SquaredHinge
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.linear.elastic_net import ElasticNetClassifier
from laconic.linear.paths import elastic_net_path
from laconic.solvers.regularization_path import solve_path
from laconic.solvers.safe_columns import within_reach


def documents(seed, binary, n=60, p=80):
    rng = np.random.default_rng(seed)
    X = sp.random(n, p, density=0.08, random_state=rng, data_rvs=rng.standard_normal)
    if binary:
        X.data[:] = 1.0
    return sp.csc_array(X), np.where(rng.random(n) < 0.5, 1.0, -1.0)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_no_residual_reaches_further(binary, weighted):
    X, y = documents(0, binary)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    problem = LinearProblem(X, y, Logistic(), weight)
    reach = problem.column_reach()
    assert np.all(reach >= weight @ np.abs(X).toarray() - 1e-12)
    for seed in range(5):
        F = np.random.default_rng(seed).normal(scale=20.0, size=(len(y), 1))
        assert np.all(np.abs(problem.correlations(problem.residual(F))[:, 0]) <= reach + 1e-12)


@pytest.mark.parametrize("loss", [Squared(), SquaredHinge()])
def test_other_losses_reach_everywhere_but_empty_columns(loss):
    X, y = documents(2, True)
    X = sp.csc_array(sp.hstack([X, sp.csc_array((len(y), 1))]))
    problem = LinearProblem(X, y, loss)
    sizes = np.diff(problem._X.indptr)
    assert np.array_equal(np.isinf(problem.column_reach()), sizes > 0)
    assert np.array_equal(within_reach(problem, [ElasticNetPenalty(1e6)]), np.flatnonzero(sizes))


def test_the_weakest_penalty_of_every_word_counts():
    X, y = documents(3, True)
    problem = LinearProblem(X, y, Logistic())
    levels = np.where(np.arange(X.shape[1]) < 40, 0.5, 1e3)
    live = within_reach(problem, [ElasticNetPenalty(3.0), ElasticNetPenalty(levels)])
    sizes = problem.column_sizes()
    assert np.array_equal(live, np.flatnonzero(sizes >= np.minimum(3.0, levels)))


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_a_path_is_the_same_without_words_out_of_reach(binary, ratio):
    X, y = documents(4, binary)
    estimator = ElasticNetClassifier(tol=1e-9)
    path = elastic_net_path(X, y, estimator, l1_ratio=ratio, n_points=8, smallest=0.8)
    problem = LinearProblem(X, y, Logistic())
    penalties = [ElasticNetPenalty(point["l1"], point["l2"]) for point in path.parameters]
    live = within_reach(problem, penalties)
    assert live is not None
    assert len(live) < problem.n_features
    for with_few, with_all in zip(path, solve_path(problem, penalties, tol=1e-9), strict=True):
        assert with_few.weights.shape == with_all.weights.shape
        assert with_few.relative_gap <= 1e-9
        assert with_few.objective == pytest.approx(with_all.objective, rel=1e-8)
        assert set(with_few.support) <= set(live)


def test_edits_hold_along_a_path_without_words_out_of_reach():
    X, y = documents(5, True)
    sizes = np.diff(X.indptr)
    often, seldom = int(np.argmax(sizes)), int(np.argmin(np.where(sizes > 0, sizes, 99)))
    estimator = ElasticNetClassifier(tol=1e-8, edits=Edits(ban=[often], keep=[seldom]))
    path = elastic_net_path(X, y, estimator, n_points=6, smallest=0.8)
    assert all(one.weights[often, 0] == 0.0 for one in path)
    assert path[-1].weights[seldom, 0] != 0.0
