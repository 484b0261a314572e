r"""Proximal Newton for groups that are nested or disjoint, and for any such groups with several outputs.

.. math:: \sum_i s_i\ell_i + \lambda_1\|W\|_1 + \lambda_2\|W\|_2^2 + \lambda_g\sum_g d_g\|W_g\|_F

On the quadratic model over a working set three kinds of steps take turns. Zero groups enter along the prox of their
norms at the slopes, the exact test of whether zero is optimal for them (Jenatton et al. 2010), with a length that is
safe for all of them at once. Block coordinate descent (``laconic.kernels.linear.blocks``) moves groups that hold no
other, and may set them to zero, while norms of nonzero groups around them are bounded by the quadratics that touch
them. A Newton step moves all of them together, and sets groups that would pass zero to zero
(``laconic.solvers.prox_newton.group_step``). The conjugate is exact, by the projection onto the tree's dual set.
"""

from functools import partial

import numpy as np

from laconic.core.losses import Array
from laconic.core.penalties.base import NEITHER
from laconic.core.penalties.group import GroupedPenalty
from laconic.core.problem import Columns, InMemoryProblem
from laconic.core.solution import Solution
from laconic.kernels.linear.blocks import Curvatures, bound_blocks, descend_blocks, descend_rows
from laconic.kernels.linear.columns import accumulate, column_curvatures, correlate
from laconic.kernels.linear.softmax import bend_softmax
from laconic.solvers.prox_newton.forest import Forest
from laconic.solvers.prox_newton.group_step import SmoothStep
from laconic.solvers.prox_newton.layout import Part, free_features
from laconic.solvers.prox_newton.one_output import ROUGH, SWEEPS
from laconic.solvers.prox_newton.outer_loop import solve_proximal
from laconic.solvers.warm_path import Trail

MAX_ROUNDS = 50
CERTAIN = 1e-12


