"""Disjoint groups: against an independent optimum, by optimality conditions, under reorderings, along paths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.penalties.base import soft
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupPenalty
from laconic.core.problem import LinearProblem
from laconic.kernels.linear.blocks import block_norm, bound_blocks
from laconic.solvers.dispatch import solve
from laconic.solvers.prox_newton.blocks import solve_blocks
from laconic.solvers.regularization_path import largest_factor
from laconic.solvers.warm_path import Trail
from tests.solvers import twins

LOSSES = [Logistic(), SquaredHinge(), Squared(), Softmax(3)]
P = 15


def random_groups(rng, covered=True):
    """Return disjoint groups of 15 features: a singleton, others of random sizes, and features in none unless told."""
    labels = rng.integers(0, 5, P)
    labels[0], labels[1:4] = 5, 1
    lists = [np.flatnonzero(labels == g) for g in range(6)]
    weights = rng.uniform(0.5, 2.0, 6)
    kept = range(6) if covered else range(1, 6)
    used = [g for g in kept if len(lists[g])]
    return Groups.from_lists([lists[g] for g in used], P, weights=weights[used])


def optimum(X, y, s, loss, penalty, intercept=True):
    groups = [penalty.groups.members(g) for g in range(len(penalty.groups))]
    return twins.optimum(X, y, s, loss, penalty.l1, penalty.l2, intercept, groups, penalty.radii)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(
    seed=st.integers(0, 10**6),
    level=st.sampled_from([0.02, 0.3, 1.0, 4.0]),
    l1=st.sampled_from([0.0, 0.2]),
    l2=st.sampled_from([0.0, 0.1]),
    intercept=st.booleans(),
    covered=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_objective_equals_an_independent_optimum(loss, seed, level, l1, l2, intercept, covered):
    X, y, s = twins.random_problem(seed, loss)
    covered = covered or l1 == l2 == 0.0
    penalty = GroupPenalty(random_groups(np.random.default_rng(seed), covered), level, l1, l2)
    solution = solve_blocks(LinearProblem(X, y, loss, s, intercept), penalty, tol=1e-9)
    best = optimum(X, y, s, loss, penalty, intercept)
    assert solution.converged
    assert solution.relative_gap <= 1e-9
    assert solution.objective == pytest.approx(best, rel=1e-7)
    assert solution.dual_objective <= best * (1 + 1e-8)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), level=st.floats(0.05, 4.0), l1=st.sampled_from([0.0, 0.2]))
@settings(max_examples=20, deadline=None)
def test_a_block_whose_dual_is_strictly_inside_is_exactly_zero(loss, seed, level, l1):
    X, y, s = twins.random_problem(seed, loss)
    problem = LinearProblem(X, y, loss, s)
    penalty = GroupPenalty(random_groups(np.random.default_rng(seed)), level, l1)
    solution = solve_blocks(problem, penalty, tol=1e-11)
    assert solution.relative_gap <= 1e-11
    F = problem.margins(solution.weights, solution.intercept)
    C = soft(problem.correlations(problem.residual(F)), l1)
    inside = penalty.groups.norms(C) < 0.999 * penalty.radii
    assert not penalty.groups.norms(solution.weights)[inside].any()
    assert np.all(penalty.groups.norms(C) <= penalty.radii * (1 + 1e-3) + 1e-3)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), l1=st.sampled_from([0.0, 0.2]))
@settings(max_examples=10, deadline=None)
def test_other_orders_of_documents_features_and_groups_give_the_same_objective(loss, seed, l1):
    X, y, s = twins.random_problem(seed, loss)
    rng = np.random.default_rng(seed)
    groups = random_groups(rng)
    rows, columns, order = rng.permutation(len(y)), rng.permutation(P), rng.permutation(len(groups))
    place = np.argsort(columns)
    others = Groups.from_lists([np.sort(place[groups.members(g)]) for g in order], P, weights=groups.weights[order])
    one = solve_blocks(LinearProblem(X, y, loss, s), GroupPenalty(groups, 0.5, l1, 0.05), tol=1e-10)
    moved = LinearProblem(X[rows][:, columns], y[rows], loss, s[rows])
    other = solve_blocks(moved, GroupPenalty(others, 0.5, l1, 0.05), tol=1e-10)
    assert other.objective == pytest.approx(one.objective, rel=1e-8)
    np.testing.assert_array_equal(other.weights.any(axis=1)[place], one.weights.any(axis=1))


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("l1", [0.0, 0.2])
def test_no_bound_of_any_tolerance_exceeds_any_objective(loss, l1):
    X, y, s = twins.random_problem(6, loss)
    problem, penalty = LinearProblem(X, y, loss, s), GroupPenalty(random_groups(np.random.default_rng(6)), 0.4, l1)
    runs = [solve_blocks(problem, penalty, tol=tol) for tol in (1e-1, 1e-3, 1e-5, 1e-7, 1e-10)]
    bounds = [step.dual_objective for run in runs for step in run.trace] + [run.dual_objective for run in runs]
    values = [step.objective for run in runs for step in run.trace] + [run.objective for run in runs]
    assert max(bounds) <= min(values) * (1 + 1e-12)


@pytest.mark.parametrize("loss", LOSSES[:3], ids=lambda loss: loss.name)
def test_groups_of_one_word_are_the_lasso(loss):
    X, y, s = twins.random_problem(3, loss)
    problem = LinearProblem(X, y, loss, s)
    blocks = solve_blocks(problem, GroupPenalty(Groups.singletons(P), 0.5), tol=1e-10)
    lasso = solve(problem, ElasticNetPenalty(0.5), tol=1e-10)
    assert blocks.objective == pytest.approx(lasso.objective, rel=1e-9)


def test_one_group_of_hundreds_of_words():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.2, (80, 400)).astype(float)
    y = np.where(X[:, :20].sum(axis=1) > 4, 1.0, -1.0)
    groups = Groups.from_lists([range(300), range(300, 390), range(390, 400)], 400)
    problem = LinearProblem(X, y, Logistic())
    top = largest_factor(problem, GroupPenalty(groups))
    solution = solve_blocks(problem, GroupPenalty(groups, 0.3 * top), tol=1e-9)
    assert solution.relative_gap <= 1e-9
    assert np.count_nonzero(groups.norms(solution.weights)) >= 1
    at_top = solve_blocks(problem, GroupPenalty(groups, 1.0001 * top))
    assert not at_top.weights.any()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("ratio", [0.0, 0.2])
def test_a_path_over_a_trail_equals_cold_fits(loss, ratio):
    X, y, s = twins.random_problem(4, loss)
    problem, groups = LinearProblem(X, y, loss, s), random_groups(np.random.default_rng(4))
    top = largest_factor(problem, GroupPenalty(groups, 1.0, ratio))
    trail = Trail(problem)
    for level in top * np.array([0.9, 0.5, 0.3, 0.4, 0.1]):
        penalty = GroupPenalty(groups, level, ratio * level)
        warm = solve_blocks(problem, penalty, tol=1e-9, trail=trail)
        cold = solve_blocks(problem, penalty, tol=1e-9)
        assert warm.relative_gap <= 1e-9
        assert warm.objective == pytest.approx(cold.objective, rel=2e-9)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_features_that_no_penalty_reaches_are_fitted_but_not_certified(loss):
    X, y, s = twins.random_problem(11, loss, n=80)
    groups = Groups.from_lists([range(3, 9), range(9, 14)], P)
    penalty = GroupPenalty(groups, 1.0)
    solution = solve_blocks(LinearProblem(X, y, loss, s), penalty, tol=1e-9)
    assert solution.converged
    assert solution.objective == pytest.approx(optimum(X, y, s, loss, penalty), rel=1e-7)
    assert solution.relative_gap == np.inf
    assert "no certificate: features that no penalty reaches (there are 4)" in solution.message


@pytest.mark.parametrize("seed", range(12))
def test_no_step_raises_the_objective_where_free_features_tell_classes_apart(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(5, 31)), np.array([0, 1, 2, 3, 1])
    penalty = GroupPenalty(Groups.from_lists([range(16), range(16, 19)], 31), 0.004)
    with np.errstate(over="raise", invalid="raise"):
        solution = solve_blocks(LinearProblem(X, y, Softmax(4), fit_intercept=False), penalty, tol=1e-9)
    objectives = np.array([step.objective for step in solution.trace])
    assert np.all(np.diff(objectives) <= 1e-14 * objectives[:-1])
    assert solution.objective < 1e-9


def test_a_problem_in_three_parts_has_the_same_solution():
    X, y, s = twins.random_problem(5, Logistic())
    penalty = GroupPenalty(random_groups(np.random.default_rng(5)), 0.5)
    whole = solve_blocks(LinearProblem(X, y, Logistic(), s), penalty, tol=1e-10)
    parts = solve_blocks(twins.ThreePartProblem(X, y, Logistic(), s), penalty, tol=1e-10)
    assert parts.objective == pytest.approx(whole.objective, rel=1e-9)


def test_stopping_early_is_reported():
    X, y, s = twins.random_problem(3, Logistic())
    penalty = GroupPenalty(random_groups(np.random.default_rng(3)), 0.05)
    solution = solve_blocks(LinearProblem(X, y, Logistic(), s), penalty, tol=1e-13, max_iter=1)
    assert not solution.converged
    assert solution.iterations == 1


@given(seed=st.integers(0, 10**6), radius=st.sampled_from([0.0, 0.01, 1.0, 3.0]))
@settings(max_examples=60, deadline=None)
def test_the_norm_of_a_block_is_a_root(seed, radius):
    rng = np.random.default_rng(seed)
    s, d = rng.normal(size=6), np.exp(rng.normal(0, 4, 6))
    eta = block_norm(s, d, radius)
    if np.linalg.norm(s) <= radius:
        assert eta == 0.0
    else:
        assert np.linalg.norm(s / (d * eta + radius)) == pytest.approx(1.0, rel=1e-9)


@given(seed=st.integers(0, 10**6), binary=st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_diagonal_bounds_the_curvature_of_every_block(seed, binary):
    X, y, s = twins.random_problem(seed, Logistic())
    X = np.minimum(X, 1.0) if binary else X * np.random.default_rng(seed).choice([-1.0, 1.0], X.shape)
    problem, h = LinearProblem(X, y, Logistic(), s), np.random.default_rng(seed).uniform(0.0, 1.0, len(y))
    ends = np.array([0, 1, 6, 15])
    curvature, weight, bound = np.empty((3, P))
    bound_blocks(*problem.columns(np.arange(P)), ends, h, curvature, weight, bound)
    H = (X.T * h) @ X
    np.testing.assert_allclose(curvature, H.diagonal(), atol=1e-9)
    np.testing.assert_allclose(weight, X.T @ h, atol=1e-9)
    for first, last in ((0, 1), (1, 6), (6, 15)):
        slack = np.diag(bound[first:last]) - H[first:last, first:last]
        assert np.linalg.eigvalsh(slack).min() >= -1e-9 * max(1.0, np.abs(slack).max())
