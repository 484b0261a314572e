"""Starts from a trail: between two solved points both sides of the certificate hold without a look at the data."""

import numpy as np
import pytest

from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers.certificate import lower_bound
from laconic.solvers.dispatch import solve
from laconic.solvers.regularization_path import largest_factor, solve_path
from laconic.solvers.warm_path import Trail
from laconic.solvers.warm_start import WarmStart
from tests.solvers import twins

LOSSES = [Logistic(), SquaredHinge(), Squared(), Softmax(3)]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_point_between_two_solved_ones_is_nearly_solved_and_its_bound_is_one(loss, share):
    X, y, s = twins.random_problem(1, loss, n=60)
    problem = LinearProblem(X, y, loss, s)
    top = largest_factor(problem, ElasticNetPenalty(1.0))
    trail = Trail(problem)
    for level in (0.30 * top, 0.28 * top):
        solve(problem, ElasticNetPenalty(level, share * level), tol=1e-10, warm=WarmStart(trail=trail))
    penalty = ElasticNetPenalty(0.29 * top, share * 0.29 * top)
    best = solve(problem, penalty, tol=1e-11)
    point, candidate, _ = trail.begin(penalty)
    bound = lower_bound(problem, penalty, candidate)
    assert bound <= best.objective * (1 + 1e-12)
    assert best.dual_objective * (1 - 1e-12) <= point.objective
    assert point.objective - bound <= 1e-3 * point.objective
    np.testing.assert_allclose(point.F, problem.margins(point.W, point.b), atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("per_feature", [False, True])
def test_a_line_brings_its_certificate_without_a_look_at_the_data(loss, share, per_feature):
    X, y, s = twins.random_problem(3, loss, n=60)
    problem = LinearProblem(X, y, loss, s)
    top = largest_factor(problem, ElasticNetPenalty(1.0))
    factors = np.linspace(0.7, 1.0, X.shape[1]) if per_feature else 1.0
    at = lambda level: ElasticNetPenalty(level * factors, share * level)  # noqa: E731
    trail = Trail(problem)
    assert trail.between(at(0.3 * top)) is None
    for level in (0.3 * top, 0.2 * top):
        solve(problem, at(level), tol=1e-5, warm=WarmStart(trail=trail))
    assert trail.between(at(0.1 * top)) is None
    for level in (0.29 * top, 0.25 * top, 0.21 * top):
        line, best = trail.between(at(level)), solve(problem, at(level), tol=1e-11)
        F = problem.margins(line.weights, line.intercept)
        value = problem.loss_value(F) + at(level).value(line.weights)
        assert line.objective == pytest.approx(value, rel=1e-12)
        assert line.dual_objective <= best.objective * (1 + 1e-12)
        assert best.dual_objective * (1 - 1e-12) <= line.objective
        assert line.relative_gap <= 1e-2


def test_a_line_between_points_without_a_certificate_has_none():
    X, y, s = twins.random_problem(3, Logistic(), n=60)
    problem = LinearProblem(X, y, Logistic(), s)
    trail = Trail(problem)
    for level in (3.0, 2.0):
        penalty = ElasticNetPenalty(level)
        solve(problem, penalty, tol=1e-5, warm=WarmStart(trail=trail))
        trail._solved[-1] = trail._solved[-1]._replace(scale=0.0)
    assert trail.between(ElasticNetPenalty(2.5)) is None


def test_ahead_of_two_points_signs_are_kept_and_the_last_point_is_no_better():
    X, y, s = twins.random_problem(2, Logistic(), n=60)
    problem = LinearProblem(X, y, Logistic(), s)
    top = largest_factor(problem, ElasticNetPenalty(1.0))
    trail = Trail(problem)
    last = [solve(problem, ElasticNetPenalty(f * top), tol=1e-10, warm=WarmStart(trail=trail)) for f in (0.3, 0.25)][-1]
    penalty = ElasticNetPenalty(0.2 * top)
    point, *_ = trail.begin(penalty)
    assert np.all(point.W * last.weights >= 0.0)
    here = problem.loss_value(problem.margins(last.weights, last.intercept)) + penalty.value(last.weights)
    assert point.objective < here


def test_an_empty_trail_gives_no_start_and_a_short_memory_keeps_the_lowest_levels():
    X, y, s = twins.random_problem(2, Logistic())
    problem = LinearProblem(X, y, Logistic(), s)
    trail = Trail(problem)
    assert trail.begin(ElasticNetPenalty(1.0)) is None
    for level in (2.0, 0.5, 1.0):
        solve(problem, ElasticNetPenalty(level), warm=WarmStart(trail=trail))
    trail.forget(1)
    point, *_ = trail.begin(ElasticNetPenalty(0.5))
    np.testing.assert_allclose(X @ point.W, X @ solve(problem, ElasticNetPenalty(0.5)).weights, atol=1e-2)


@pytest.mark.parametrize("n_points", [1, 2, 3, 8, 9, 10, 23])
def test_paths_of_every_length_are_certified_point_by_point(n_points):
    X, y, s = twins.random_problem(4, Logistic())
    problem = LinearProblem(X, y, Logistic(), s)
    top = largest_factor(problem, ElasticNetPenalty(1.0))
    penalties = [ElasticNetPenalty(level) for level in top * np.geomspace(1.0, 0.01, n_points)]
    path = solve_path(problem, penalties, tol=1e-7)
    assert len(path) == n_points
    for solution, penalty in zip(path, penalties, strict=True):
        assert solution.relative_gap <= 1e-7
        F = problem.margins(solution.weights, solution.intercept)
        assert solution.objective == pytest.approx(problem.loss_value(F) + penalty.value(solution.weights), rel=1e-10)
        assert solution.objective == pytest.approx(solve(problem, penalty, tol=1e-10).objective, rel=2e-7)
    assert solve_path(problem, []) == []
