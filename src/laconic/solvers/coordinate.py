"""Proximal Newton for losses of one output and an l1 part: coordinate descent on the quadratic model."""

from functools import partial
from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.core.solution import Solution
from laconic.kernels.coordinate import accumulate, column_curvatures, descend
from laconic.solvers.proximal import solve_proximal, working_set
from laconic.solvers.support import step_on_support

needs = frozenset({"columns"})


def solve_coordinate(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimise a loss of one output plus an elastic net with λ₁ > 0; parameters as in ``solve_proximal``."""
    return solve_proximal(problem, penalty, partial(_Model, problem, penalty), start, tol, max_iter)


class _Model:
    """The model of one output at one point, and the step that minimises it."""

    def __init__(self, problem: Any, penalty: Any, l1: Array, W: Array, F: Array, C: Array) -> None:
        self.problem = problem
        self.J = working_set(C[:, 0], l1, W[:, 0] != 0.0)
        self.penalty, self.l1 = penalty.restrict(self.J), l1[self.J]
        self.columns = problem.columns(self.J)
        self.old = W[self.J, 0]
        self.alpha, self.h = problem.residual(F)[:, 0], problem.curvature(F)[:, 0]

    def minimise(self, damping: Array, theta: float) -> None:
        """Minimise over the working set, from the weights the model was made at."""
        h, free = self.h + self.problem.weight * damping, self.problem.fit_intercept
        self.new, r = self.old.copy(), self.alpha.copy()
        QuadraticModel(self.columns, h, self.l1, self.penalty.l2, free).minimise(self.new, r, theta)
        self.move = float(r.sum() / h.sum()) if free and h.any() else 0.0
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
