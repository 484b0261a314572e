r"""The certificate: a lower bound on the optimum from any primal point.

From the residual α at a primal point, made feasible, and the penalty's conjugate,
:math:`D = -L^*(-t\alpha) - \Omega^*(tX^\top\alpha)` with the largest scale t ≤ 1 for which it is finite. The gap P − D
bounds the suboptimality of the point; the best D seen so far stays valid, and any other vector may stand for α.
"""

from typing import Any, NamedTuple

from laconic.core.losses import Array


class Certificate(NamedTuple):
    """Objective, its lower bound, and the correlations Xᵀα that both need."""

    objective: float
    dual_objective: float
    correlations: Array


def certify(problem: Any, penalty: Any, W: Array, F: Array) -> Certificate:
    """Return objective and bound at weights ``W`` with margins ``F``; one pass over the data."""
    bound, C = lower_bound(problem, penalty, problem.residual(F))
    return Certificate(problem.loss_value(F) + penalty.value(W), bound, C)


def lower_bound(problem: Any, penalty: Any, alpha: Array) -> tuple[float, Array]:
    """Return the bound that any vector near a residual gives, and its correlations; one pass over the data."""
    alpha = problem.admit(alpha)
    C = problem.correlations(alpha)
    point = penalty.dual(C)
    if point.scale <= 0.0:
        return float("-inf"), C
    return problem.dual_value(point.scale * alpha) - point.value, C
