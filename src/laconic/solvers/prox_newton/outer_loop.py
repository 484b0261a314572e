r"""The outer loop of proximal Newton, shared by one output and softmax.

Each round: certify the point (one pass over all features); stop by the relative gap; minimise a quadratic model of the
loss plus the penalty over a working set; where the step led to less than predicted, shorten it, and where that is not
enough, add curvature to the model and minimise again: per document, just what makes its quadratic an upper bound where
the last step led, so a few very long documents do not slow down all others. The intercept is minimised out exactly.
(Friedman et al. 2010; Yuan, Ho & Lin 2012; Massias et al. 2018.)
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.core.interruption import check
from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty, cut
from laconic.core.problem import InMemoryProblem
from laconic.core.solution import Solution, Step, nonzero_rows
from laconic.kernels._compile import announce_compilation
from laconic.kernels.linear.columns import column_curvatures
from laconic.solvers.certificate import DualCandidate, lower_bound
from laconic.solvers.warm_path import Point, Trail
from laconic.solvers.warm_start import start_point, zero_point

MAX_MODELS = 30
LOOSE, FINE = 0.1, 1e-6
NEAR = 1e-2
SHARE = 0.5
STEADY = 0.05  # of the relative gap: models of several outputs are not minimised more exactly
CONSTANT = 1e-12  # of a column's square is what rounding leaves of it when its mean is taken away
STEPS = tuple(0.5**i for i in range(16))
UNPENALISED = (
    "There is no certificate: features that no penalty reaches (there are {}), being in no group while λ₁ = λ₂ = 0, "
    "admit no dual point up to rounding; put them into groups or give them a small l1 or l2."
)


class Model(Protocol):
    """A quadratic model at one point, and the step that minimises it."""

    @property
    def residual(self) -> Array:
        """The residual that the model predicts at its minimum."""

    @property
    def Z(self) -> Array:
        """The change of the margins."""

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Minimise with ``damping`` per document, to accuracy ``theta`` or until the dual point loses ``allowed``."""

    def loss_changes(self) -> tuple[Array, Array]:
        """Return the linear and the quadratic part of each document's predicted change, without the damping."""

    def penalty_change(self, W: Array, t: float) -> float:
        """Return the change of the penalty by a step of length ``t``."""

    def apply(self, W: Array, b: Array, t: float) -> None:
        """Write a step of length ``t`` into weights and intercept."""


