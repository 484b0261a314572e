r"""The certified solver for norms of overlapping groups: working sets around an augmented Lagrangian.

.. math:: P(w, b) = \sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_2\|w\|^2 + \sum_g \rho_g\|w_g\|

with λ₁ as groups of one entry. Every point comes with dual variables :math:`\xi_g` in their balls
:math:`\|\xi_g\| \le \rho_g`. With the residual α and what they leave of its correlations,
:math:`r = X^\top\alpha - \sum_g \xi_g`, the bound is :math:`-L^*(-\alpha) - \|r\|^2/4\lambda_2`, or, without a ridge,
:math:`-L^*(-\alpha/t)` where t is the factor by which the balls must grow to hold ξ and r spread over them.

A round: 1. balls that are not full take up r of the features outside the working set, block by block; the gap is
computed; 2. features whose r is not taken up join the working set; 3. on it, where most groups have become equal to
others, the augmented Lagrangian is followed until its own gap is a fraction of the last one (``augmented.py``).
Weights in groups whose copy is zero, that is, whose dual variable is inside its ball, are zero.

A weight that may take one side of zero only has one more copy, on that side, with a multiplier of its own (its cone);
where r pulls towards the other side nothing need hold it, so that in the bound such r is zero.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import NEITHER, cut, sides_of
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty
from laconic.core.problem import InMemoryProblem
from laconic.core.solution import Solution, Step
from laconic.solvers.overlapping.augmented_lagrangian import Cones, Lagrangian, Point
from laconic.solvers.overlapping.balls import Balls, Restriction
from laconic.solvers.overlapping.memory import OverlappingMemory
from laconic.solvers.overlapping.reweighted import approach
from laconic.solvers.overlapping.slices import Slice, entries
from laconic.solvers.prox_newton.coordinate import solve_coordinate
from laconic.solvers.warm_start import start_point

FIRST, FASTER = 1000.0, 3.0  # κ at the start for cells near one, and its growth
LARGEST = 1e8  # times the first is the largest κ
BACK = 100.0  # how much smaller κ becomes where no step lowers φ: rounding is about κ times what it should be
HARD = 15  # Newton steps for one κ, from which on it does not grow
ROUGH, FINE = 0.9, 1e-2  # relative gap of the lasso at the start, where something follows it and where nothing does
WORTH = 0.01  # relative gain from which on a reweighted start is better than what the last solve left
SHARE = 0.3  # of the last gap is what a working set is solved to
ROOM = 200  # features may join at least, in one round
WHOLE = 0.8  # of all features in the working set: then all may join
IDLE = 3
EXACT, COARSE, FORCING = 0.03, 1e-3, 0.3
LOSS = 0.3  # share of the gap that the slope of φ may cause at the end of a minimisation
SEPARATED = (
    "The loss went to zero: features that no penalty reaches (there are {}) fit all documents, and no optimum exists. "
    "Give l1 or l2 a value above 0, or put all features into groups."
)
DUST = 0.01  # times √tol, relative to the largest: weights this small are zero if the gap stays small enough


class _Best(NamedTuple):
    """The best weights so far, on the working set or on all features."""

    w: Array
    b: Array
    objective: float


def solve_overlapping(
    problem: InMemoryProblem,
    penalty: GroupedPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 2000,
    memory: OverlappingMemory | None = None,
) -> Solution:
    """Minimise a loss plus λ₁‖W‖₁ + λ₂‖W‖² + λ_g Σ_g d_g‖W_g‖ for any groups, from ``memory`` rather than ``start``."""
    if not tol > 0.0:
        raise ValueError(f"tol is {tol}; the relative duality gap to stop at must be a number above 0, e.g. 1e-6.")
    if problem.n_features != penalty.groups.n_features:
        raise ValueError(
            f"The groups are over {penalty.groups.n_features} features, the problem has {problem.n_features}; "
            "build the groups for the features of this problem."
        )
    return _Solver(problem, penalty, tol, max_iter).run(start, memory)


class _Solver:
    """The state of one solve: dual variables of all balls, κ, bounds."""

    def __init__(self, problem: InMemoryProblem, penalty: GroupedPenalty, tol: float, max_iter: int) -> None:
        self.problem, self.penalty, self.l2 = problem, penalty, penalty.l2
        self.tol, self.max_iter = tol, max_iter
        self.n_outputs: int = problem.n_outputs
        self.balls = Balls.of(penalty, self.n_outputs)
        self.reach = self.balls.reach()
        self.l1 = np.full(problem.n_features, penalty.l1, dtype=np.float64)
        sides = sides_of(penalty.sides, problem.n_features, self.n_outputs)
        self.sides, self.banned = sides.ravel(), np.all(sides == NEITHER, axis=1)
        self.cone = np.zeros(len(self.sides))
        bare = ~self.banned & (self.reach.reshape(-1, self.n_outputs)[:, 0] == 0.0)
        self.free = np.flatnonzero(bare) if self.l2 == 0.0 else np.zeros(0, dtype=np.intp)
        self._refuse_unpenalised()
        zero = np.zeros((problem.n_samples, problem.n_outputs))
        self.loss_of_zero = problem.loss_value(zero + problem.intercept(zero)) if len(self.free) else 0.0
        norms = problem.column_norms()
        self.scale = np.where(self.reach > 0.0, self.reach, np.repeat(np.maximum(norms, 1e-300), self.n_outputs))
        cells = float(problem.column_sizes().sum())
        # σ_g w_g is to be of the size of ρ_g, and weights are of the size of one over the cells.
        self.kappa = FIRST * (np.sqrt(float(norms @ norms) / cells) or 1.0 if cells else 1.0)
        self.smallest, self.largest = self.kappa, LARGEST * self.kappa
        self.rows: NDArray[np.intp] | None = None  # the last working set, that of the two that follow
        self.restriction: Restriction
        self.lagrangian: Lagrangian
        self.steps = self.products = 0
        self.dual = -np.inf
        self.trace: list[Step] = []

    def _refuse_unpenalised(self) -> None:
        n, free = self.problem.n_samples, len(self.free)
        if free and self.n_outputs > 1:
            raise ValueError(
                f"{free} features have no penalty at all (in no group, l1 = l2 = 0), which overlapping groups with "
                "several classes do not allow. Give l1 or l2 a value above 0, or put all features into groups."
            )
        if free >= n:
            raise ValueError(
                f"{free} features have no penalty at all (in no group, l1 = l2 = 0), and there are {n} documents: with "
                "as many such features no optimum need exist. Give l1 or l2 a value above 0."
            )

    def run(self, start: Solution | None, memory: OverlappingMemory | None) -> Solution:
        """Go round until the gap is small enough, steps run out, or nothing moves any more."""
        problem, balls, K = self.problem, self.balls, self.n_outputs
        w, b, xi = self._begin(start, memory)
        F = problem.margins(w.reshape(-1, K), b)
        shift = problem.intercept(F)
        b, F = b + shift, F + shift
        inside = np.any(w.reshape(-1, K) != 0.0, axis=1)
        inside[self.free] = True
        best = _Best(w, b, problem.loss_value(F) + balls.value(w) + self.l2 * float(w @ w))
        last, idle = best, 0
        while True:
            rest = self._certify(F, xi, inside)
            gap = self._relative(best.objective)
            self.trace.append(Step(best.objective, self.dual, int(np.any(best.w.reshape(-1, K), axis=1).sum())))
            if gap <= self.tol or self.steps >= self.max_iter or idle > IDLE:
                break
            more = self._violators(rest, inside)
            inside |= more
            J = entries(np.flatnonzero(inside), K)
            before = self.steps
            target = 0.1**idle * max(SHARE * min(gap, 1.0), 0.5 * self.tol)
            point, on_set, at_end, restriction = self._solve_on(np.flatnonzero(inside), J, w, F, b, xi, target)
            w = self._spread(point.w, J)
            F, b = point.F, point.b
            if idle:
                # Balls with room on the working set seem to hold its r, but not once others have taken up that room.
                alpha = self._dual_point(F)[0]
                restriction.balls.absorb(self.problem.correlations(alpha).ravel()[J] - point.cone, point.xi)
            restriction.up(point.xi, xi)
            last = at_end._replace(w=self._spread(at_end.w, J))
            if on_set.objective <= best.objective:
                best = on_set._replace(w=self._spread(on_set.w, J))
            # A round without steps may still have moved ξ, so only several in a row say that nothing moves any more.
            idle = 0 if self.steps > before or more.any() else idle + 1
        if self._relative(last.objective) <= self.tol:
            best = last  # the point that ξ belongs to: groups inside their balls are zero in it
        return self._answer(best, w, xi, memory)

    def _begin(self, start: Solution | None, memory: OverlappingMemory | None) -> tuple[Array, Array, Array]:
        """Return weights, intercept and dual variables to start from."""
        left = memory.recall(self.penalty.groups, self.balls) if memory is not None else None
        first = left or self._first(start)
        if first is None:
            return np.zeros(self.balls.n_entries), np.zeros(self.n_outputs), np.zeros(len(self.balls.indices))
        w, b = cut(first[0], self.sides), first[1]
        left = left and (w, b, left[2])
        if self.n_outputs == 1 and w.any() and self._mild():
            near = approach(self.problem, self.balls, self.l1, self.l2, self.sides, w, b)
            # Where little is gained, what the dual variables of the last solve know is worth more.
            if left is None or near.gained > WORTH:
                return near.w, near.b, self.balls.start(near.w)
        return (w, b, self.balls.start(w)) if left is None else left

    def _first(self, start: Solution | None) -> tuple[Array, Array] | None:
        """Return weights and intercept of a start, of a lasso where there is none, or None for zero weights."""
        point = start_point(self.problem, self.penalty, start)
        if point is not None:
            return point.W.ravel(), point.b
        lasso = None if self.n_outputs > 1 or self._zero_may_be_best() else self._lasso()
        return None if lasso is None else (lasso.weights.ravel(), lasso.intercept)

    def _zero_may_be_best(self) -> bool:
        """Say whether no single feature is worth its penalty at zero weights."""
        F = np.zeros((self.problem.n_samples, self.n_outputs))
        c = self.problem.correlations(self.problem.residual(F + self.problem.intercept(F))).ravel()
        return bool(np.all(np.abs(cut(c, self.sides)) <= self.reach))

    def _mild(self) -> bool:
        """Say whether all words have a λ₁, and one above that of the typical group."""
        radii = self.penalty.radii
        return bool(len(radii) and self.l1.min() > 0.0 and self.l1.min() >= np.median(radii))

    def _lasso(self) -> Solution | None:
        """Return a lasso as a start where it is near: where λ₁ outweighs the typical group, or words are in none."""
        if self._mild():
            return self._solve_lasso(self.l1, ROUGH)
        if not self.l1.min(initial=np.inf) > 0.0 or np.all(self.reach > self.l1):
            return None
        # Words in no group are seen by λ₁ alone, and the others by all that they are in.
        return self._solve_lasso(self.reach, FINE)

    def _solve_lasso(self, l1: Array, tol: float) -> Solution:
        return solve_coordinate(self.problem, ElasticNetPenalty(l1, self.l2, self.sides), tol=tol)

    def _answer(self, best: _Best, w: Array, xi: Array, memory: OverlappingMemory | None) -> Solution:
        best = self._dusted(best)
        if memory is not None:
            memory.keep(self.penalty.groups, self.balls, best.w, best.b, xi, w)
        # Losses and norms are never negative, so zero is a bound too.
        self.dual = max(self.dual, 0.0) if np.isfinite(self.dual) else self.dual
        gap = self._relative(best.objective)
        b = best.b if self.n_outputs == 1 else best.b - best.b.mean()
        message = SEPARATED.format(len(self.free)) if self._vanishes(best.objective, self.dual) else ""
        return Solution(
            best.w.reshape(-1, self.n_outputs),
            b,
            best.objective,
            self.dual,
            gap <= self.tol and not message,
            self.steps,
            tuple(self.trace),
            message=message,
        )

    def _dusted(self, best: _Best) -> _Best:
        """Set weights that are nothing but rounding to zero, where the gap allows it."""
        w = np.where(np.abs(best.w) <= DUST * np.sqrt(self.tol) * np.abs(best.w).max(initial=0.0), 0.0, best.w)
        if np.count_nonzero(w) == np.count_nonzero(best.w):
            return best
        F = self.problem.margins(w.reshape(-1, self.n_outputs), best.b)
        shift = self.problem.intercept(F)
        b = best.b + shift
        objective = self.problem.loss_value(F + shift) + self.balls.value(w) + self.l2 * float(w @ w)
        return _Best(w, b, objective) if self._relative(objective) <= self.tol else best

    def _spread(self, w: Array, J: NDArray[np.intp]) -> Array:
        full = np.zeros(self.balls.n_entries)
        full[J] = w
        return full

    def _certify(self, F: Array, xi: Array, inside: NDArray[np.bool_]) -> Array:
        """Let balls take up what is outside the working set, raise the bound, and return what they leave."""
        alpha, admitted = self._dual_point(F)
        c = self.problem.correlations(alpha).ravel()
        held = np.repeat(inside, self.n_outputs)
        c = np.where(held, c, cut(c, self.sides))
        r = self.balls.take_up(c, xi, held, 1e-3 * self.tol * float(np.abs(c).max(initial=0.0)))
        r = cut(r, self.sides)
        if admitted:
            self.dual = max(self.dual, self._bound(alpha, r, self.balls, xi, self.reach))
        return r

    def _bound(self, alpha: Array, r: Array, balls: Balls, xi: Array, reach: Array) -> float:
        r = np.where(reach > 0.0, r, 0.0) if len(self.free) else r  # α was made to leave nothing there
        factor = max(1.0, balls.growth(r, xi, reach))
        bound = self.problem.dual_value(alpha / factor) if np.isfinite(factor) else -np.inf
        if self.l2 > 0.0:
            bound = np.fmax(bound, self.problem.dual_value(alpha) - float(r @ r) / (4.0 * self.l2))
        return float(bound) if np.isfinite(bound) else -np.inf

    def _dual_point(self, F: Array) -> tuple[Array, bool]:
        """Return a residual near that at ``F``, and whether it is orthogonal to all columns without a penalty."""
        problem = self.problem
        alpha = problem.admit(problem.residual(F))
        if not len(self.free):
            return alpha, True
        part = Slice(problem, self.free)
        Z = np.hstack([part.margins(one) for one in np.eye(len(self.free))])
        Z = np.hstack([Z, np.full((problem.n_samples, 1), float(problem.fit_intercept))])
        # Weighted by the curvature, a small correction keeps probabilities between 0 and 1.
        root = np.sqrt(problem.curvature(F))
        fixed = alpha
        for _ in range(2):
            step = np.linalg.lstsq(root * Z, fixed / np.maximum(root, 1e-150), rcond=None)[0]
            fixed = fixed - root * (root * (Z @ step))
        legal = np.allclose(problem.loss.admit(problem.y, fixed, problem.weight), fixed, rtol=0.0, atol=1e-15)
        size = np.abs(Z.T @ fixed).max() / (np.abs(Z).sum(axis=0).max() * np.abs(fixed).max() + 1e-300)
        return (fixed, True) if legal and size <= 1e-13 else (alpha, False)

    def _violators(self, rest: Array, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the features outside the working set with most left, at most as many as there are inside."""
        shape = -1, self.n_outputs
        size = np.where(inside, 0.0, np.abs(rest).reshape(shape).max(axis=1))
        found = size > 0.05 * self.tol * self.reach.reshape(shape).min(axis=1)
        room = max(ROOM, int(inside.sum()))
        if np.count_nonzero(found) > room:
            found &= size >= np.partition(size, -room)[-room]
        if np.count_nonzero(found | inside) > WHOLE * len(inside):
            return np.asarray(~inside & ~self.banned)
        return np.asarray(found)

    def _solve_on(
        self, rows: NDArray[np.intp], J: NDArray[np.intp], w: Array, F: Array, b: Array, xi: Array, target: float
    ) -> tuple[Point, _Best, _Best, Restriction]:
        """Follow the augmented Lagrangian on a working set until its own relative gap is at most ``target``."""
        if self.rows is None or not np.array_equal(rows, self.rows):
            self.rows, self.restriction = rows, Restriction(self.balls, J)
            cones = Cones(self.sides[J], self.scale[J], self.cone[J])
            parts = Slice(self.problem, rows), self.restriction.balls
            self.lagrangian = Lagrangian(self.problem, *parts, self.l2, cones)
        restriction, lagrangian, scale = self.restriction, self.lagrangian, self.scale[J]
        balls, part = restriction.balls, lagrangian.part
        lagrangian.start(self.cone[J])
        reach = balls.reach()
        xi = restriction.down(xi)
        point = lagrangian.at(w[J], F, b, xi, self.kappa)
        best, dual, fell = self._primal(lagrangian, point), -np.inf, True
        while True:
            first = lagrangian.steps
            while True:
                alpha, admitted = self._dual_point(point.F)
                r = cut(self._left(part, point, alpha, balls), self.sides[J])
                bound = self._bound(alpha, r, balls, point.xi, reach) if admitted else -np.inf
                dual = max(dual, bound)
                here = self._primal(lagrangian, point)
                best = min(best, here, key=lambda found: found.objective)
                gap = self._relative(best.objective, dual)
                done = gap <= target or self.steps + lagrangian.steps >= self.max_iter
                missing = float(np.max(np.abs(point.slope) / scale, initial=0.0))
                # Where features without a penalty keep all bounds infinite, the loss says how small its slope is to be,
                # and what was asked for, which is less and less where nothing moves.
                share = best.objective / self.loss_of_zero if self.loss_of_zero > 0.0 else 1.0
                far = gap if np.isfinite(gap) else min(share, target)
                wanted = np.clip(EXACT * far, 0.03 * self.tol, COARSE)
                if not done and lagrangian.steps > first and missing <= COARSE:
                    # Where the slope of φ costs the bound little, only another ξ and a larger κ bring it nearer.
                    lost = self.problem.dual_value(alpha) - bound
                    cheap = np.isfinite(bound) and lost <= LOSS * (best.objective - bound)
                    if cheap or missing <= wanted:
                        break
                if done:
                    break
                slack = max(FORCING * missing, 0.3 * wanted) * scale
                point, fell = lagrangian.step(point, xi, self.kappa, min(0.1, max(1e-3, missing)), slack)
                if not fell:
                    break
            if not fell:
                self.kappa = max(self.kappa / BACK, self.smallest)
            if done or not fell:
                break
            xi, lagrangian.cones = point.xi, lagrangian.cones.at(point.cone)
            if lagrangian.steps - first <= HARD:
                self.kappa = min(FASTER * self.kappa, self.largest)
            point = lagrangian.at(point.w, point.F, point.b, xi, self.kappa)
        self.cone[J] = point.cone
        self.steps += lagrangian.steps
        self.products += lagrangian.products
        return point, best, here, restriction

    def _left(self, part: Slice, point: Point, alpha: Array, balls: Balls) -> Array:
        """Return Xᵀα − Σ ξ on a working set; where α is the residual, the slope of φ has it already."""
        if len(self.free):
            return part.correlations(alpha) - balls.total(point.xi)
        return 2.0 * self.l2 * point.w - point.slope + point.cone

    def _primal(self, lagrangian: Lagrangian, point: Point) -> _Best:
        """Return a point with exact zeros in every group whose copy is zero, and the best intercept for it."""
        problem = self.problem
        w, F = lagrangian.cleaned(point)
        b = point.b + problem.intercept(F + point.b)
        objective = problem.loss_value(F + b) + lagrangian.balls.value(w) + self.l2 * float(w @ w)
        return _Best(w, b, objective)

    def _relative(self, objective: float, dual: float | None = None) -> float:
        dual = self.dual if dual is None else dual
        settled = objective <= 0.0 or self._vanishes(objective, dual)
        return 0.0 if settled else (objective - dual) / objective

    def _vanishes(self, objective: float, dual: float) -> bool:
        """Say whether features without a penalty bring the loss to zero, where no relative gap ever closes."""
        return not dual > 0.0 and 0.0 < objective <= self.tol * self.loss_of_zero
