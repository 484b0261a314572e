"""Overlapping groups: against an independent optimum, by plainly computed certificates, and in the hard corners."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.solvers.overlapping.balls import Balls, Restriction
from laconic.solvers.overlapping.memory import OverlappingMemory
from laconic.solvers.overlapping.overlapping import solve_overlapping

SHAPES = {
    "overlapping": [[0, 1, 2], [2, 3, 4], [4, 5, 6, 7], [1, 7, 8], [9, 10, 11], [0, 11], [3, 8, 10]],
    "nested": [[0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6], [7, 8], [7, 8, 9, 10, 11]],
    "duplicates": [[0, 1, 2], [0, 1, 2], [2, 3, 4, 5], [2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [5, 6]],
    "singletons": [[j] for j in range(12)] + [[0, 1, 2, 3], [3, 4, 5]],
    "uncovered": [[0, 1, 2], [2, 3, 4], [4, 5, 6], [1, 6, 7, 8, 9]],
    "everything": [list(range(12)), [0, 5], [5, 9, 11]],
}
LEVELS = [(0.5, 0.0, 0.0), (0.5, 0.3, 0.0), (2.0, 0.0, 0.1), (0.02, 1.0, 0.0), (0.3, 0.1, 0.5), (4.0, 0.5, 0.0)]


def _data(seed, loss, n=60, p=12):
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.gamma(1.0, 1.0, p) + 0.2, (n, p)).astype(float)
    X[:, 3] = X[:, 2]
    truth = np.where(rng.random(p) < 0.4, rng.normal(size=p), 0.0)
    noise = X @ truth + 2.0 * rng.normal(size=n)
    if loss.name == "softmax":
        return X, np.digitize(noise, np.quantile(noise, [0.3, 0.6])), rng.uniform(0.3, 2.0, n)
    y = noise + 1.0 if loss.name == "squared" else np.where(noise > np.median(noise), 1.0, -1.0)
    return X, y, rng.uniform(0.3, 2.0, n)


def _optimum(X, y, s, loss, groups, level, l1, l2, intercept):
    K = loss.n_outputs(y)
    W, b = cp.Variable((X.shape[1], K)), cp.Variable((1, K))
    F = X @ W + (np.ones((len(y), 1)) @ b if intercept else 0.0)
    if loss.name == "softmax":
        value = s @ (cp.log_sum_exp(F, axis=1) - cp.sum(cp.multiply(np.eye(K)[y], F), axis=1))
    elif loss.name == "logistic":
        value = s @ cp.logistic(cp.multiply(-y, F[:, 0]))
    else:
        value = 0.5 * s @ cp.square(y - F[:, 0])
    norms = sum(level * d * cp.norm(W[groups.members(g)], "fro") for g, d in enumerate(groups.weights))
    total = cp.Problem(cp.Minimize(value + norms + l1 * cp.sum(cp.abs(W)) + l2 * cp.sum_squares(W)))
    return total.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)


def _check(X, y, s, loss, groups, level, l1, l2, intercept=True):
    problem = LinearProblem(X, y, loss, s, intercept)
    penalty = OverlappingPenalty(groups, level, l1, l2)
    solution = solve_overlapping(problem, penalty, tol=1e-8)
    best = _optimum(X, y, s, loss, groups, level, l1, l2, intercept)
    plain = problem.loss_value(problem.margins(solution.weights, solution.intercept)) + penalty.value(solution.weights)
    assert solution.objective == pytest.approx(plain, rel=1e-12)
    # The bound first: a wrong one makes everything else look right.
    assert solution.dual_objective <= best + 1e-7 * abs(best)
    assert solution.objective == pytest.approx(best, rel=1e-7)
    assert solution.converged
    assert solution.relative_gap <= 1e-8
    return solution


@pytest.mark.parametrize("loss", [Logistic(), Squared()], ids=lambda loss: loss.name)
@pytest.mark.parametrize("levels", LEVELS, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_objective_equals_an_independent_optimum(shape, levels, loss):
    X, y, s = _data(len(shape), loss)
    _check(X, y, s, loss, Groups.from_lists(SHAPES[shape], 12), *levels)


@pytest.mark.parametrize("seed", range(12))
def test_random_groups(seed):
    rng = np.random.default_rng(100 + seed)
    lists = [rng.choice(12, rng.integers(1, 7), replace=False) for _ in range(rng.integers(1, 25))]
    level, l1, l2 = 10 ** rng.uniform(-2, 0.5), rng.choice([0.0, 0.05, 1.0]), rng.choice([0.0, 0.01, 1.0])
    X, y, s = _data(seed, Logistic())
    _check(X, y, s, Logistic(), Groups.from_lists(lists, 12), level, l1, l2, intercept=bool(seed % 2))


def test_strong_groups_leave_nothing():
    X, y, s = _data(1, Logistic())
    solution = _check(X, y, s, Logistic(), Groups.from_lists(SHAPES["overlapping"], 12), 1e3, 0.0, 0.0)
    assert not solution.weights.any()


@pytest.mark.parametrize("level", [0.05, 0.5])
def test_certificates_on_many_features_are_true(level):
    """More features than a working set takes at once: balls filled by its members leave no room to others."""
    rng = np.random.default_rng(0)
    n, p = 150, 1500
    X = (rng.random((n, p)) < np.minimum(0.5, 8.0 / np.arange(1, p + 1))[None, :] + 0.01).astype(float)
    y = np.where(X[:, :20] @ rng.normal(size=20) + rng.normal(size=n) > 0, 1.0, -1.0)
    lists = [np.unique(np.minimum(rng.zipf(1.3, 8) - 1, p - 1)) for _ in range(1200)]
    problem = LinearProblem(X, y, Logistic())
    penalty = OverlappingPenalty(Groups.from_lists(lists, p), level, 0.3)
    rough = solve_overlapping(problem, penalty, tol=1e-3)
    fine = solve_overlapping(problem, penalty, tol=1e-9)
    assert rough.converged
    assert fine.converged
    # Bounds of either never exceed objectives of the other, and agree with the penalty's own dual.
    assert rough.dual_objective <= fine.objective
    assert fine.dual_objective <= rough.objective
    assert fine.objective <= rough.objective * (1 + 1e-9)
    F = problem.margins(fine.weights, fine.intercept)
    alpha = problem.admit(problem.residual(F))
    dual = penalty.dual(problem.correlations(alpha)[:, 0], near=fine.weights[:, 0])
    other = problem.dual_value(dual.scale * alpha) - dual.value
    assert other <= fine.objective * (1 + 1e-12)
    assert fine.dual_objective == pytest.approx(other, rel=1e-3)


def test_a_warm_start_needs_no_step():
    X, y, s = _data(2, Logistic())
    problem = LinearProblem(X, y, Logistic(), s)
    penalty = OverlappingPenalty(Groups.from_lists(SHAPES["overlapping"], 12), 0.02, 0.1)
    cold = solve_overlapping(problem, penalty, tol=1e-9)
    warm = solve_overlapping(problem, penalty, cold, tol=1e-6)
    assert warm.converged
    assert warm.iterations <= cold.iterations
    assert warm.objective == pytest.approx(cold.objective, rel=1e-6)


def test_too_many_features_without_a_penalty_are_refused():
    X = np.random.default_rng(0).normal(size=(5, 12))
    problem = LinearProblem(X, np.array([1.0, -1.0, 1.0, -1.0, 1.0]), Logistic())
    with pytest.raises(ValueError, match="10 features have no penalty at all"):
        solve_overlapping(problem, OverlappingPenalty(Groups.from_lists([[0, 1]], 12), 1.0))


@pytest.mark.parametrize("size", [0.0, 1e6])
def test_a_feature_without_a_penalty_that_separates_the_classes_ends_the_fit_with_a_sentence(size):
    X = np.array([[2.0, 1.0, 0.0], [-1.0, 1.0, 1.0], [3.0, 0.0, 1.0], [-2.0, 0.0, 0.0]])
    problem = LinearProblem(X, np.array([1.0, -1.0, 1.0, -1.0]), Logistic())
    penalty = OverlappingPenalty(Groups.from_lists([[1, 2]], 3), 0.5)
    start = Solution(np.full((3, 1), -size), np.zeros(1), np.inf, -np.inf)
    solution = solve_overlapping(problem, penalty, start, tol=1e-6)
    assert not solution.converged
    assert solution.iterations < 100
    assert "The loss went to zero: features that no penalty reaches (there are 1) fit all documents" in solution.message


def test_full_balls_leave_no_room_and_no_nan():
    """ξ of held members fills its ball to the last digit; what is left for the others is zero, not 0/0."""
    groups = Groups.from_lists([[0, 1, 2]], 3, weights=1.0)
    balls = Balls.of(OverlappingPenalty(groups, 1.0))
    xi = np.array([0.6, 0.8 * (1 + 1e-15), 0.0])
    r = balls.take_up(np.array([0.6, 0.8, 0.0]), xi, np.array([True, True, False]), 0.0)
    assert np.isfinite(xi).all()
    assert np.isfinite(r).all()
    assert balls.growth(np.array([0.0, 0.0, np.nan]), xi, balls.reach()) == np.inf


def test_restriction_keeps_the_norm_and_shares_the_dual():
    rng = np.random.default_rng(3)
    lists = [np.sort(rng.choice(20, rng.integers(1, 6), replace=False)) for _ in range(60)]
    penalty = OverlappingPenalty(Groups.from_lists(lists, 20), 0.7, 0.2)
    balls, J = Balls.of(penalty), np.array([1, 4, 5, 11, 17])
    small = Restriction(balls, J)
    w = np.zeros(20)
    w[J] = rng.normal(size=5)
    assert small.balls.value(w[J]) == pytest.approx(penalty.value(w), rel=1e-12)
    xi = np.zeros(len(balls.indices))
    common = small.balls.start(w[J])
    small.up(common, xi)
    np.testing.assert_allclose(small.down(xi), common, atol=1e-13)
    np.testing.assert_allclose(balls.total(xi)[J], small.balls.total(common), atol=1e-12)


sets = st.lists(st.integers(0, 11), min_size=1, max_size=7, unique=True)


@st.composite
def families(draw):
    """Groups that cross, with some repeated, some inside others, some left with one feature, and features in none."""
    lists = draw(st.lists(sets, min_size=1, max_size=12))
    for one in draw(st.lists(st.sampled_from(lists), max_size=3)):
        lists = [*lists, one, one[: max(1, len(one) // 2)]]
    weights = draw(st.sampled_from([None, 1.0, np.geomspace(0.1, 10.0, len(lists))]))
    return Groups.from_lists(lists, 12, weights)


@given(
    families(),
    st.sampled_from([Logistic(), Squared(), Softmax(3)]),
    st.sampled_from([0.01, 0.1, 0.5, 2.0, 10.0]),
    st.sampled_from([0.0, 0.01, 0.5]),
    st.sampled_from([0.0, 0.1]),
    st.booleans(),
    st.integers(0, 5),
)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_any_family_equals_an_independent_optimum(groups, loss, level, l1, l2, intercept, seed):
    if l1 == l2 == 0.0 and not groups.covered.all() and loss.name != "squared":  # no optimum need exist
        l1 = 0.05
    X, y, s = _data(seed, loss)
    _check(X, y, s, loss, groups, level, l1, l2, intercept)


def _corpus(seed=0, n=150, p=600, n_groups=500):
    rng = np.random.default_rng(seed)
    X = rng.poisson(np.minimum(0.8, 8.0 / np.arange(1, p + 1))[None, :] + 0.01, (n, p)).astype(float)
    y = np.where(X[:, :20] @ rng.normal(size=20) + rng.normal(size=n) > 0, 1.0, -1.0)
    lists = [np.unique(np.minimum(rng.zipf(1.3, 8) - 1, p - 1)) for _ in range(n_groups)]
    return X, y, lists


@pytest.mark.parametrize(("level", "l1"), [(0.05, 0.1), (0.5, 0.0), (0.2, 0.3)])
def test_bounds_of_all_tolerances_are_below_all_objectives(level, l1):
    X, y, lists = _corpus()
    problem = LinearProblem(X, y, Logistic())
    penalty = OverlappingPenalty(Groups.from_lists(lists, X.shape[1]), level, l1, 0.01)
    found = [solve_overlapping(problem, penalty, tol=tol) for tol in (1e-1, 1e-3, 1e-5, 1e-7, 1e-9)]
    assert all(one.converged for one in found)
    values = [problem.loss_value(problem.margins(s.weights, s.intercept)) + penalty.value(s.weights) for s in found]
    assert max(s.dual_objective for s in found) <= min(values) * (1 + 1e-12)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize(("level", "l1"), [(0.3, 0.05), (0.4, 0.0)])
def test_a_group_whose_dual_is_inside_its_ball_is_exactly_zero(level, l1, K):
    X, y, lists = _corpus(1)
    loss, y = (Logistic(), y) if K == 2 else (Softmax(3), np.where(y > 0, 2, X[:, 2] > 0))
    groups = Groups.from_lists([*lists, range(X.shape[1])], X.shape[1])
    memory = OverlappingMemory()
    solution = solve_overlapping(
        LinearProblem(X, y, loss), OverlappingPenalty(groups, level, l1), tol=1e-8, memory=memory
    )
    balls, w = memory.balls, solution.weights.ravel()
    norms = np.sqrt(np.add.reduceat(memory.xi**2, balls.indptr[:-1]))
    sizes = np.sqrt(np.add.reduceat(w[balls.indices] ** 2, balls.indptr[:-1]))
    assert np.all(norms <= balls.radii * (1 + 1e-9))
    inner = norms < balls.radii * (1 - 1e-6)
    assert 0 < inner.sum() < len(inner)
    assert not sizes[inner].any()
    assert solution.weights.any()


@pytest.mark.parametrize(("level", "l1"), [(0.05, 0.3), (0.6, 0.0)])
def test_other_orders_give_the_same_support(level, l1):
    X, y, lists = _corpus(2)
    rng = np.random.default_rng(0)
    rows, columns, order = rng.permutation(len(y)), rng.permutation(X.shape[1]), rng.permutation(len(lists))
    place = np.argsort(columns)
    groups = Groups.from_lists(lists, X.shape[1])
    other = Groups.from_lists([place[lists[g]] for g in order], X.shape[1])
    one = solve_overlapping(LinearProblem(X, y, Logistic()), OverlappingPenalty(groups, level, l1, 0.001), tol=1e-10)
    two = solve_overlapping(
        LinearProblem(X[rows][:, columns], y[rows], Logistic()), OverlappingPenalty(other, level, l1, 0.001), tol=1e-10
    )
    assert one.converged
    assert two.converged
    assert two.objective == pytest.approx(one.objective, rel=1e-8)
    np.testing.assert_array_equal(np.sort(columns[two.support]), one.support)


def test_solves_that_share_a_memory_equal_solves_alone():
    X, y, lists = _corpus(3)
    problem, groups = LinearProblem(X, y, Logistic()), Groups.from_lists(lists, X.shape[1])
    penalties = [OverlappingPenalty(groups, level, l1, 0.01) for level in (0.02, 0.5) for l1 in (0.0, 0.3, 0.05)]
    memory = OverlappingMemory()
    for penalty in penalties:
        found = solve_overlapping(problem, penalty, tol=1e-8, memory=memory)
        alone = solve_overlapping(problem, penalty, tol=1e-8)
        assert found.converged
        assert found.objective == pytest.approx(alone.objective, rel=1e-7)
        assert max(found.dual_objective, alone.dual_objective) <= min(found.objective, alone.objective) * (1 + 1e-12)


def test_memory_saves_steps_and_forgets_other_groups():
    X, y, lists = _corpus(4)
    problem, groups = LinearProblem(X, y, Logistic()), Groups.from_lists(lists, X.shape[1])
    memory = OverlappingMemory()
    first = solve_overlapping(problem, OverlappingPenalty(groups, 0.3, 0.05), tol=1e-7, memory=memory)
    again = solve_overlapping(problem, OverlappingPenalty(groups, 0.29, 0.05), tol=1e-7, memory=memory)
    cold = solve_overlapping(problem, OverlappingPenalty(groups, 0.29, 0.05), tol=1e-7)
    assert again.iterations < cold.iterations
    assert again.objective == pytest.approx(cold.objective, rel=1e-7)
    other = Groups.from_lists(lists[:100], X.shape[1])
    moved = solve_overlapping(problem, OverlappingPenalty(other, 0.3, 0.05), tol=1e-7, memory=memory)
    assert moved.converged
    assert moved.objective < first.objective


def test_bad_arguments_are_refused():
    X, y, lists = _corpus()
    problem = LinearProblem(X, y, Logistic())
    with pytest.raises(ValueError, match="tol is 0"):
        solve_overlapping(problem, OverlappingPenalty(Groups.from_lists(lists, X.shape[1])), tol=0.0)
    with pytest.raises(ValueError, match="over 12 features, the problem has 600"):
        solve_overlapping(problem, OverlappingPenalty(Groups.from_lists([[0, 1]], 12)))


@pytest.mark.parametrize("levels", [(0.01, 0.1), (0.001, 0.01)])
def test_a_group_that_enters_by_a_jump_does_not_stop_the_line_search(levels):
    """Three documents, at a κ at which φ's slope jumps from falling to rising within a thousandth of a step."""
    X = np.array([[1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 0, 1, 1]], dtype=float)
    groups = Groups.from_lists([[0, 1, 2], [3, 4], [0, 5, 6]], 7)
    problem = LinearProblem(X, np.array([-1.0, 1.0, -1.0]), Logistic())
    solution = solve_overlapping(problem, OverlappingPenalty(groups, *levels), max_iter=100)
    assert solution.converged


def test_features_without_a_penalty_do_not_drive_kappa_to_where_no_step_falls():
    rng = np.random.default_rng(60)
    X = (rng.random((25, 40)) < 0.3) * 1.0
    problem = LinearProblem(X, np.where(rng.random(25) < 0.5, 1.0, -1.0), Logistic(), fit_intercept=False)
    lists = [part.tolist() for part in np.split(rng.permutation(40)[:22], [1, 7, 14, 18])]
    solution = solve_overlapping(problem, OverlappingPenalty(Groups.from_lists(lists, 40), 0.1), tol=1e-9)
    assert solution.converged
    assert solution.iterations < 200