def solve_proximal(
    problem: InMemoryProblem,
    penalty: Penalty,
    model_at: Callable[[Array, Array, Array], Model],
    start: Solution | None,
    tol: float,
    max_iter: int,
    trail: Trail | None = None,
    free: NDArray[np.bool_] | None = None,
) -> Solution:
    """Minimise a loss plus a penalty with a closed conjugate to a relative duality gap; ``trail`` grows by this."""
    # Dual points must be orthogonal to features without a penalty, ``free``, which rounding prevents: the fit then
    # stops by an estimate of the gap and when a step gains no more than ``tol``, and has no certificate.
    announce_compilation()
    trail = Trail(problem) if trail is None else trail
    begin = trail.begin(penalty)
    if begin is not None:
        point, candidate, likely = begin
        # From one point of a path to the next a single round is enough, if its model is minimised as well as the bound
        # needs it: after one round the primal point is far better than asked for, and only the dual one would lag.
        # Several outputs bend too much for that.
        progress = FINE if problem.n_outputs == 1 else 1.0
    else:
        point = start_point(problem, penalty, start) or zero_point(problem, penalty)
        candidate, progress = None, 1.0

    def candidate_from(residual: Array) -> DualCandidate:
        alpha = problem.admit(residual)
        # What pulls towards a side that a weight may not take is no reason to move it.
        C = cut(trail.screen.correlations(alpha, penalty), penalty.sides)
        return DualCandidate(alpha, C if free is None else np.where(free[:, None], 0.0, C))

    def raised(best: float, candidate: DualCandidate) -> float:
        value = lower_bound(problem, penalty, candidate)
        if free is None:
            return max(best, value)
        # An estimate, so older ones count no more: what free weights like the point's, or a step away, would gain.
        C = np.abs(problem.correlations(candidate.residual)[free])
        return value - float((C * (np.abs(point.W[free]) + C / squares_of_free)).sum())

    if candidate is None:
        candidate = candidate_from(problem.residual(point.F))
        likely = candidate.correlations
    squares_of_free = np.empty(0) if free is None else _squares_of(free, problem)
    best_dual = raised(-np.inf, candidate)
    # Of several outputs, little progress may mean a step that was cut short, far from the optimum.
    steady = 0.0 if problem.n_outputs == 1 else STEADY
    trace: list[Step] = []
    damping = np.zeros(problem.n_samples)
    while True:
        check()
        trace.append(Step(point.objective, best_dual, len(nonzero_rows(point.W))))
        relative = _relative(point.objective, best_dual)
        if free is not None:
            relative = max(relative, progress)
        if relative <= tol or len(trace) > max_iter:
            break
        # The nearer the optimum, the more exactly the model is minimised.
        theta = float(np.clip(max(min(relative, progress), steady * relative), FINE, LOOSE))
        model = model_at(point.W, point.F, likely)
        for _ in range(MAX_MODELS):
            model.minimise(damping, theta, SHARE * tol * point.objective)
            linear, quadratic = model.loss_changes()
            squares = problem.weight * (model.Z * model.Z).sum(axis=1)
            for t in STEPS:
                moved = point.F + t * model.Z
                change = problem.loss_values(moved) - point.values
                predicted = t * linear + t * t * quadratic
                enough = _decreases(change, predicted, model.penalty_change(point.W, t), point.objective)
                if enough:
                    break
            wanted = _missing_curvature(change - predicted, t * t * squares)
            if enough or not np.any(2.0 * wanted > damping):
                break
            damping = np.maximum(damping, 2.0 * wanted)
        if not enough:
            break
        damping = 0.5 * wanted if problem.n_outputs == 1 else 0.0 * wanted
        before = point.objective
        model.apply(point.W, point.b, t)
        point = Point(problem, penalty, point.W, point.b, moved)
        progress = (before - point.objective) / before if before > 0.0 else 0.0
        # Where the model was minimised well, the residual it predicts is feasible on the working set almost exactly,
        # which that of the new point is not yet: its bound is about one round ahead.
        if t == 1.0 and progress <= NEAR:
            candidate = candidate_from(model.residual)
            best_dual = raised(best_dual, candidate)
        if _relative(point.objective, best_dual) > tol:
            candidate = candidate_from(problem.residual(point.F))
            best_dual = raised(best_dual, candidate)
        likely = candidate.correlations
    trail.add(penalty, point, candidate, valid=free is None)
    objective, message = trace[-1].objective, ""
    if free is not None:
        best_dual, message = -np.inf, UNPENALISED.format(int(free.sum()))
        trace = [step._replace(dual_objective=best_dual) for step in trace]
    # A common shift of all classes changes nothing: centred intercepts make the answer one.
    b = point.b if problem.n_outputs == 1 else point.b - point.b.mean()
    return Solution(point.W, b, objective, best_dual, relative <= tol, len(trace) - 1, tuple(trace), (), message)


def working_set(c: Array, l1: Array, support: NDArray[np.bool_], largest: int = 500) -> NDArray[np.intp]:
    """Return the support and the worst violators of |x_jᵀα| ≤ λ₁: as many, 500, or a sixteenth up to ``largest``."""
    excess = np.abs(c) - l1
    violators = np.flatnonzero((excess > 0.0) & ~support)
    room = max(500, min(len(violators) // 16, largest), int(support.sum()))
    if len(violators) > room:
        violators = violators[np.argpartition(excess[violators], -room)[-room:]]
    return np.sort(np.concatenate([np.flatnonzero(support), violators]))


def _squares_of(free: NDArray[np.bool_], problem: InMemoryProblem) -> Array:
    """Return a quarter of the squares of free columns, infinite where the intercept does all that one can."""
    squares, sums = np.empty((2, np.count_nonzero(free)))
    column_curvatures(*problem.columns(np.flatnonzero(free)), np.ones(problem.n_samples), squares, sums)
    centred = squares - problem.fit_intercept * sums**2 / problem.n_samples
    return np.where(centred > CONSTANT * squares, 0.25 * centred, np.inf)[:, None]


def _relative(objective: float, bound: float) -> float:
    return (objective - bound) / objective if objective > 0.0 else 0.0


def _missing_curvature(short: Array, squares: Array) -> Array:
    """Return, per document, the curvature that would have made its quadratic an upper bound where the step led."""
    return np.divide(2.0 * np.maximum(short, 0.0), squares, out=np.zeros_like(squares), where=squares > 1e-12)


def _decreases(change: Array, predicted: Array, penalty_change: float, objective: float) -> bool:
    """Say whether the objective fell by a fair part of what the model predicted, as far as rounding lets one see."""
    got, wanted = float(change.sum()) + penalty_change, float(predicted.sum()) + penalty_change
    return got <= 0.25 * min(wanted, 0.0) + 1e-14 * objective
