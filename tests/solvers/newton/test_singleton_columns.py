"""Private words solved for, against Newton's method over all words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.losses import Logistic, Squared, SquaredHinge
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.solvers.newton import newton
from laconic.solvers.newton.singleton_columns import PrivateWords, worth_it

LOSSES = {"logistic": Logistic(), "squared": Squared(), "squared_hinge": SquaredHinge()}


def problem_of(seed, loss="logistic", fit_intercept=True, n=12, shared=6, private=30):
    rng = np.random.default_rng(seed)
    X = np.zeros((n, shared + private + 1))
    X[:, :shared] = rng.poisson(0.7, (n, shared))
    X[rng.integers(0, n - 1, private), np.arange(shared, shared + private)] = rng.uniform(0.5, 2.0, private)
    X = X[:, rng.permutation(X.shape[1])]
    y = rng.normal(size=n) if loss == "squared" else np.where(np.arange(n) % 2, 1.0, -1.0)
    return LinearProblem(X, y, LOSSES[loss], rng.uniform(0.5, 2.0, n), fit_intercept)


@given(st.integers(0, 10_000), st.sampled_from(sorted(LOSSES)), st.booleans(), st.sampled_from([0.01, 0.3, 5.0]))
@settings(max_examples=40, deadline=None)
def test_the_answer_is_that_of_all_words(seed, loss, fit_intercept, l2):
    problem, penalty = problem_of(seed, loss, fit_intercept), ElasticNetPenalty(0.0, l2)
    assert worth_it(problem)
    found = newton.solve_newton(problem, penalty, tol=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newton, "worth_it", lambda problem: False)
        plain = newton.solve_newton(problem, penalty, tol=1e-12)
    assert found.objective == pytest.approx(plain.objective, rel=1e-10)
    np.testing.assert_allclose(found.weights, plain.weights, atol=1e-5)
    np.testing.assert_allclose(found.intercept, plain.intercept, atol=1e-5)
    # The certificate holds for the weights over all words.
    F = problem.margins(found.weights, found.intercept)
    assert problem.loss_value(F) + penalty.value(found.weights) == pytest.approx(found.objective, rel=1e-12)
    assert found.dual_objective <= plain.objective * (1 + 1e-12)


def test_a_solution_goes_there_and_back():
    problem = problem_of(3)
    fewer = PrivateWords(problem)
    solution = newton.solve_newton(problem, ElasticNetPenalty(0.0, 0.2), tol=1e-10)
    again = fewer.expand(fewer.contract(solution))
    np.testing.assert_allclose(again.weights, solution.weights, atol=1e-12)


def test_a_warm_start_at_the_optimum_takes_no_step():
    problem, penalty = problem_of(4), ElasticNetPenalty(0.0, 0.2)
    solution = newton.solve_newton(problem, penalty, tol=1e-12)
    assert newton.solve_newton(problem, penalty, solution, tol=1e-9).iterations == 0


def test_margins_and_correlations_are_those_of_the_whole():
    problem = problem_of(5)
    fewer = PrivateWords(problem)
    rng = np.random.default_rng(0)
    W, alpha = rng.normal(size=(fewer.n_features, 1)), rng.normal(size=(12, 1))
    whole = fewer.expand(Solution(W, np.zeros(1), 0.0, 0.0)).weights
    np.testing.assert_allclose(fewer.margins(W, np.ones(1)), problem.margins(whole, np.ones(1)))
    assert np.vdot(fewer.correlations(alpha), W) == pytest.approx(np.vdot(problem.correlations(alpha), whole))


def test_few_private_words_are_left_as_they_are():
    assert not worth_it(problem_of(6, private=5))
