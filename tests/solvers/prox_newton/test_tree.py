"""Nested groups: against an independent optimum, by exact zeros, under reorderings, along paths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.penalties.group import GroupPenalty, TreePenalty
from laconic.core.problem import LinearProblem
from laconic.solvers.prox_newton.blocks import solve_blocks
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.solvers.regularization_path import largest_factor
from laconic.solvers.warm_path import Trail
from tests.solvers import twins

LOSSES = [Logistic(), SquaredHinge(), Squared(), Softmax(3)]
P = 15


def random_tree(rng, covered=True):
    """Return a random forest over 15 features: recursive splits of an order, some of them kept, some twice."""
    order, lists = rng.permutation(P), []

    def grow(first, last, depth):
        if last - first < 1 or depth > 4:
            return
        if rng.random() < 0.7 or (covered and depth == 0):
            lists.append(np.sort(order[first:last]))
            if rng.random() < 0.2:
                lists.append(lists[-1])
        if last - first > 1:
            middle = int(rng.integers(first + 1, last))
            grow(first, middle, depth + 1)
            grow(middle, last, depth + 1)

    grow(0, P if covered else P - 3, 0)
    lists = lists or [np.arange(4)]
    return Groups.from_lists(lists, P, weights=rng.uniform(0.3, 2.0, len(lists)))


def optimum(X, y, s, loss, penalty, intercept=True):
    groups = [penalty.groups.members(g) for g in range(len(penalty.groups))]
    return twins.optimum(X, y, s, loss, penalty.l1, penalty.l2, intercept, groups, penalty.radii)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(
    seed=st.integers(0, 10**6),
    level=st.sampled_from([0.02, 0.3, 1.0, 3.0]),
    l1=st.sampled_from([0.0, 0.2]),
    l2=st.sampled_from([0.0, 0.1]),
    intercept=st.booleans(),
    covered=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_objective_equals_an_independent_optimum(loss, seed, level, l1, l2, intercept, covered):
    X, y, s = twins.random_problem(seed, loss)
    covered = covered or l1 == l2 == 0.0
    penalty = TreePenalty(random_tree(np.random.default_rng(seed), covered), level, l1, l2)
    solution = solve_tree(LinearProblem(X, y, loss, s, intercept), penalty, tol=1e-9)
    best = optimum(X, y, s, loss, penalty, intercept)
    assert solution.converged
    assert solution.relative_gap <= 1e-9
    assert solution.objective == pytest.approx(best, rel=1e-7)
    assert solution.dual_objective <= best * (1 + 1e-8)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), level=st.floats(0.1, 3.0), l1=st.sampled_from([0.0, 0.2]))
@settings(max_examples=20, deadline=None)
def test_what_stays_zero_under_a_weaker_penalty_is_exactly_zero(loss, seed, level, l1):
    X, y, s = twins.random_problem(seed, loss)
    problem, groups = LinearProblem(X, y, loss, s), random_tree(np.random.default_rng(seed))
    solution = solve_tree(problem, TreePenalty(groups, level, l1), tol=1e-11)
    assert solution.relative_gap <= 1e-11
    F = problem.margins(solution.weights, solution.intercept)
    C = problem.correlations(problem.residual(F))
    # Where a dual set smaller by a part in a thousand still holds the slopes, they are strictly inside.
    inside = ~TreePenalty(groups, 0.999 * level, 0.999 * l1).prox(C, 1.0).any(axis=1)
    strict = [g for g in range(len(groups)) if inside[groups.members(g)].all()]
    for g in strict:
        assert not solution.weights[groups.members(g)].any()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), l1=st.sampled_from([0.0, 0.2]))
@settings(max_examples=10, deadline=None)
def test_other_orders_of_documents_features_and_groups_give_the_same_objective(loss, seed, l1):
    X, y, s = twins.random_problem(seed, loss)
    rng = np.random.default_rng(seed)
    groups = random_tree(rng)
    rows, columns, order = rng.permutation(len(y)), rng.permutation(P), rng.permutation(len(groups))
    place = np.argsort(columns)
    others = Groups.from_lists([np.sort(place[groups.members(g)]) for g in order], P, weights=groups.weights[order])
    one = solve_tree(LinearProblem(X, y, loss, s), TreePenalty(groups, 0.3, l1, 0.05), tol=1e-10)
    moved = LinearProblem(X[rows][:, columns], y[rows], loss, s[rows])
    other = solve_tree(moved, TreePenalty(others, 0.3, l1, 0.05), tol=1e-10)
    assert other.objective == pytest.approx(one.objective, rel=1e-8)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("l1", [0.0, 0.2])
def test_no_bound_of_any_tolerance_exceeds_any_objective(loss, l1):
    X, y, s = twins.random_problem(6, loss)
    problem, penalty = LinearProblem(X, y, loss, s), TreePenalty(random_tree(np.random.default_rng(6)), 0.3, l1)
    runs = [solve_tree(problem, penalty, tol=tol) for tol in (1e-1, 1e-3, 1e-5, 1e-7, 1e-10)]
    bounds = [step.dual_objective for run in runs for step in run.trace] + [run.dual_objective for run in runs]
    values = [step.objective for run in runs for step in run.trace] + [run.objective for run in runs]
    assert max(bounds) <= min(values) * (1 + 1e-12)


@pytest.mark.parametrize("loss", LOSSES[:3], ids=lambda loss: loss.name)
@pytest.mark.parametrize("l1", [0.0, 0.2])
def test_a_tree_of_one_level_is_solved_like_disjoint_groups(loss, l1):
    X, y, s = twins.random_problem(3, loss)
    problem, groups = LinearProblem(X, y, loss, s), Groups.from_lists(np.arange(P).reshape(5, 3), P)
    tree = solve_tree(problem, TreePenalty(groups, 0.5, l1), tol=1e-10)
    blocks = solve_blocks(problem, GroupPenalty(groups, 0.5, l1), tol=1e-10)
    assert tree.objective == pytest.approx(blocks.objective, rel=1e-9)
    np.testing.assert_array_equal(groups.norms(tree.weights) > 0, groups.norms(blocks.weights) > 0)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_a_path_over_a_trail_equals_cold_fits(loss):
    X, y, s = twins.random_problem(4, loss)
    problem, groups = LinearProblem(X, y, loss, s), random_tree(np.random.default_rng(4))
    top = largest_factor(problem, TreePenalty(groups))
    trail = Trail(problem)
    assert not solve_tree(problem, TreePenalty(groups, 1.0001 * top)).weights.any()
    for level in top * np.array([0.9, 0.5, 0.3, 0.4, 0.1]):
        penalty = TreePenalty(groups, level)
        warm = solve_tree(problem, penalty, tol=1e-9, trail=trail)
        cold = solve_tree(problem, penalty, tol=1e-9)
        assert warm.relative_gap <= 1e-9
        assert warm.objective == pytest.approx(cold.objective, rel=2e-9)
        assert warm.weights.any()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_features_that_no_penalty_reaches_are_fitted_but_not_certified(loss):
    X, y, s = twins.random_problem(11, loss, n=80)
    penalty = TreePenalty(Groups.from_lists([range(3, 9), range(3, 14), range(9, 14)], P), 1.0)
    solution = solve_tree(LinearProblem(X, y, loss, s), penalty, tol=1e-9)
    assert solution.converged
    assert solution.objective == pytest.approx(optimum(X, y, s, loss, penalty), rel=1e-7)
    assert solution.relative_gap == np.inf
    assert "no certificate" in solution.message


@pytest.mark.parametrize("seed", range(3))
def test_features_that_no_penalty_reaches_and_that_do_no_more_than_an_intercept_leave_the_gap_alone(seed):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(40, 12)) > 0.5) * 1.0
    X[:, -1], X[:, -2] = 1.0, 0.0
    y = (X[:, 0] + X[:, 1] + rng.integers(0, 2, 40)).clip(0, 2).astype(int)
    y[:3] = [0, 1, 2]
    penalty = GroupPenalty(Groups.from_lists([[0, 1, 2], [3, 4, 5]], 12), 1.0)
    found = solve_tree(LinearProblem(X, y, Softmax(3)), penalty, tol=1e-6, max_iter=50)
    without = solve_tree(
        LinearProblem(X[:, :10], y, Softmax(3)), GroupPenalty(penalty.groups.restrict(np.arange(10)), 1.0), tol=1e-8
    )
    assert found.converged
    assert found.objective == pytest.approx(without.objective, rel=1e-6)
