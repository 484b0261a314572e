"""A loss is one class: a pseudo-Huber loss, defined here, is fitted with a certificate, in memory and in partitions."""

from dataclasses import dataclass
from typing import ClassVar

import cvxpy as cp
import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.losses import OneOutput
from laconic.core.penalties import ElasticNetPenalty, group_penalty
from laconic.core.problem import LinearProblem
from laconic.partitions.block import Block
from laconic.partitions.passes import Candidate, Documents, Terms, Weights, begin, dual_point
from laconic.solvers.dispatch import solve


@dataclass(frozen=True)
class PseudoHuber(OneOutput):
    """√(1 + (y − f)²) − 1: quadratic near the target, linear far from it; its conjugate is finite for |α| ≤ s."""

    name: ClassVar[str] = "pseudo_huber"
    steepest: ClassVar[float] = 1.0

    def values(self, y, F):
        return np.sqrt(1.0 + (y - F[:, 0]) ** 2) - 1.0

    def residual(self, y, F, s):
        r = y - F[:, 0]
        return (s * r / np.sqrt(1.0 + r * r))[:, None]

    def curvature(self, y, F, s):
        return (s * (1.0 + (y - F[:, 0]) ** 2) ** -1.5)[:, None]

    def dual_value(self, y, alpha, s):
        a = np.clip(alpha[:, 0] / s, -1.0, 1.0)
        return float(s @ (a * y - 1.0 + np.sqrt(1.0 - a * a)))

    def admit(self, y, alpha, s):
        return np.clip(alpha, -s[:, None], s[:, None])


def data():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.5, (60, 12)).astype(float)
    y = X[:, 0] - 2.0 * X[:, 1] + 0.3 * rng.standard_t(1.5, 60) + 1.0
    return X, y, rng.uniform(0.5, 2.0, 60)


PENALTIES = {
    "lasso": ElasticNetPenalty(2.0),
    "ridge": ElasticNetPenalty(0.0, 0.5),
    "disjoint": group_penalty(Groups.from_lists([range(6), range(6, 12)], 12), 2.0, 0.5),
    "overlapping": group_penalty(Groups.from_lists([range(7), range(5, 12)], 12), 2.0, 0.5),
}


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kind", PENALTIES)
def test_it_is_fitted_to_its_optimum(kind, fit_intercept):
    X, y, s = data()
    penalty = PENALTIES[kind]
    solution = solve(LinearProblem(X, PseudoHuber().encode(y), PseudoHuber(), s, fit_intercept), penalty, tol=1e-8)
    assert solution.relative_gap <= 1e-8

    w, b = cp.Variable(12), cp.Variable() if fit_intercept else 0.0
    lengths = cp.norm(cp.vstack([np.ones(60), y - X @ w - b]), axis=0)
    groups = getattr(penalty, "groups", ())
    norms = sum(d * cp.norm(w[groups.members(g)]) for g, d in enumerate(getattr(penalty, "radii", ())))
    size = penalty.l1 * cp.norm1(w) + penalty.l2 * cp.sum_squares(w) + norms
    twin = cp.Problem(cp.Minimize(s @ (lengths - 1.0) + size)).solve(solver=cp.CLARABEL)
    assert solution.objective == pytest.approx(twin, rel=1e-6)
    assert solution.dual_objective <= twin * (1.0 + 1e-7)


def test_partitions_take_its_labels_for_target_values():
    X, y, _ = data()
    problem, weights = (
        LinearProblem(X, y, PseudoHuber()),
        Weights(np.array([0, 3]), np.array([[0.5], [-1.0]]), np.ones(1)),
    )
    W = np.zeros((12, 1))
    W[[0, 3]] = weights.values
    F = problem.margins(W, weights.intercept)
    alpha = problem.residual(F)
    terms, blocks = Terms(PseudoHuber()), [Block.of(X[:25], y[:25]), Block.of(X[25:], y[25:])]
    losses, totals, *_ = (
        sum(part) for part in zip(*(begin(Documents(block, terms), weights) for block in blocks), strict=True)
    )
    assert losses == pytest.approx(problem.loss_value(F))
    candidate = Candidate(weights, None, totals)
    C, value, _ = (
        sum(part) for part in zip(*(dual_point(Documents(block, terms), candidate) for block in blocks), strict=True)
    )
    np.testing.assert_allclose(C, problem.correlations(problem.admit(alpha)), atol=1e-12)
    assert value == pytest.approx(problem.dual_value(problem.admit(alpha)))
