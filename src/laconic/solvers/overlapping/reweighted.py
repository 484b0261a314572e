r"""A quick way to the neighbourhood of the optimum of overlapping norms: elastic nets that are weighed anew.

A norm lies below a parabola that touches it at the point of the moment,

.. math:: \|w_g\| \le \frac{\|w_g\|^2}{2c_g} + \frac{c_g}{2}, \qquad c_g = \sqrt{\|v_g\|^2 + \varepsilon^2},

so all norms together are below a ridge with one level a feature, :math:`\eta_j = \sum_{g \ni j} \rho_g/2c_g`. Every
round takes one proximal Newton step on the loss, λ₁ and this ridge: a pass over the groups, a pass over the columns and
some sweeps over a working set, where the augmented Lagrangian meets kink after kink. Most of the way is made in a few
rounds; then they crawl, and the certified solver takes over. ε, relative to the median norm, keeps words of groups that
are still zero from being held there.
"""

from typing import NamedTuple

import numpy as np

from laconic.core.losses import Array
from laconic.core.penalties.base import Sides, cut
from laconic.core.problem import InMemoryProblem
from laconic.kernels.linear.columns import accumulate
from laconic.kernels.linear.overlapping import weigh_groups
from laconic.solvers.overlapping.balls import Balls
from laconic.solvers.prox_newton.coordinate import QuadraticModel
from laconic.solvers.prox_newton.outer_loop import working_set

ROUNDS = 20
EPSILON, FADING, LEAST = 0.1, 0.7, 0.01  # relative to the median norm; its factor in every round; its end
ACCURACY = 0.03  # of the quadratic models
CRAWL, SMALL = 0.7, 0.03  # a gain this large of the last one, and this small of the objective, is crawling
ENOUGH = 3e-5  # of the objective, gained in a round, is the end
STEPS = (1.0, 0.5, 0.25, 0.125, 0.0625)


def approach(problem: InMemoryProblem, balls: Balls, l1: Array, l2: float, sides: Sides, w: Array, b: Array) -> "Near":
    """Return a point near the optimum of a loss of one output, λ₂‖w‖² and norms of ``balls``, from a nonzero ``w``."""
    # The first balls are those of the λ₁ of every feature, ``l1``, none of them zero.
    objective_at = _Objective(problem, balls, l1, l2)
    here = objective_at(w, problem.margins(w[:, None], b), b, EPSILON)
    first, epsilon, last = here.value, EPSILON, np.inf
    for _ in range(ROUNDS):
        alpha, h = problem.residual(here.F)[:, 0], problem.curvature(here.F)[:, 0]
        J = working_set(cut(problem.correlations(alpha[:, None])[:, 0], sides), l1, here.w != 0.0)
        columns = problem.columns(J)
        new, r, Z = here.w[J], alpha.copy(), np.zeros((1, problem.n_samples))
        model = QuadraticModel(columns, h, l1[J], here.eta[J] + l2, problem.fit_intercept, sides[J])
        model.minimise(new, r, ACCURACY, 0.0)
        move = np.zeros_like(here.w)
        move[J] = new - here.w[J]
        accumulate(*columns, move[J], Z[0])
        epsilon = max(FADING * epsilon, LEAST)
        tried = (objective_at(here.w + t * move, here.F + t * Z.T, here.b, epsilon) for t in STEPS)
        there = next((point for point in tried if point.value < here.value), here)
        gain, here = here.value - there.value, there
        if gain <= ENOUGH * here.value or CRAWL * last < gain <= SMALL * here.value:
            break
        last = gain
    return Near(here.w, here.b, (first - here.value) / first if first > 0.0 else 0.0)


class Near(NamedTuple):
    """Weights and intercept, and by how much of the objective at the start theirs is lower."""

    w: Array
    b: Array
    gained: float


class _Point(NamedTuple):
    """Weights, margins, intercept, the objective and the ridge that touches its norms."""

    w: Array
    F: Array
    b: Array
    value: float
    eta: Array


class _Objective:
    """Loss, λ₁, λ₂ and norms of groups."""

    def __init__(self, problem: InMemoryProblem, balls: Balls, l1: Array, l2: float) -> None:
        self._problem, self._l1, self._l2 = problem, l1, l2
        self._groups = balls.radii[len(l1) :], balls.indptr[len(l1) :], balls.indices

    def __call__(self, w: Array, F: Array, b: Array, epsilon: float) -> _Point:
        """Return the point of these weights and margins, with its best intercept."""
        shift = self._problem.intercept(F)
        F = F + shift
        eta, norms = np.zeros(len(w)), np.empty(len(self._groups[0]))
        value = weigh_groups(w, *self._groups, epsilon, norms, eta)
        value += self._problem.loss_value(F) + float(self._l1 @ np.abs(w)) + self._l2 * float(w @ w)
        return _Point(w, F, b + shift, value, eta)
