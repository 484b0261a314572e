r"""The certificate: a lower bound on the optimum from any primal point.

From the residual α at a primal point, made feasible, and the penalty's conjugate,
:math:`D = -L^*(-t\alpha) - \Omega^*(tX^\top\alpha)` with the largest scale t ≤ 1 for which it is finite. The gap P − D
bounds the suboptimality of the point; the best D seen so far stays valid, and any other vector may stand for α.
"""

from typing import NamedTuple

from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty
from laconic.core.problem import Problem


class DualCandidate(NamedTuple):
    """A residual that the dual admits, and its correlations Xᵀα: what a bound is made from, for any penalty."""

    residual: Array
    correlations: Array


class Certificate(NamedTuple):
    """Objective, its lower bound, and the correlations Xᵀα that both need."""

    objective: float
    dual_objective: float
    correlations: Array


def certify(problem: Problem, penalty: Penalty, W: Array, F: Array) -> Certificate:
    """Return objective and bound at weights ``W`` with margins ``F``; one pass over the data."""
    alpha = problem.admit(problem.residual(F))
    candidate = DualCandidate(alpha, problem.correlations(alpha))
    objective = problem.loss_value(F) + penalty.value(W)
    return Certificate(objective, lower_bound(problem, penalty, candidate), candidate.correlations)


def lower_bound(problem: Problem, penalty: Penalty, candidate: DualCandidate) -> float:
    """Return the bound that a candidate gives, −inf for none."""
    point = penalty.dual(candidate.correlations)
    if point.scale <= 0.0:
        return float("-inf")
    return problem.dual_value(point.scale * candidate.residual) - point.value
