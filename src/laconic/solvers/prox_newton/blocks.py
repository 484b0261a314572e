r"""Proximal Newton for disjoint groups: block coordinate descent on the quadratic model, and Newton steps.

.. math:: \sum_i s_i\ell_i + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2 + \lambda_g\sum_g d_g\|w_g\|_2

The working set is made of groups: the nonzero ones and those that violate
:math:`\|S(X_g^\top\alpha, \lambda_1)\| \le \lambda_g d_g` most. Two sweeps over them find which are nonzero
(``laconic.kernels.linear.blocks``), then all of these move at once (``laconic.solvers.prox_newton.group_step``). The
conjugate is closed, so
the duality gap is exact. (Yuan & Lin 2006; Simon et al. 2013.)
"""

from functools import partial
from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.core.solution import Solution
from laconic.kernels.linear.blocks import bound_blocks, descend_blocks
from laconic.kernels.linear.columns import accumulate, correlate
from laconic.solvers.prox_newton.group_step import SmoothStep
from laconic.solvers.prox_newton.layout import Blocks, free_features
from laconic.solvers.prox_newton.outer_loop import solve_proximal
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.solvers.warm_path import Trail

SWEEPS = 2  # in a row, before a step on the nonzero groups
ROUGH = 1e-3  # a model minimised no better than this is not checked by a last sweep: the certificate does that
MAX_STEPS = 50

needs = frozenset({"columns", "column_norms", "column_sizes"})


def solve_blocks(
    problem: Any,
    penalty: Any,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise a loss plus a penalty on disjoint groups.

    Parameters
    ----------
    problem : LinearProblem
        Must offer ``columns``.
    penalty : GroupPenalty
        Features in no group have only λ₁ and λ₂.
    start : Solution, optional
        Where to start; zero weights without it.
    tol : float
        Relative duality gap to stop at.
    max_iter : int
        Newton steps at most.
    trail : Trail, optional
        Of earlier solves on the same problem: gives a better start than ``start``, and grows by this solve.
    """
    if not problem.loss.scalar_curvature:
        return solve_tree(problem, penalty, start, tol, max_iter, trail)
    blocks = Blocks(penalty)
    model_at = partial(_Model, problem, penalty, blocks)
    free = free_features(penalty)
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail, free)


class _Model:
    """The model of one output at one point, and the step that minimises it."""

    def __init__(self, problem: Any, penalty: Any, blocks: Blocks, W: Array, F: Array, C: Array) -> None:
        self.problem, self.penalty = problem, penalty
        self.part = blocks.working_set(C, W)
        self.columns = problem.columns(self.part.features)
        self.old = W[self.part.features, 0]
        self.alpha, self.h = problem.residual(F)[:, 0], problem.curvature(F)[:, 0]

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Minimise over the working set, from the weights the model was made at."""
        h, free = self.h + self.problem.weight * damping, self.problem.fit_intercept
        self.new, r = self.old.copy(), self.alpha.copy()
        slack = allowed / max(self.part.norm(self.old), 1e-300)
        BlockModel(self.columns, h, self.part, self.penalty.l2, free).minimise(self.new, r, theta, slack)
        self.move = float(r.sum() / h.sum()) if free and h.any() else 0.0
        self.residual = (r - h * self.move)[:, None]
        z = np.full(self.problem.n_samples, self.move)
        accumulate(*self.columns, self.new - self.old, z)
        self.Z = z[:, None]

    def loss_changes(self) -> tuple[Array, Array]:
        """Return the linear and the quadratic part of each document's foretold change, without the damping."""
        z = self.Z[:, 0]
        return -self.alpha * z, 0.5 * self.h * z * z

    def penalty_change(self, W: Array, t: float) -> float:
        """Return the change of the penalty by a step of length ``t``."""
        new, l2 = self._weights(t), self.penalty.l2
        return self.part.norm(new) - self.part.norm(self.old) + l2 * float(new @ new - self.old @ self.old)

    def apply(self, W: Array, b: Array, t: float) -> None:
        """Write a step of length ``t`` into weights and intercept."""
        W[self.part.features, 0] = self._weights(t)
        b += t * self.move

    def _weights(self, t: float) -> Array:
        return self.new if t == 1.0 else self.old + t * (self.new - self.old)


class BlockModel:
    """The model −α·z + ½ zᵀHz + λ₁‖w‖₁ + λ₂‖w‖² + Σ ρ_b‖w_b‖ of one output over some blocks of columns."""

    def __init__(self, columns: Any, h: Array, part: Any, l2: float, free: bool) -> None:
        self.columns, self.h, self.part, self.l2 = columns, h, part, l2
        self.total = float(h.sum())
        self.free = free and self.total > 0.0
        n = len(part.features)
        self.curvature, self.weight, self.bound = np.empty(n), np.empty(n), np.empty(n)

    def minimise(self, w: Array, r: Array, theta: float, slack: float) -> None:
        """Sweep, with Newton steps on the nonzero blocks; ``w`` and residual ``r`` change in place."""
        step, gained = SmoothStep(theta), 0.0
        bound_blocks(*self.columns, self.part.ends, self.h, self.curvature, self.weight, self.bound)
        for _ in range(MAX_STEPS):
            gained, done = self._sweep(w, r, gained, theta, slack)
            if done:
                break
            gained += self._step(w, r, step, slack)
            if theta >= ROUGH:
                break

    def _sweep(self, w: Array, r: Array, gained: float, theta: float, slack: float) -> tuple[float, bool]:
        part, ridge = self.part, np.full(len(w), 2.0 * self.l2)
        levels = part.radii, part.levels, part.l1, np.ascontiguousarray(part.sides[:, 0]), ridge
        bends = self.bound, self.weight, self.free
        return descend_blocks(*self.columns, part.ends, self.h, r, w, *levels, *bends, gained, theta, slack, SWEEPS)

    def _step(self, w: Array, r: Array, step: SmoothStep, slack: float) -> float:
        """Move all nonzero blocks at once towards the model's minimum; return by how much the model fell."""
        keep = self.part.smooth(w)
        A = np.flatnonzero(keep)
        columns, here, hx = self.columns.take(A), w[A], self.weight[A]
        z, slope = np.empty(len(self.h)), np.empty(len(A))

        def product(d: Array, out: Array) -> None:
            z[:] = 0.0
            accumulate(*columns, d, z)
            np.multiply(z, self.h, out=z)
            correlate(*columns, z, out)
            if self.free:
                out -= (z.sum() / self.total) * hx
            if self.l2 > 0.0:
                out += 2.0 * self.l2 * d

        correlate(*columns, r, slope)
        diagonal = self.curvature[A]
        if self.free:
            slope -= (r.sum() / self.total) * hx
            diagonal = np.maximum(diagonal - hx * hx / self.total, 1e-12 * diagonal)
        slope -= 2.0 * self.l2 * here
        norms = self.part.norms_at(here, keep)
        diagonal = diagonal + 2.0 * self.l2
        levels = self.part.l1[A], slack * self.part.tolerances[A], self.part.sides[A, 0] != 0
        move, fallen = step(here, slope, product, diagonal, norms, *levels)
        if fallen > 0.0:
            w[A] = here + move
            z[:] = 0.0
            accumulate(*columns, move, z)
            r -= self.h * z
        return fallen
