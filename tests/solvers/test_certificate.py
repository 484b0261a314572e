"""A certificate holds at any point whatever, not only near the optimum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers.certificate import DualCandidate, certify, lower_bound
from laconic.solvers.dispatch import solve

RNG = np.random.default_rng(0)
X = RNG.poisson(0.6, (30, 8)).astype(float)
S = RNG.uniform(0.5, 2.0, 30)
TARGETS = {
    Logistic(): RNG.choice([-1.0, 1.0], 30),
    SquaredHinge(): RNG.choice([-1.0, 1.0], 30),
    Squared(): RNG.normal(size=30),
    Softmax(3): np.concatenate([np.arange(3), RNG.integers(0, 3, 27)]),
}


@pytest.mark.parametrize("loss", TARGETS, ids=lambda loss: loss.name)
@pytest.mark.parametrize("intercept", [True, False])
@given(seed=st.integers(0, 10**6), l1=st.floats(0.01, 3), l2=st.sampled_from([0.0, 0.1]), size=st.floats(0, 3))
@settings(max_examples=20)
def test_the_bound_is_below_the_optimum_from_anywhere(loss, intercept, seed, l1, l2, size):
    problem = LinearProblem(X, TARGETS[loss], loss, S, intercept)
    penalty = ElasticNetPenalty(l1, l2)
    best = solve(problem, penalty, tol=1e-9)
    rng = np.random.default_rng(seed)
    W = size * rng.normal(size=(8, problem.n_outputs))
    F = problem.margins(W, rng.normal(size=problem.n_outputs) if intercept else np.zeros(problem.n_outputs))
    objective, bound, C = certify(problem, penalty, W, F)
    assert bound <= best.objective * (1 + 1e-12)
    assert objective >= best.dual_objective * (1 - 1e-12)
    np.testing.assert_allclose(C, X.T @ problem.admit(problem.residual(F)), atol=1e-9)
    # Any vector may stand for the residual, however far from one it is.
    alpha = problem.admit(problem.residual(F) + size * rng.normal(size=F.shape))
    other = DualCandidate(alpha, problem.correlations(alpha))
    assert lower_bound(problem, penalty, other) <= best.objective * (1 + 1e-12)


def test_without_any_penalty_there_is_no_bound():
    problem = LinearProblem(X, TARGETS[next(iter(TARGETS))], Logistic(), S)
    W = np.zeros((8, 1))
    assert certify(problem, ElasticNetPenalty(), W, problem.margins(W, np.zeros(1))).dual_objective == -np.inf
