"""Screened correlations: exact wherever they exceed λ₁, within it elsewhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.losses import Logistic, Softmax
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers import screening
from laconic.solvers.screening import Screen
from tests.solvers import twins


@pytest.mark.parametrize("loss", [Logistic(), Softmax(3)], ids=lambda loss: loss.name)
@given(
    seed=st.integers(0, 10**6),
    level=st.floats(0.1, 20.0),
    step=st.sampled_from([1e-6, 1e-2, 0.3]),
    intercept=st.booleans(),
    binary=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_what_exceeds_the_level_is_exact(loss, seed, level, step, intercept, binary):
    X, y, s = twins.random_problem(seed, loss)
    if binary:
        X = np.minimum(X, 1.0)
    problem = LinearProblem(X, y, loss, s, intercept)
    rng = np.random.default_rng(seed)
    l1 = level * rng.uniform(0.5, 1.5, X.shape[1])
    screen = Screen(problem)
    F = rng.normal(size=(len(y), problem.n_outputs))
    for _ in range(4):
        alpha = problem.admit(problem.residual(F))
        C, exact = screen.correlations(alpha, ElasticNetPenalty(l1)), X.T @ alpha
        over = (np.abs(exact) > l1[:, None]).any(axis=1)
        np.testing.assert_allclose(C[over], exact[over], atol=1e-10)
        assert np.all(np.abs(C[~over]) <= l1[~over, None] * (1 + 1e-9))
        F += step * rng.normal(size=F.shape)


def test_columns_that_stay_inside_are_not_looked_at(monkeypatch):
    X, y, s = twins.random_problem(0, Logistic())
    problem = LinearProblem(X, y, Logistic(), s)
    looked = []
    monkeypatch.setattr(screening, "correlate", lambda *arguments: looked.append(len(arguments[2])))
    monkeypatch.setattr(
        problem, "correlations", lambda alpha, full=problem.correlations: (looked.append(15), full(alpha))[1]
    )
    screen = Screen(problem)
    alpha = problem.admit(problem.residual(np.zeros((len(y), 1))))
    penalty = ElasticNetPenalty(1.01 * np.abs(X.T @ alpha).max())
    screen.correlations(alpha, penalty)
    screen.correlations(alpha * (1 - 1e-6), penalty)
    assert looked == [15, 0]
