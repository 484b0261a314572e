r"""Proximal Newton with coordinate descent on a working set, for losses of one output and penalties with an l1 part.

Each round: certify the point (one pass over all features); stop by the relative gap; take as working set J the support
and the features that violate optimality most; minimise a quadratic model of the loss plus the penalty over J by
coordinate descent; where the step led to less than it foretold, shorten it, and where that is not enough, bend the
model and minimise again. The intercept is minimised out exactly. (Friedman et al. 2010; Yuan, Ho & Lin 2012; Massias et
al. 2018.)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.solution import Solution, Step
from laconic.kernels._compile import announce_compilation
from laconic.kernels.coordinate import accumulate, column_curvatures, descend
from laconic.solvers.certificate import certify
from laconic.solvers.support import step_on_support

needs = frozenset({"columns"})

MAX_MODELS = 30
STEPS = tuple(0.5**i for i in range(16))


def solve_coordinate(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimise the problem's loss plus an elastic net with λ₁ > 0.

    Parameters
    ----------
    problem : LinearProblem
        Of one output; must offer ``columns``.
    penalty : ElasticNetPenalty
    start : Solution, optional
        Where to start; zero weights without it.
    tol : float
        Relative duality gap to stop at.
    max_iter : int
        Newton steps at most.
    """
    announce_compilation()
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    W = np.zeros((problem.n_features, 1)) if start is None else start.weights.copy()
    b = np.zeros(1) if start is None else start.intercept.copy()
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
        trace.append(Step(objective, best_dual, int(np.count_nonzero(W))))
        relative = relative_gap(objective, best_dual)
        converged = relative <= tol
        if converged or len(trace) > max_iter:
            break
        J = working_set(C, l1, W[:, 0] != 0.0)
        alpha, h = problem.residual(F)[:, 0], problem.curvature(F)[:, 0]
        old, part = W[J, 0], penalty.restrict(J)
        before, penalty_before = problem.loss_values(F), part.value(old)
        for _ in range(MAX_MODELS):
            bent = h + problem.weight * damping
            new, move, z = minimise_model(problem, J, l1[J], penalty.l2, old, bent, alpha, forcing(relative))
            for t in STEPS:
                weights, tz = (new if t == 1.0 else old + t * (new - old)), t * z
                moved = F + tz[:, None]
                change = problem.loss_values(moved) - before
                foretold = tz * (0.5 * h * tz - alpha)
                enough = decreases(change, foretold, part.value(weights) - penalty_before, objective)
                if enough:
                    break
            wanted = missing_curvature(change - foretold, problem.weight * tz * tz)
            if enough:
                break
            damping = np.maximum(damping, 2.0 * wanted)
        else:
            break
        damping = 0.5 * wanted
        W[J, 0] = weights
        b, F = b + t * move, moved
    return Solution(W, b, objective, best_dual, converged, len(trace) - 1, tuple(trace))


def relative_gap(objective: float, dual: float) -> float:
    """Return (P − D)/P, zero where the objective is zero."""
    return (objective - dual) / objective if objective > 0.0 else 0.0


def forcing(relative: float) -> float:
    """Return how exactly the next model is minimised: the more so, the nearer the optimum."""
    return float(np.clip(relative, 1e-6, 1e-2))


def missing_curvature(short: Array, squares: Array) -> Array:
    """Return, per document, the curvature that would have made its quadratic an upper bound where the step led.

    ``short`` is how much more the loss changed than foretold, ``squares`` the weighted squared length of the move.
    Bending only these documents keeps a few very long ones from shortening the step of all others.
    """
    return np.divide(2.0 * np.maximum(short, 0.0), squares, out=np.zeros_like(squares), where=squares > 1e-12)


def decreases(change: Array, foretold: Array, penalty_change: float, objective: float) -> bool:
    """Say whether the objective fell by a fair part of what the model foretold, as far as rounding lets one see."""
    got, wanted = float(change.sum()) + penalty_change, float(foretold.sum()) + penalty_change
    return got <= 0.25 * wanted + 1e-14 * objective


def working_set(C: Array, l1: Array, support: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the support and the features that violate |x_jᵀα| ≤ λ₁ most, at most as many again (and 500)."""
    excess = np.abs(C[:, 0]) - l1
    violators = np.flatnonzero((excess > 0.0) & ~support)
    room = max(500, int(support.sum()))
    if len(violators) > room:
        violators = violators[np.argpartition(excess[violators], -room)[-room:]]
    return np.sort(np.concatenate([np.flatnonzero(support), violators]))


def minimise_model(
    problem: Any, J: NDArray[np.intp], l1: Array, l2: float, w: Array, h: Array, alpha: Array, theta: float
) -> tuple[Array, float, Array]:
    """Minimise the quadratic model over the weights ``w`` of J; return them, the intercept's and the margins' move."""
    columns = problem.columns(J)
    new, r = w.copy(), alpha.copy()
    QuadraticModel(columns, h, l1, l2, problem.fit_intercept).minimise(new, r, theta)
    move = float(r.sum() / h.sum()) if problem.fit_intercept and h.any() else 0.0
    z = np.full(problem.n_samples, move)
    accumulate(*columns, new - w, z)
    return new, move, z


class QuadraticModel:
    """The model −α·z + ½ zᵀHz + λ₁‖w‖₁ + λ₂‖w‖² of one output over some columns."""

    def __init__(self, columns: Any, h: Array, l1: Array, l2: float, free: bool) -> None:
        self.columns, self.h, self.l1, self.l2, self.free = columns, h, l1, l2, free
        self.curvature, self.weight = np.empty(len(l1)), np.empty(len(l1))
        column_curvatures(*columns, h, self.curvature, self.weight)
        # A step on the support costs about Σ (words in a document)², a sweep Σ (words in a document), each some five
        # times as dear because it jumps about in memory: sweep as long as that is less work.
        words = np.bincount(columns.indices)
        self.sweeps = int(np.clip((words @ words) / max(1, 5 * len(columns.indices)), 15, 1000))

    def minimise(self, w: Array, r: Array, theta: float, rounds: int = 50) -> float:
        """Sweep, with Newton steps on the support when sweeps crawl; ``w`` and residual ``r`` change in place."""
        gained, done = 0.0, False
        for _ in range(rounds):
            bends = self.curvature, self.weight, self.free
            gained, done = descend(*self.columns, self.h, r, w, self.l1, self.l2, *bends, gained, theta, self.sweeps)
            if done:
                break
            gained += step_on_support(self.columns, self.h, r, w, self.l1, self.l2, self.free)
        return gained
