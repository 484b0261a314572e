r"""A Newton step on the support, for when coordinate descent crawls.

Coordinate descent on a quadratic model soon finds which weights are nonzero and with which sign, but may need thousands
of sweeps for their values when columns are nearly dependent. With support A and signs held, the model is a quadratic,
:math:`-g^\top d + \tfrac12 d^\top B d` with slope g and curvature B, and its minimum one linear system, solved by
conjugate gradients: B is never formed. Weights that would change sign are set to zero and the others solved anew, a few
times; where the model does not fall so, the first step is shortened instead, at last to where the first weight is zero.

Of columns that depend on each other exactly, B is singular: along some directions only the penalty changes, in
proportion to the way, and descent crawls there by steps of λ₁. Where conjugate gradients meet one, the model falls
along it until the first weight is zero.
"""

from collections.abc import Callable

import numpy as np

from laconic.core.losses import Array
from laconic.solvers.conjugate_gradient import conjugate_gradients

MAX_STEPS = 1000
PIVOTS = 5
DUST = 1e-13  # of the largest weight
LENGTHS = tuple(0.5**i for i in range(12))

Product = Callable[[Array, Array], None]


class SupportStep:
    """Steps on the support of one quadratic model; the first one sets how exactly all of them are solved."""

    def __init__(self, theta: float, slack: float) -> None:
        self.theta, self.slack = theta, slack
        # While much is still to be gained the support will change again, and exactness on it would be wasted.
        self.max_steps = int(min(MAX_STEPS, 10.0 / theta**0.5))
        self.enough = -1.0

    def __call__(self, here: Array, slope: Array, product: Product, diagonal: Array) -> tuple[Array, float]:
        """Return a move of the weights that keeps or zeroes their signs, and by how much the model falls; 0.0 for none.

        A zero in ``here`` stands for an unknown whose sign is free, such as an intercept; ``product(d, out)`` writes B
        d into ``out``, and ``diagonal`` is that of B.
        """
        # A weight that only rounding keeps from zero would be the first to get there each time, and end every step.
        size = np.abs(here)
        dust = (size > 0.0) & (size <= DUST * size.max(initial=0.0))
        inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=(diagonal > 0.0) & ~dust)
        if self.enough < 0.0:
            self.enough = self.theta * float(slope @ (inverse * slope))
        flat = np.zeros_like(here)
        d, rest = conjugate_gradients(product, slope, inverse, self.enough, self.max_steps, slack=self.slack, flat=flat)
        if (shrinking := flat * here < 0.0).any():
            # So far that all weights that shrink would cross zero.
            far = 2.0 * float(np.max(-here[shrinking] / flat[shrinking]))
            move, fall = self._to_first_crossing(here, slope, product, far * flat)
            if fall > 0.0:
                return move, fall
        first, live = d, inverse
        crossing = (here + d) * here < 0.0
        for _ in range(PIVOTS):
            if not crossing.any():
                break
            d = np.where(crossing, -here, d)
            live = np.where(crossing, 0.0, live)
            d, rest = conjugate_gradients(product, slope, live, self.enough, self.max_steps, d, self.slack)
            crossing = (here + d) * here < 0.0
        if not crossing.any():
            # B d is the slope without the rest: the fall needs no further product.
            fall = 0.5 * float((slope + rest) @ d)
            if fall > 0.0:
                return d, fall
        Bd = np.empty_like(here)
        predicted = float(slope @ first)
        for t in LENGTHS:
            d = np.where((here + t * first) * here < 0.0, -here, t * first)
            product(d, Bd)
            fall = float(slope @ d) - 0.5 * float(d @ Bd)
            if fall > 0.1 * t * predicted:
                return d, fall
        return self._to_first_crossing(here, slope, product, first)

    def _to_first_crossing(self, here: Array, slope: Array, product: Product, first: Array) -> tuple[Array, float]:
        """Move along a step until the first weight is zero: up to there the model falls, and the support shrinks."""
        # Of dependent columns the step may be huge: no shortened one with hundreds of changed signs set to zero falls.
        d, crossing = np.zeros_like(here), np.flatnonzero((here + first) * here < 0.0)
        if len(crossing) == 0:
            return d, 0.0
        lengths = -here[crossing] / first[crossing]
        t = lengths.min()
        d = t * first
        d[crossing[lengths == t]] = -here[crossing[lengths == t]]
        Bd = np.empty_like(here)
        product(d, Bd)
        fall = float(slope @ d) - 0.5 * float(d @ Bd)
        return (d, fall) if fall > 0.0 else (np.zeros_like(here), 0.0)