def solve_tree(
    problem: InMemoryProblem,
    penalty: GroupedPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise a loss plus a penalty on groups that are nested or disjoint; parameters as in ``solve_blocks``."""
    forest = Forest.of(penalty, problem.n_outputs)
    model_at, free = partial(_Model, problem, penalty, forest), free_features(penalty)
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail, free)


class _Model:
    """The model at one point, and the step that minimises it; margins and residuals have one row an output."""

    def __init__(
        self, problem: InMemoryProblem, penalty: GroupedPenalty, forest: Forest, W: Array, F: Array, C: Array
    ) -> None:
        self.problem, self.l2 = problem, penalty.l2
        free = (forest.l1 == 0.0) & ~forest.covered & np.any(forest.sides != NEITHER, axis=1)
        self.J = np.flatnonzero(W.any(axis=1) | forest.rise(C, W).any(axis=1) | free)
        self.forest, order, self.cells = forest.cut(self.J).by_cells()
        self.J = self.J[order]
        self.columns = problem.columns(self.J)
        self.old = W[self.J]
        self.alpha = np.ascontiguousarray(problem.residual(F).T)
        self.curvature = _Curvature(problem, F)
        # What slopes may be off by is measured in levels; a feature without a penalty takes the smallest of a group.
        self.levels = np.where(self.forest.l1 > 0, self.forest.l1, self.forest.radii.min(initial=1.0))
        of_free = (self.levels[:, None] * np.abs(self.old))[free[self.J]].sum()
        self.size = max(self.forest.norm(self.old) + float(of_free), 1e-300)

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Let groups enter, sweep, and step on all that is nonzero, in turns."""
        K = self.problem.n_outputs
        self.new, self.moves, self.Zt = self.old.copy(), np.zeros(K), np.zeros_like(self.alpha)
        self.curvature.damp(damping)
        self.diagonals = np.empty((K, len(self.J)))
        rest = np.empty(len(self.J))
        for k in range(K):
            column_curvatures(*self.columns, self.curvature.diagonal(k), self.diagonals[k], rest)
        gained, step = 0.0, SmoothStep(theta)
        slack = allowed / self.size * self.levels
        for turn in range(MAX_ROUNDS):
            entered = self._enter()
            gain = entered + self._sweep()
            gained += gain
            if turn > 0 and gain <= theta * gained:
                break
            fall = self._step(step, slack)
            gained += fall
            # A step that leaves slopes as flat as asked for ends it, unless groups came in: they are steeper.
            if theta >= ROUGH or (entered == 0.0 and (fall == 0.0 or step.settled)):
                break
        self.residual = self._residual().T

    def _residual(self) -> Array:
        return self.alpha - self.curvature.times(self.Zt.copy())

    def _enter(self) -> float:
        """Let groups that are zero enter; return by how much the model fell at least."""
        forest, R = self.forest, self._residual()
        C = np.empty((len(self.J), len(R)))
        for k, r in enumerate(R):
            C[:, k] = self._correlate(self.columns, r)
        p = forest.rise(C, self.new)
        tops = forest.tops(self.new)
        p[tops < 0] = 0.0
        which = np.flatnonzero(p.any(axis=1))
        if not len(which):
            return 0.0
        columns, p, tops = self.columns.take(which), p[which], tops[which]
        ends, bound, rest = np.array([0, len(which)]), np.empty(len(which)), np.empty((2, len(which)))
        curvature = np.zeros(len(which))
        for k in range(len(R)):
            bound_blocks(*columns, ends, self.curvature.majoriser(k), *rest, bound)
            curvature += bound * p[:, k] ** 2
        squares = np.einsum("jk,jk->j", p, p)
        curvature += squares * (forest.pull(self.new)[0][which] + 2.0 * self.l2)
        # One length for every largest zero group: all its weights leave zero along the prox.
        _, place = np.unique(tops, return_inverse=True)
        total = np.bincount(place, weights=squares)
        lengths = total / np.maximum(np.bincount(place, weights=curvature), 1e-300)
        move = lengths[place, None] * p
        self.new[which] = move
        for k in range(len(R)):
            accumulate(*columns, np.ascontiguousarray(move[:, k]), self.Zt[k])
        return 0.5 * float(lengths @ total)

    def _sweep(self) -> float:
        """Sweep over the cells whose other groups are nonzero; return what the last sweep gained at least."""
        pull, zero = self.forest.pull(self.new)
        live = np.flatnonzero(~zero)
        part = self.cells.take(live, ~zero)
        columns, w = self.columns.take(live), self.new[live]
        old, ridge = w.copy(), pull[live] + 2.0 * self.l2
        if self.curvature.scalar:
            shift, gain = self._sweep_one(columns, part, w, ridge)
        else:
            gain = self._sweep_rows(columns, part, w, ridge)
            shift = np.zeros(w.shape[1])
        self.new[live] = w
        for k in range(w.shape[1]):
            accumulate(*columns, np.ascontiguousarray(w[:, k] - old[:, k]), self.Zt[k])
        self._shift(shift)
        if not self.curvature.scalar and self.problem.fit_intercept:
            self._shift(self.curvature.best_shift(self._residual().sum(axis=1)))
        return gain

    def _sweep_one(self, columns: Columns, part: Part, w: Array, ridge: Array) -> tuple[Array, float]:
        h, r, fit_intercept = self.curvature.diagonal(0), self._residual()[0], self.problem.fit_intercept
        n = len(w)
        curvature, weight, bound = np.empty(n), np.empty(n), np.empty(n)
        bound_blocks(*columns, part.ends, h, curvature, weight, bound)
        flat = w[:, 0].copy()
        parts = part.with_ridge(ridge, part.sides[:, 0]), Curvatures(h, bound, weight), r, flat, fit_intercept
        gain, _ = descend_blocks(*columns, *parts, 0.0, 0.0, 0.0, SWEEPS)
        w[:, 0] = flat
        return np.array([r.sum() / h.sum() if fit_intercept and h.any() else 0.0]), gain

    def _sweep_rows(self, columns: Columns, part: Part, w: Array, ridge: Array) -> float:
        n, K = w.shape
        d, rest, bound = np.empty((n, K)), np.empty((2, n)), np.empty(n)
        for k in range(K):
            bound_blocks(*columns, part.ends, self.curvature.majoriser(k), *rest, bound)
            d[:, k] = bound
        P, R = np.ascontiguousarray(self.curvature.h.T), np.ascontiguousarray(self._residual().T)
        documents = P, self.problem.weight, self.curvature.damping
        gain: float = descend_rows(*columns, part.with_ridge(ridge, part.sides), *documents, d, R, w, SWEEPS)
        return gain

    def _shift(self, shift: Array) -> None:
        self.Zt += shift[:, None]
        self.moves += shift

    def _correlate(self, columns: Columns, r: Array) -> Array:
        out = np.empty(len(columns.start))
        correlate(*columns, r, out)
        return out

    def _step(self, step: SmoothStep, slack: Array) -> float:
        """Move all weights of nonzero groups, and the intercepts, at once; return by how much the model fell."""
        K, fit_intercept = len(self.alpha), self.problem.fit_intercept
        keep = self.forest.smooth(self.new)
        A = np.flatnonzero(keep.any(axis=1))
        columns, inside = self.columns.take(A), keep[A]
        size = int(keep.sum())
        full = np.zeros((len(A), K))

        def gather(R: Array, out: Array) -> None:
            for k in range(K):
                full[:, k] = self._correlate(columns, R[k])
            out[:size] = full[inside]
            if fit_intercept:
                out[size:] = R.sum(axis=1)

        def spread(d: Array, Z: Array) -> None:
            full[:] = 0.0
            full[inside] = d[:size]
            for k in range(K):
                accumulate(*columns, np.ascontiguousarray(full[:, k]), Z[k])
            if fit_intercept:
                Z += d[size:, None]

        def product(d: Array, out: Array) -> None:
            Z = np.zeros_like(self.alpha)
            spread(d, Z)
            gather(self.curvature.times(Z), out)
            out[:size] += 2.0 * self.l2 * d[:size]
            if K > 1:
                # A common shift of all intercepts changes nothing; with a curvature of its own it stays at zero.
                out[size:] += d[size:].sum()

        unknowns = size + (K if fit_intercept else 0)
        here, l1, slope, limits = np.zeros(unknowns), np.zeros(unknowns), np.empty(unknowns), np.empty(unknowns)
        here[:size] = self.new[keep]
        l1[:size] = np.broadcast_to(self.forest.l1[:, None], keep.shape)[keep]
        limits[:size] = np.broadcast_to(slack[:, None], keep.shape)[keep]
        limits[size:] = slack.max(initial=0.0)
        gather(self._residual(), slope)
        slope[:size] -= 2.0 * self.l2 * here[:size]
        diagonal = np.empty(unknowns)
        diagonal[:size] = self.diagonals.T[keep] + 2.0 * self.l2
        diagonal[size:] = [self.curvature.diagonal(k).sum() + (K > 1) for k in range(K if fit_intercept else 0)]
        held = np.zeros(unknowns, dtype=bool)
        held[:size] = self.forest.sides[keep] != 0
        norms = self.forest.norms_at(self.new, keep)
        move, fall = step(here, slope, product, diagonal, norms, l1, limits, held)
        if fall > 0.0:
            self.new[keep] += move[:size]
            spread(move, self.Zt)
            if fit_intercept:
                self.moves += move[size:]
        return fall

    @property
    def Z(self) -> Array:
        return self.Zt.T

    def loss_changes(self) -> tuple[Array, Array]:
        self.curvature.damp(np.zeros(self.problem.n_samples))
        product = self.curvature.times(self.Zt.copy())
        return -(self.alpha * self.Zt).sum(axis=0), 0.5 * (product * self.Zt).sum(axis=0)

    def penalty_change(self, W: Array, t: float) -> float:
        new = self._weights(t)
        ridge = self.l2 * float(np.vdot(new, new) - np.vdot(self.old, self.old))
        return self.forest.norm(new) - self.forest.norm(self.old) + ridge

    def apply(self, W: Array, b: Array, t: float) -> None:
        W[self.J] = self._weights(t)
        b += t * self.moves

    def _weights(self, t: float) -> Array:
        return self.new if t == 1.0 else self.old + t * (self.new - self.old)


class _Curvature:
    """The loss's second derivatives over margins of shape (outputs, documents), with curvature added per document."""

    def __init__(self, problem: InMemoryProblem, F: Array) -> None:
        self.s, self.scalar = problem.weight, problem.loss.scalar_curvature
        self.h = np.ascontiguousarray(problem.curvature(F).T)
        self.damp(np.zeros(problem.n_samples))

    def damp(self, damping: Array) -> None:
        """Set the curvature added per document."""
        # Of documents that are all but certain, rounding is all that one would see of softmax's own curvature.
        self.damping = damping if self.scalar else np.maximum(damping, CERTAIN)

    def diagonal(self, k: int) -> Array:
        """Return the curvature of output ``k`` alone."""
        p = self.h[k]
        return np.asarray(self.s * self.damping + (p if self.scalar else self.s * p * (1.0 - p)))

    def majoriser(self, k: int) -> Array:
        """Return an upper bound on the curvature that is a sum over outputs: the absolute row sums."""
        p = self.h[k]
        return np.asarray(self.s * self.damping + (p if self.scalar else 2.0 * self.s * p * (1.0 - p)))

    def times(self, Z: Array) -> Array:
        """Turn Z into the curvature times Z, in place, and return it."""
        if self.scalar:
            Z *= self.h + self.s * self.damping
        else:
            bend_softmax(self.h, self.s, self.damping, Z)
        return Z

    def best_shift(self, total: Array) -> Array:
        """Return the shift of all margins that takes residuals that sum to ``total`` to zero."""
        mass = (self.s * self.h).sum(axis=1)
        H = np.diag(mass) - (self.s * self.h) @ self.h.T + np.eye(len(mass)) * float(self.s @ self.damping)
        return np.asarray(np.linalg.lstsq(H, total, rcond=None)[0], dtype=np.float64)
