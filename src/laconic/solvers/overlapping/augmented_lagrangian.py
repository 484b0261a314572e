r"""The augmented Lagrangian of overlapping norms, minimised by semismooth Newton steps (Li, Sun & Toh 2018).

The problem is :math:`\min_w f(Xw + b) + \lambda_2\|w\|^2 + \sum_g \rho_g\|w_g\|`. With a copy :math:`v_g` of every
:math:`w_g`, multipliers :math:`\xi_g` and weights :math:`\sigma_g = \kappa\rho_g`, minimising over the copies leaves

.. math:: \phi(w) = f(Xw + b) + \lambda_2\|w\|^2
   + \sum_g \min_v \rho_g\|v\| + \tfrac{\sigma_g}{2}\|w_g - v + \xi_g/\sigma_g\|^2,

whose gradient is that of the loss plus the sum of :math:`\xi_g^+`, the point of the ball :math:`\|\xi\| \le \rho_g`
nearest to :math:`\xi_g + \sigma_g w_g`, and whose curvature is :math:`\sigma_g I` for a group inside its ball and
:math:`\sigma_g\rho_g/\|z\|\,(I - uu^\top)`, :math:`z = \xi_g + \sigma_g w_g = \|z\|u`, outside: nearly that of the norm
itself. So Newton's method is exact where groups are nonzero, and a group inside its ball (v = 0) is held near zero.
Along u a norm has no curvature, and a full step may lead far away: a share of :math:`uu^\top`, the group's damping, is
left out as long as full steps turn the group; with all of it left out the model is an upper bound of the norms.
Each minimisation is followed by :math:`\xi \leftarrow \xi^+`, a proximal point step of the dual, and by a larger κ.
:math:`\xi^+` lies in its balls at any w, and what is missing to a dual point is just the gradient of φ.

A weight that may not be negative has a copy :math:`v \ge 0` too, with a multiplier :math:`\zeta \le 0` (a cone instead
of a ball): φ gets :math:`\min(\zeta + \sigma w, 0)^2/2\sigma`, and :math:`\zeta^+ = \min(\zeta + \sigma w, 0)`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import BOTH, Sides, cut
from laconic.core.problem import InMemoryProblem
from laconic.kernels.linear.overlapping import adapt_damping, bend_groups, smooth_groups
from laconic.solvers.conjugate_gradient import conjugate_gradients
from laconic.solvers.overlapping.balls import Balls
from laconic.solvers.overlapping.preconditioner import Partners
from laconic.solvers.overlapping.slices import Slice

MAX_TRIALS = 30
ENOUGH = 0.5  # of the slope along a step may be left at its end
NARROW = 1e-3  # width of the bracket, relative to the step, at which the search ends
ROUNDING = 1e-9  # values of φ that differ by less, relatively, say nothing
DAMPING = 0.1  # of every group at the start
MAX_PRODUCTS = 500


class Point(NamedTuple):
    """φ and what it is made of at one w."""

    w: Array
    F: Array
    b: Array
    value: float
    slope: Array
    xi: Array
    curvature: Array
    turn: Array
    cone: Array


class Cones(NamedTuple):
    """The sides of weights, what κ is multiplied by for each of them, and the multipliers of those with one side."""

    sides: Sides
    stiffness: Array
    multipliers: Array

    def at(self, multipliers: Array) -> "Cones":
        """Return the same cones with other multipliers."""
        return self._replace(multipliers=multipliers)

    def new_multipliers(self, w: Array, kappa: float) -> Array:
        """Return ζ⁺, not zero exactly where the copy of the weight is zero."""
        z = self.multipliers + kappa * self.stiffness * w
        return np.where(self.sides == BOTH, 0.0, z - cut(z, self.sides))


class Lagrangian:
    """φ over the columns of a working set; counts its Newton steps and products with the curvature."""

    def __init__(self, problem: InMemoryProblem, part: Slice, balls: Balls, l2: float, cones: Cones) -> None:
        self.problem, self.part, self.balls, self.l2, self.cones = problem, part, balls, l2, cones
        self.steps = self.products = 0
        self._damping = np.full(len(balls.radii), DAMPING)

    def start(self, multipliers: Array) -> None:
        """Count from zero, with these multipliers of the cones; the damping of the groups stays."""
        self.steps = self.products = 0
        self.cones = self.cones.at(multipliers)

    def at(self, w: Array, F: Array, b: Array, xi: Array, kappa: float) -> Point:
        """Return φ at ``w``; margins ``F`` without, or with nearly, the best intercept: it is found here."""
        balls = self.balls
        shift = self.problem.intercept(F)
        F = F + shift
        slope = 2.0 * self.l2 * w - self.part.correlations(self.problem.residual(F))
        out, curvature, turn = np.empty(len(xi)), np.empty(len(balls.radii)), np.empty(len(balls.radii))
        sigma = kappa * balls.radii
        sets = balls.radii, balls.indptr, balls.indices
        value: float = smooth_groups(w, xi, sigma, *sets, out, curvature, turn, slope)
        value += self.problem.loss_value(F) + self.l2 * float(w @ w)
        cone = self.cones.new_multipliers(w, kappa)
        value += 0.5 * float(cone @ (cone / (kappa * self.cones.stiffness)))
        slope += cone
        return Point(w, F, b + shift, value, slope, out, curvature, turn, cone)

    def step(self, point: Point, xi: Array, kappa: float, accuracy: float, slack: Array) -> tuple[Point, bool]:
        """Return the point after one damped Newton step, and whether φ fell along it."""
        d = self._direction(point, kappa, accuracy, slack)
        Z = self.part.margins(d)
        first = float(point.slope @ d)
        if not first < 0.0:
            self.steps -= 1
            return point, False
        # φ is convex along d, so its slope there only increases: a step is good once it has lost most of it.
        low, high, t = (0.0, first), (np.inf, np.inf), 1.0
        best, last = point, 0.0
        for _ in range(MAX_TRIALS):
            with np.errstate(over="ignore", invalid="ignore"):  # where nothing bends a step leads out of all numbers
                new = self.at(point.w + t * d, point.F + t * Z, point.b, xi, kappa)
                slope = float(new.slope @ d)
            slope = np.inf if np.isnan(slope) else slope
            if t == 1.0:
                balls = self.balls
                adapt_damping(point.xi, new.xi, point.turn, balls.radii, balls.indptr, self._damping)
            fallen = -first <= ROUNDING * abs(point.value) or new.value <= point.value + 0.01 * t * first
            if fallen and (abs(slope) <= ENOUGH * -first or (slope < 0.0 and t == 1.0)):
                return new, True
            if new.value < best.value:
                best = new
            side = 1.0 if slope > 0.0 or not fallen else -1.0
            if side > 0.0:
                high = t, slope
            else:
                low = t, slope
            width = high[0] - low[0]
            if width <= NARROW * high[0] and best is not point:
                # φ all but jumps from falling to rising: where a group leaves zero, at a large κ.
                break
            cut = low[0] - low[1] * width / max(high[1] - low[1], 1e-300)
            # Twice on the same side, and the secant creeps: halve.
            cut = low[0] + 0.5 * width if side == last else cut
            last = side
            t = float(np.clip(cut, low[0] + 0.1 * width, high[0] - 0.1 * width))
        self.steps -= best is point
        return best, best is not point

    def _direction(self, point: Point, kappa: float, accuracy: float, slack: Array) -> Array:
        balls = self.balls
        loss = self.part.curvature(point.F)
        turn = (1.0 - self._damping) * point.turn
        own = 2.0 * self.l2 + np.where(point.cone != 0.0, kappa * self.cones.stiffness, 0.0)
        partners = Partners(balls, point.xi, point.curvature, turn, loss.cells, own)
        own += partners.more

        def product(d: Array, out: Array) -> None:
            self.products += 1
            np.multiply(own, d, out=out)
            out += loss.product(d)
            bend_groups(d, point.xi, point.curvature, turn, balls.indptr, balls.indices, out)

        self.steps += 1
        right = -point.slope
        enough = accuracy**2 * float(right @ partners(right))
        limits = enough, MAX_PRODUCTS, None, slack
        return conjugate_gradients(product, right, partners.inverse, *limits, precondition=partners)[0]

    def cleaned(self, point: Point) -> tuple[Array, Array]:
        """Return the weights with zeros in every group whose copy is zero, and their margins without intercept."""
        w = point.w.copy()
        zero: NDArray[np.bool_] = point.turn == 0.0
        w[self.balls.indices[np.repeat(zero, self.balls.sizes)]] = 0.0
        w = cut(np.where(point.cone != 0.0, 0.0, w), self.cones.sides)
        return w, self.part.margins(w)
