r"""The outer loop of proximal Newton, shared by one output and softmax.

Each round: certify the point (one pass over all features); stop by the relative gap; minimise a quadratic model of the
loss plus the penalty over a working set; where the step led to less than it foretold, shorten it, and where that is not
enough, bend the model and minimise again. The curvature added is per document: just what makes its quadratic an upper
bound where the last step led, so a few very long documents do not slow down all others. The intercept is minimised out
exactly. (Friedman et al. 2010; Yuan, Ho & Lin 2012; Massias et al. 2018.)
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.solution import Solution, Step
from laconic.kernels._compile import announce_compilation
from laconic.solvers.certificate import certify, lower_bound

MAX_MODELS = 30
LOOSE = 0.1
NEAR = 1e-2
STEPS = tuple(0.5**i for i in range(16))


class Model(Protocol):
    """A quadratic model at one point, and the step that minimises it."""

    residual: Array
    """The residual that the model foretells at its minimum."""

    @property
    def Z(self) -> Array:
        """The change of the margins."""

    def minimise(self, damping: Array, theta: float) -> None:
        """Minimise the model with the curvature ``damping`` added per document, to relative accuracy ``theta``."""

    def loss_changes(self) -> tuple[Array, Array]:
        """Return the linear and the quadratic part of each document's foretold change, without the damping."""

    def penalty_change(self, W: Array, t: float) -> float:
        """Return the change of the penalty by a step of length ``t``."""

    def apply(self, W: Array, b: Array, t: float) -> None:
        """Write a step of length ``t`` into weights and intercept."""


def solve_proximal(
    problem: Any,
    penalty: Any,
    model_at: Callable[[Array, Array, Array, Array], Model],
    start: Solution | None,
    tol: float,
    max_iter: int,
) -> Solution:
    """Minimise the problem's loss plus an elastic net with λ₁ > 0.

    Parameters
    ----------
    problem : LinearProblem
        Must offer ``columns``.
    penalty : ElasticNetPenalty
    model_at : callable
        Makes the model from λ₁ per feature, weights, margins and correlations Xᵀα.
    start : Solution, optional
        Where to start; zero weights without it.
    tol : float
        Relative duality gap to stop at.
    max_iter : int
        Newton steps at most.
    """
    announce_compilation()
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    W = np.zeros((problem.n_features, problem.n_outputs)) if start is None else start.weights.copy()
    b = np.zeros(problem.n_outputs) if start is None else start.intercept.copy()
    F = problem.margins(W, b)
    best_dual = -np.inf
    trace: list[Step] = []
    converged = False
    damping = np.zeros(problem.n_samples)
    for _ in range(max_iter + 1):
        shift = problem.intercept(F)
        b, F = b + shift, F + shift
        objective, dual, C = certify(problem, penalty, W, F)
        best_dual = max(best_dual, dual)
        trace.append(Step(objective, best_dual, int(np.any(W != 0.0, axis=1).sum())))
        relative = (objective - best_dual) / objective if objective > 0.0 else 0.0
        converged = relative <= tol
        if converged or len(trace) > max_iter:
            break
        # The nearer the optimum, the more exactly the model is minimised.
        progress = (trace[-2].objective - objective) / objective if len(trace) > 1 else 1.0
        theta = float(np.clip(min(relative, progress), 1e-6, LOOSE))
        model = model_at(l1, W, F, C)
        before = problem.loss_values(F)
        for _ in range(MAX_MODELS):
            model.minimise(damping, theta)
            linear, quadratic = model.loss_changes()
            squares = problem.weight * (model.Z * model.Z).sum(axis=1)
            for t in STEPS:
                moved = F + t * model.Z
                change = problem.loss_values(moved) - before
                foretold = t * linear + t * t * quadratic
                enough = _decreases(change, foretold, model.penalty_change(W, t), objective)
                if enough:
                    break
            wanted = _missing_curvature(change - foretold, t * t * squares)
            if enough:
                break
            damping = np.maximum(damping, 2.0 * wanted)
        else:
            break
        if t == 1.0 and progress <= NEAR:
            # Where the model was minimised well, its own residual is feasible on the working set almost exactly, which
            # the next point's is not yet: its bound is about one round ahead.
            best_dual = max(best_dual, lower_bound(problem, penalty, model.residual)[0])
        damping = 0.5 * wanted
        model.apply(W, b, t)
        F = moved
    return Solution(W, b, objective, best_dual, converged, len(trace) - 1, tuple(trace))


def working_set(c: Array, l1: Array, support: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the support and the features that violate |x_jᵀα| ≤ λ₁ most, at most as many again (and 500)."""
    excess = np.abs(c) - l1
    violators = np.flatnonzero((excess > 0.0) & ~support)
    room = max(500, int(support.sum()))
    if len(violators) > room:
        violators = violators[np.argpartition(excess[violators], -room)[-room:]]
    return np.sort(np.concatenate([np.flatnonzero(support), violators]))


def _missing_curvature(short: Array, squares: Array) -> Array:
    """Return, per document, the curvature that would have made its quadratic an upper bound where the step led.

    ``short`` is how much more the loss changed than foretold, ``squares`` the weighted squared length of the move.
    """
    return np.divide(2.0 * np.maximum(short, 0.0), squares, out=np.zeros_like(squares), where=squares > 1e-12)


def _decreases(change: Array, foretold: Array, penalty_change: float, objective: float) -> bool:
    """Say whether the objective fell by a fair part of what the model foretold, as far as rounding lets one see."""
    got, wanted = float(change.sum()) + penalty_change, float(foretold.sum()) + penalty_change
    return got <= 0.25 * wanted + 1e-14 * objective
