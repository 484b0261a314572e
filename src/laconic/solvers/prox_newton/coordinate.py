"""Proximal Newton for losses of one output and an l1 part: coordinate descent on the quadratic model."""

from functools import partial
from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.core.sign_constraints import Sides, sides_of
from laconic.core.solution import Solution
from laconic.kernels.linear.columns import accumulate, column_curvatures, correlate
from laconic.kernels.linear.coordinate import descend
from laconic.solvers.prox_newton.outer_loop import solve_proximal, working_set
from laconic.solvers.prox_newton.support_step import SupportStep
from laconic.solvers.warm_path import Trail

FIRST = 1000  # words of a first working set: with 500, weak penalties took four rounds more
SWEEPS = 2  # in a row, before a step on the support
ROUGH = 1e-3  # a model minimised no better than this is not checked by a last sweep: the certificate does that
MAX_STEPS = 50

needs = frozenset({"columns", "column_norms", "column_sizes"})


def solve_coordinate(
    problem: Any,
    penalty: Any,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise a loss of one output plus an elastic net with λ₁ > 0 or λ₂ > 0; parameters as in ``solve_proximal``."""
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    model_at = partial(_Model, problem, penalty, l1, sides_of(penalty, problem.n_features, 1)[:, 0])
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail)


class _Model:
    """The model of one output at one point, and the step that minimises it."""

    def __init__(self, problem: Any, penalty: Any, l1: Array, sides: Sides, W: Array, F: Array, C: Array) -> None:
        self.problem = problem
        self.J = working_set(C[:, 0], l1, W[:, 0] != 0.0, FIRST)
        self.penalty, self.l1, self.sides = penalty.restrict(self.J), l1[self.J], sides[self.J]
        self.columns = problem.columns(self.J)
        self.old = W[self.J, 0]
        self.alpha, self.h = problem.residual(F)[:, 0], problem.curvature(F)[:, 0]
        self.size = max(float(np.abs(self.old).sum()), 1e-300)

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Minimise over the working set, from the weights the model was made at."""
        h, free = self.h + self.problem.weight * damping, self.problem.fit_intercept
        self.new, r = self.old.copy(), self.alpha.copy()
        # Slopes off by this much let the residual violate |x_jᵀα| ≤ λ₁ so little that no more than allowed is lost.
        slack = allowed / self.size
        model = QuadraticModel(self.columns, h, self.l1, self.penalty.l2, free, self.sides)
        model.minimise(self.new, r, theta, slack)
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
        return self.penalty.value(self._weights(t)) - self.penalty.value(self.old)

    def apply(self, W: Array, b: Array, t: float) -> None:
        """Write a step of length ``t`` into weights and intercept."""
        W[self.J, 0] = self._weights(t)
        b += t * self.move

    def _weights(self, t: float) -> Array:
        return self.new if t == 1.0 else self.old + t * (self.new - self.old)


class QuadraticModel:
    """The model −α·z + ½ zᵀHz + Σ λ₁|w| + Σ λ₂w² of one output over some columns; λ₂ may be one number for all."""

    def __init__(self, columns: Any, h: Array, l1: Array, l2: float | Array, free: bool, sides: Sides) -> None:
        self.columns, self.h, self.l1, self.sides = columns, h, l1, sides
        self.l2 = np.full(len(l1), l2)
        self.total = float(h.sum())
        self.free = free and self.total > 0.0
        self.curvature, self.weight = np.empty(len(l1)), np.empty(len(l1))
        column_curvatures(*columns, h, self.curvature, self.weight)

    def minimise(self, w: Array, r: Array, theta: float, slack: float) -> None:
        """Sweep, with Newton steps on the support when sweeps crawl; ``w`` and residual ``r`` change in place."""
        gained, done = 0.0, False
        step = SupportStep(theta, slack)
        for _ in range(MAX_STEPS):
            gained, done = self.sweep(w, r, gained, theta, slack)
            if done:
                break
            gained += self._step_on_support(w, r, step)
            if theta >= ROUGH:
                break

    def sweep(self, w: Array, r: Array, gained: float, theta: float, slack: float) -> tuple[float, bool]:
        """Sweep a few times; return all gained, ``gained`` before it, and whether sweeping came to rest."""
        parts = self.l1, self.l2, self.sides, self.curvature, self.weight, self.free
        return descend(*self.columns, self.h, r, w, *parts, gained, theta, slack, SWEEPS)

    def _step_on_support(self, w: Array, r: Array, step: SupportStep) -> float:
        """Move all nonzero weights at once towards the model's minimum; return by how much the model fell."""
        A = np.flatnonzero(w)
        columns, here, hx, ridge = self.columns.take(A), w[A], self.weight[A], 2.0 * self.l2[A]
        z, slope = np.empty(len(self.h)), np.empty(len(A))

        def product(d: Array, out: Array) -> None:
            z[:] = 0.0
            accumulate(*columns, d, z)
            np.multiply(z, self.h, out=z)
            correlate(*columns, z, out)
            if self.free:
                out -= (z.sum() / self.total) * hx
            if ridge.any():
                out += ridge * d

        correlate(*columns, r, slope)
        diagonal = self.curvature[A]
        if self.free:
            slope -= (r.sum() / self.total) * hx
            diagonal = np.maximum(diagonal - hx * hx / self.total, 1e-12 * diagonal)
        slope -= ridge * here + self.l1[A] * np.sign(here)
        move, fallen = step(here, slope, product, diagonal + ridge)
        if fallen > 0.0:
            w[A] = here + move
            z[:] = 0.0
            accumulate(*columns, move, z)
            r -= self.h * z
        return fallen
