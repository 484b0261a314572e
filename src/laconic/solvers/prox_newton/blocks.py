r"""Proximal Newton for disjoint groups: block coordinate descent on the quadratic model, and Newton steps.

.. math:: \sum_i s_i\ell_i + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2 + \lambda_g\sum_g d_g\|w_g\|_2

The working set is made of groups: the nonzero ones and those that violate
:math:`\|S(X_g^\top\alpha, \lambda_1)\| \le \lambda_g d_g` most. Two sweeps over them find which are nonzero
(``laconic.kernels.linear.blocks``), then all of these move at once (``laconic.solvers.prox_newton.group_step``). The
conjugate is closed, so the duality gap is exact. (Yuan & Lin 2006; Simon et al. 2013.)
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.group import GroupedPenalty
from laconic.core.problem import Columns, InMemoryProblem
from laconic.core.solution import Solution
from laconic.kernels.linear.blocks import Curvatures, bound_blocks, descend_blocks
from laconic.solvers.prox_newton.group_step import SmoothStep
from laconic.solvers.prox_newton.layout import Blocks, Part, free_features
from laconic.solvers.prox_newton.one_output import SWEEPS, OneOutputModel, Quadratic
from laconic.solvers.prox_newton.outer_loop import solve_proximal
from laconic.solvers.prox_newton.support_step import Product
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.solvers.warm_path import Trail


def solve_blocks(
    problem: InMemoryProblem,
    penalty: GroupedPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise a loss plus a penalty on disjoint groups; features in no group have only λ₁ and λ₂."""
    if not problem.loss.scalar_curvature:
        return solve_tree(problem, penalty, start, tol, max_iter, trail)
    model_at, free = partial(_Model, problem, penalty, Blocks(penalty)), free_features(penalty)
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail, free)


class _Model(OneOutputModel):
    """The model over the nonzero groups and those that violate their bound most."""

    def __init__(
        self, problem: InMemoryProblem, penalty: GroupedPenalty, blocks: Blocks, W: Array, F: Array, C: Array
    ) -> None:
        self.part, self.l2 = blocks.working_set(C, W), penalty.l2
        super().__init__(problem, self.part.features, W, F)

    def _quadratic(self, h: Array, allowed: float) -> tuple[Quadratic, float]:
        slack = allowed / max(self.part.norm(self.old), 1e-300)
        return _BlockModel(self.columns, h, self.part, self.l2, self.problem.fit_intercept), slack

    def penalty_change(self, W: Array, t: float) -> float:
        new, l2 = self._weights(t), self.l2
        return self.part.norm(new) - self.part.norm(self.old) + l2 * float(new @ new - self.old @ self.old)


class _BlockModel(Quadratic):
    """A quadratic model with λ₁‖w‖₁ + Σ ρ_b‖w_b‖ over blocks of columns."""

    def __init__(self, columns: Columns, h: Array, part: Part, l2: float, fit_intercept: bool) -> None:
        super().__init__(columns, h, l2, fit_intercept)
        self.part = part
        n = len(part.features)
        self.curvature, self.weight, bound = np.empty(n), np.empty(n), np.empty(n)
        bound_blocks(*columns, part.ends, h, self.curvature, self.weight, bound)
        self.levels, self.curvatures = (
            part.with_ridge(2.0 * self.l2, part.sides[:, 0]),
            Curvatures(h, bound, self.weight),
        )

    def minimise(self, w: Array, r: Array, theta: float, slack: float) -> None:
        self._smooth_step, self._slack = SmoothStep(theta), slack
        super().minimise(w, r, theta, slack)

    def sweep(self, w: Array, r: Array, gained: float, theta: float, slack: float) -> tuple[float, bool]:
        parts = self.levels, self.curvatures, r, w, self.fit_intercept
        reached: tuple[float, bool] = descend_blocks(*self.columns, *parts, gained, theta, slack, SWEEPS)
        return reached

    def _movable(self, w: Array) -> NDArray[np.bool_]:
        return self.part.smooth(w)

    def _pull(self, A: NDArray[np.intp], here: Array) -> Array:
        return 2.0 * self.l2[A] * here

    def _move(
        self, A: NDArray[np.intp], here: Array, slope: Array, product: Product, diagonal: Array
    ) -> tuple[Array, float]:
        part, keep = self.part, np.zeros(len(self.l2), dtype=np.bool_)
        keep[A] = True
        levels = part.l1[A], self._slack * part.tolerances[A], part.sides[A, 0] != 0
        return self._smooth_step(here, slope, product, diagonal, part.norms_at(here, keep), *levels)
