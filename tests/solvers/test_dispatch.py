"""Every solver by its gap, against an independent optimum, and under reorderings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.penalties import group_penalty
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers import dispatch
from laconic.solvers.dispatch import solve, solve_next, structure_of, without_groups
from laconic.solvers.regularization_path import largest_factor, solve_path
from laconic.solvers.warm_start import WarmStart
from tests.solvers import twins

LOSSES = [Logistic(), SquaredHinge(), Squared(), Softmax(3)]
PENALTIES = [(0.0, 0.3), (0.7, 0.0), (0.4, 0.2), (0.05, 0.0), (5.0, 0.01)]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
@pytest.mark.parametrize("intercept", [True, False])
def test_objective_equals_an_independent_optimum(loss, penalty, intercept):
    X, y, s = twins.random_problem(3, loss)
    problem = LinearProblem(X, y, loss, s, intercept)
    solution = solve(problem, ElasticNetPenalty(*penalty), tol=1e-10)
    best = twins.optimum(X, y, s, loss, *penalty, intercept)
    assert solution.converged
    assert solution.relative_gap <= 1e-10
    assert solution.objective == pytest.approx(best, rel=1e-7)
    # The bound is a bound: no better point exists, up to the oracle's own accuracy.
    assert solution.dual_objective <= best * (1 + 1e-8)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6), l1=st.floats(0.01, 5.0), l2=st.sampled_from([0.0, 0.01, 1.0]))
@settings(max_examples=25, deadline=None)
def test_optimality_conditions(loss, seed, l1, l2):
    X, y, s = twins.random_problem(seed, loss)
    problem = LinearProblem(X, y, loss, s)
    solution = solve(problem, ElasticNetPenalty(l1, l2), tol=1e-11)
    assert solution.relative_gap <= 1e-11
    W, F = solution.weights, problem.margins(solution.weights, solution.intercept)
    slope = problem.correlations(problem.residual(F)) - 2 * l2 * W
    scale = np.abs(X).sum(axis=0).max() * s.max()
    assert np.abs(slope).max() <= l1 + 1e-4 * scale
    nonzero = np.abs(W) > 1e-3
    np.testing.assert_allclose(slope[nonzero], l1 * np.sign(W[nonzero]), atol=1e-3 * scale)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("penalty", [(0.0, 0.3), (0.5, 0.0), (0.4, 0.2)], ids=str)
def test_a_problem_in_three_parts_has_the_same_solution(loss, penalty):
    X, y, s = twins.random_problem(5, loss)
    whole = solve(LinearProblem(X, y, loss, s), ElasticNetPenalty(*penalty), tol=1e-10)
    parts = solve(twins.ThreePartProblem(X, y, loss, s), ElasticNetPenalty(*penalty), tol=1e-10)
    assert parts.objective == pytest.approx(whole.objective, rel=1e-9)
    np.testing.assert_allclose(X @ parts.weights, X @ whole.weights, atol=1e-3)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_other_orders_of_documents_and_features_give_the_same_objective(loss, seed):
    X, y, s = twins.random_problem(seed, loss)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    penalty = ElasticNetPenalty(0.3, 0.1)
    one = solve(LinearProblem(X, y, loss, s), penalty, tol=1e-10)
    other = solve(LinearProblem(X[rows][:, columns], y[rows], loss, s[rows]), penalty, tol=1e-10)
    assert other.objective == pytest.approx(one.objective, rel=1e-8)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_same_data_same_weights_byte_for_byte(loss):
    X, y, s = twins.random_problem(1, loss)
    runs = [solve(LinearProblem(X, y, loss, s), ElasticNetPenalty(0.2, 0.1)) for _ in range(2)]
    assert runs[0].weights.tobytes() == runs[1].weights.tobytes()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("l2", [0.0, 0.1])
def test_weights_enter_just_below_lambda_max(loss, l2):
    X, y, s = twins.random_problem(2, loss)
    problem = LinearProblem(X, y, loss, s)
    top = largest_factor(problem, ElasticNetPenalty(1.0))
    at = solve(problem, ElasticNetPenalty(top * (1 + 1e-9), l2), tol=1e-9)
    below = solve(problem, ElasticNetPenalty(0.99 * top, l2), tol=1e-12)
    assert not at.weights.any()
    assert below.weights.any()


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_a_path_equals_cold_fits(loss):
    X, y, s = twins.random_problem(4, loss)
    problem = LinearProblem(X, y, loss, s)
    penalties = [ElasticNetPenalty(l1, 0.05) for l1 in (3.0, 1.0, 0.3, 0.1)]
    for warm, penalty in zip(solve_path(problem, penalties, tol=1e-9), penalties, strict=True):
        assert warm.relative_gap <= 1e-9
        assert warm.objective == pytest.approx(solve(problem, penalty, tol=1e-9).objective, rel=1e-8)


def test_separable_data_without_penalty_says_so():
    X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    solution = solve(LinearProblem(X, np.array([1.0, 1, -1, -1]), Logistic()), ElasticNetPenalty())
    assert solution.relative_gap == np.inf
    assert "no optimum" in solution.message


def test_unpenalised_fit_of_overlapping_classes_finds_the_optimum():
    X, y, s = twins.random_problem(8, Logistic(), n=60, p=4)
    X = X[:, [1, 3]]
    solution = solve(LinearProblem(X, y, Logistic(), s), ElasticNetPenalty(), tol=1e-9)
    assert solution.objective == pytest.approx(twins.optimum(X, y, s, Logistic(), 0, 0, True), rel=1e-7)
    assert solution.message == ""


def test_a_problem_without_columns_is_refused_where_they_are_needed():
    class Distant(twins.ThreePartProblem):
        columns = property()

    X, y, s = twins.random_problem(3, Logistic())
    problem = Distant(X, y, Logistic(), s)
    assert solve(problem, ElasticNetPenalty(0.0, 0.1)).converged
    with pytest.raises(TypeError, match=r"solve_coordinate.*needs a problem that offers columns; Distant does not"):
        solve(problem, ElasticNetPenalty(0.1))


def test_stopping_early_is_reported():
    X, y, s = twins.random_problem(3, Logistic())
    solution = solve(LinearProblem(X, y, Logistic(), s), ElasticNetPenalty(0.01), tol=1e-12, max_iter=1)
    assert not solution.converged
    assert solution.iterations == 1
    assert solution.relative_gap > 1e-12


@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_singletons_are_an_elastic_net_of_the_same_value(l2):
    groups = Groups.from_lists([[0], [2], [0], [1]], n_features=3, weights=[1.0, 2.0, 0.5, 3.0])
    grouped = group_penalty(groups, 0.7, 0.2, l2)
    plain = without_groups(grouped, n_outputs=1)
    w = np.array([1.5, -2.0, 0.25])
    assert plain.value(w) == pytest.approx(grouped.value(w))
    assert without_groups(grouped, n_outputs=2) is None


def test_what_is_no_elastic_net_stays_grouped():
    pair = Groups.from_lists([[0, 1]], n_features=3)
    assert without_groups(group_penalty(pair, 1.0), 1) is None
    assert without_groups(group_penalty(pair, 0.0, 0.5), 3).l1 == 0.5
    bare = Groups.from_lists([[0], [1]], n_features=3)
    assert without_groups(group_penalty(bare, 1.0), 1) is None  # feature 2 has no penalty at all
    assert without_groups(group_penalty(bare, 0.0, np.array([0.5, 0.5, 0.0])), 3) is None
    assert without_groups(group_penalty(bare, 1.0, 0.0, 0.1), 1).l1.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("penalty", "n_outputs", "structure"),
    [
        (ElasticNetPenalty(0.0, 0.5), 1, "smooth"),
        (ElasticNetPenalty(0.0, 0.5, sides=[2, 0, 0]), 1, "smooth"),
        (ElasticNetPenalty(0.0, 0.5, sides=[1, 0, 0]), 1, "elastic net"),
        (ElasticNetPenalty([0.0, 0.0, 0.1]), 3, "elastic net"),
        (group_penalty(Groups.singletons(3)), 1, "elastic net"),
        (group_penalty(Groups.singletons(3)), 2, "disjoint"),
        (group_penalty(Groups.from_lists([[0, 1]], 3), 0.0, 0.0, 0.1), 1, "smooth"),
        (group_penalty(Groups.from_lists([[0, 1], [2]], 3)), 1, "disjoint"),
        (group_penalty(Groups.from_lists([[0, 1]], 3)), 1, "overlapping"),  # feature 2 has no penalty at all
        (group_penalty(Groups.from_lists([[0, 1]], 3)), 2, "disjoint"),
        (group_penalty(Groups.from_lists([[0, 1], [0, 1, 2]], 3)), 1, "tree"),
        (group_penalty(Groups.from_lists([[0, 1], [1, 2]], 3)), 1, "overlapping"),
    ],
)
def test_the_simplest_structure_counts(penalty, n_outputs, structure):
    assert structure_of(penalty, n_outputs)[0] == structure


def test_a_chain_of_solves_ends_where_single_solves_do():
    X, y, s = twins.random_problem(4, Logistic())
    problem, warm = LinearProblem(X, y, Logistic(), s), WarmStart()
    for l1, l2 in ((3.0, 0.1), (1.0, 0.1), (0.0, 0.1), (2.0, 0.0), (0.5, 0.0)):
        penalty = ElasticNetPenalty(l1, l2)
        chained = solve_next(problem, penalty, warm, 1e-9, 200)
        alone = solve(problem, penalty, tol=1e-9)
        assert chained.converged
        assert chained.objective == pytest.approx(alone.objective, rel=1e-8)
        assert warm.last is chained


def test_a_solver_that_lost_count_of_its_objective_does_not_count_as_converged(monkeypatch):
    X, y, s = twins.random_problem(0, Logistic())
    problem, penalty = LinearProblem(X, y, Logistic(), s), ElasticNetPenalty(0.5)
    right = solve(problem, penalty)

    def drifted(*_):
        return replace(right, weights=1.001 * right.weights, objective=right.objective)

    monkeypatch.setitem(dispatch._PROXIMAL, "coordinate", drifted)
    wrong = solve(problem, penalty, tol=1e-9)
    assert not wrong.converged
    objective = problem.loss_value(X @ wrong.weights + wrong.intercept) + penalty.value(1.001 * right.weights)
    assert wrong.objective == pytest.approx(objective, rel=1e-12)


def test_an_answer_is_checked_in_one_pass_over_the_data(monkeypatch):
    X, y, s = twins.random_problem(0, Logistic())
    problem, penalty = LinearProblem(X, y, Logistic(), s), ElasticNetPenalty(0.5)
    right = solve(problem, penalty)
    passes = []
    margins = problem.margins
    monkeypatch.setitem(dispatch._PROXIMAL, "coordinate", lambda *_: right)
    monkeypatch.setattr(problem, "margins", lambda *at: passes.append(at) or margins(*at))
    assert solve(problem, penalty).objective == pytest.approx(right.objective, rel=1e-15)
    assert len(passes) == 1
