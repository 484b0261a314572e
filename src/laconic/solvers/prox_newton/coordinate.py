"""Proximal Newton for losses of one output and an l1 part: coordinate descent on the quadratic model."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import Sides, sides_of
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import Columns, InMemoryProblem
from laconic.core.solution import Solution
from laconic.kernels.linear.blocks import descend
from laconic.kernels.linear.columns import column_curvatures
from laconic.solvers.prox_newton.one_output import SWEEPS, OneOutputModel, Quadratic
from laconic.solvers.prox_newton.outer_loop import solve_proximal, working_set
from laconic.solvers.prox_newton.support_step import Product, SupportStep
from laconic.solvers.warm_path import Trail

FIRST = 1000  # words of a first working set: with 500, weak penalties took four rounds more


def solve_coordinate(
    problem: InMemoryProblem,
    penalty: ElasticNetPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise a loss of one output plus an elastic net with λ₁ > 0 or λ₂ > 0; parameters as in ``solve_proximal``."""
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    model_at = partial(_Model, problem, penalty, l1, sides_of(penalty.sides, problem.n_features, 1)[:, 0])
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail)


class _Model(OneOutputModel):
    """The model over the words with a weight and those that violate |x_jᵀα| ≤ λ₁ most."""

    def __init__(
        self,
        problem: InMemoryProblem,
        penalty: ElasticNetPenalty,
        l1: Array,
        sides: Sides,
        W: Array,
        F: Array,
        C: Array,
    ) -> None:
        super().__init__(problem, working_set(C[:, 0], l1, W[:, 0] != 0.0, FIRST), W, F)
        self.penalty, self.l1, self.sides = penalty.restrict(self.J), l1[self.J], sides[self.J]

    def _quadratic(self, h: Array, allowed: float) -> tuple[Quadratic, float]:
        fit_intercept = self.problem.fit_intercept
        quadratic = QuadraticModel(self.columns, h, self.l1, self.penalty.l2, fit_intercept, self.sides)
        # Slopes off by this much let the residual violate |x_jᵀα| ≤ λ₁ so little that no more than allowed is lost.
        return quadratic, allowed / max(float(np.abs(self.old).sum()), 1e-300)

    def penalty_change(self, W: Array, t: float) -> float:
        return self.penalty.value(self._weights(t)) - self.penalty.value(self.old)


class QuadraticModel(Quadratic):
    """A quadratic model with Σ λ₁|w|, minimised by coordinate descent and Newton steps on the support."""

    def __init__(
        self, columns: Columns, h: Array, l1: Array, l2: float | Array, fit_intercept: bool, sides: Sides
    ) -> None:
        super().__init__(columns, h, l2, fit_intercept)
        self.l1, self.sides = l1, sides
        self.curvature, self.weight = np.empty(len(l1)), np.empty(len(l1))
        column_curvatures(*columns, h, self.curvature, self.weight)

    def minimise(self, w: Array, r: Array, theta: float, slack: float) -> None:
        self._support_step = SupportStep(theta, slack)
        super().minimise(w, r, theta, slack)

    def sweep(self, w: Array, r: Array, gained: float, theta: float, slack: float) -> tuple[float, bool]:
        parts = self.l1, self.l2, self.sides, self.curvature, self.weight, self.fit_intercept
        reached: tuple[float, bool] = descend(*self.columns, self.h, r, w, *parts, gained, theta, slack, SWEEPS)
        return reached

    def _movable(self, w: Array) -> NDArray[np.bool_]:
        return np.asarray(w != 0.0)

    def _pull(self, A: NDArray[np.intp], here: Array) -> Array:
        return 2.0 * self.l2[A] * here + self.l1[A] * np.sign(here)

    def _move(
        self, A: NDArray[np.intp], here: Array, slope: Array, product: Product, diagonal: Array
    ) -> tuple[Array, float]:
        return self._support_step(here, slope, product, diagonal)
