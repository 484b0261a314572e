r"""A Newton step where group norms are smooth: on the weights of nonzero groups.

Away from zero a norm is smooth, with slope :math:`u = w_g/\|w_g\|` and curvature :math:`(I - uu^\top)/\|w_g\|`. On the
groups that are nonzero, and with the signs of weights held that are under an l1 part or may take one side only, the
quadratic model of the loss plus the penalty is therefore smooth, and Newton's method with conjugate gradients finds its
minimum in a few steps. A group that a step would lead through zero (:math:`u_g^\top(w_g + d_g) \le 0`), and a weight
that would change its sign, are set to zero and the others solved anew, a few times; where the model does not fall so,
the step is shortened.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.kernels.linear.blocks import add_lifts, bend_norms, lift_norms
from laconic.solvers.conjugate_gradient import conjugate_gradients

MAX_STEPS = 1000
PIVOTS = 5
LENGTHS = tuple(0.5**i for i in range(12))

Product = Callable[[Array, Array], None]


class Norms:
    """Σ_g radius_g‖w_g‖ over groups of entries of a vector, none of them zero at ``w``; groups may share entries."""

    def __init__(self, indptr: NDArray[np.int64], indices: NDArray[np.int64], radii: Array, w: Array) -> None:
        self.indptr, self.indices, self.radii = indptr, indices, radii
        self.norms = self._norms(w)
        self.factors = radii / self.norms
        self.sizes = np.diff(indptr)
        self.u = w[indices] / np.repeat(self.norms, self.sizes)

    def slope(self, size: int) -> Array:
        """Return the gradient at ``w``, for a vector of ``size`` entries."""
        return self._spread(np.repeat(self.radii, self.sizes) * self.u, size)

    def diagonal(self, size: int) -> Array:
        """Return the diagonal of the curvature at ``w``."""
        return self._spread(np.repeat(self.factors, self.sizes) * (1.0 - self.u * self.u), size)

    def add_curvature(self, d: Array, out: Array) -> None:
        """Add the curvature at ``w`` times ``d`` to ``out``."""
        bend_norms(self.indptr, self.indices, self.factors, self.u, d, out)

    def preconditioner(self, diagonal: Array, moves: NDArray[np.bool_]) -> Callable[[Array], Array]:
        """Return the inverse of ``diagonal`` plus the curvature at ``w``, exact for nested groups, as a function."""
        whole = diagonal + self._spread(np.repeat(self.factors, self.sizes), len(diagonal))
        inverse = np.divide(1.0, whole, out=np.zeros(len(whole)), where=(whole > 0.0) & moves)
        v, lifts = np.empty(len(self.u)), np.empty(len(self.radii))
        lift_norms(self.indptr, self.indices, self.factors, self.u, inverse, v, lifts)

        def times(r: Array) -> Array:
            z = inverse * r
            add_lifts(self.indptr, self.indices, v, lifts, r, z)
            return z

        return times

    def change(self, new: Array) -> float:
        """Return by how much the sum grows from ``w`` to ``new``."""
        return float(self.radii @ (self._norms(new) - self.norms))

    def passed(self, new: Array) -> NDArray[np.bool_]:
        """Say which entries are in a group that has passed zero on its way from ``w`` to ``new``."""
        mask = np.zeros(len(new), dtype=bool)
        if len(self.radii):
            gone = np.add.reduceat(self.u * new[self.indices], self.indptr[:-1]) <= 0.0
            mask[self.indices[np.repeat(gone, self.sizes)]] = True
        return mask

    def _norms(self, w: Array) -> Array:
        members = w[self.indices]
        return np.sqrt(np.add.reduceat(members * members, self.indptr[:-1])) if len(self.radii) else np.zeros(0)

    def _spread(self, members: Array, size: int) -> Array:
        return np.bincount(self.indices, weights=members, minlength=size).astype(np.float64, copy=False)


class SmoothStep:
    """Steps on the nonzero groups of one model; the first one sets how exactly all of them are solved."""

    def __init__(self, theta: float) -> None:
        self.theta = theta
        # While much is still to be gained the support will change again, and exactness on it would be wasted.
        self.max_steps = int(min(MAX_STEPS, 10.0 / theta**0.5))
        self.enough, self.settled = -1.0, False

    def __call__(
        self,
        here: Array,
        slope: Array,
        product: Product,
        diagonal: Array,
        norms: Norms,
        l1: Array,
        slack: Array,
        held: NDArray[np.bool_],
    ) -> tuple[Array, float]:
        """Return a move and by how much the model falls, 0.0 for none; slopes up to ``slack`` count as zero."""
        # ``settled`` says afterwards whether they are.
        self.settled = False
        # ``slope`` (falling), ``product`` and ``diagonal`` are of loss and ridge; zeros under l1 or among ``held`` stay
        # zero.
        n = len(here)
        signed = (l1 > 0.0) | held

        def whole_product(d: Array, out: Array) -> None:
            product(d, out)
            norms.add_curvature(d, out)

        def crossing(d: Array) -> NDArray[np.bool_]:
            new = here + d
            return np.asarray((norms.passed(new) | (signed & (new * here < 0.0))) & (new != 0.0))

        def fall_by(d: Array, Bd: Array) -> float:
            new = here + d
            rise = norms.change(new) + float(l1 @ (np.abs(new) - np.abs(here)))
            return float(slope @ d) - 0.5 * float(d @ Bd) - rise

        right = slope - norms.slope(n) - l1 * np.sign(here)
        whole = diagonal + norms.diagonal(n)
        inverse = np.divide(1.0, whole, out=np.zeros(n), where=(whole > 0.0) & ~(signed & (here == 0.0)))
        if self.enough < 0.0:
            self.enough = self.theta * float(right @ norms.preconditioner(diagonal, inverse > 0.0)(right))

        def solve(live: Array, start: Array | None) -> tuple[Array, Array]:
            by = norms.preconditioner(diagonal, live > 0.0)
            return conjugate_gradients(
                whole_product, right, live, self.enough, self.max_steps, start, slack, precondition=by
            )

        d, rest = solve(inverse, None)
        first, live, gone = d, inverse, crossing(d)
        for _ in range(PIVOTS):
            if not gone.any():
                break
            d = np.where(gone, -here, d)
            live = np.where(gone, 0.0, live)
            d, rest = solve(live, d)
            gone = crossing(d)
        if not gone.any():
            # Of all curvature times d, right − rest, that of the norms is taken away: no further product is needed.
            of_norms = np.zeros(n)
            norms.add_curvature(d, of_norms)
            fall = fall_by(d, right - rest - of_norms)
            if fall > 0.0:
                self.settled = bool(np.all((np.abs(rest) <= slack) | (inverse == 0.0)))
                return d, fall
        Bd = np.empty(n)
        predicted = float(right @ first)
        # The last length only just leads one weight or group to zero: up to there the model is smooth, and falls.
        for t in (*LENGTHS, self._reach(here, first, norms, signed)):
            d = t * first
            d = np.where(crossing(d), -here, d)
            product(d, Bd)
            fall = fall_by(d, Bd)
            if fall > 0.1 * t * predicted:
                break
        else:
            return np.zeros(n), 0.0
        # What has come to zero may have held back all others: they are solved anew from there.
        other, _ = solve(np.where((here + d == 0.0) & (here != 0.0), 0.0, inverse), d)
        other = np.where(crossing(other), -here, other)
        product(other, Bd)
        further = fall_by(other, Bd)
        return (other, further) if further > fall else (d, fall)

    @staticmethod
    def _reach(here: Array, d: Array, norms: Norms, signed: NDArray[np.bool_]) -> float:
        """Return the length at which the first weight or group, on its way along ``d``, passes zero; a little more."""
        meets = signed & (here * d < 0.0)
        nearest = float(np.min(-here[meets] / d[meets], initial=1.0))
        if len(norms.radii):
            along = np.add.reduceat(norms.u * d[norms.indices], norms.indptr[:-1])
            nearest = min(nearest, float(np.min(-norms.norms[along < 0.0] / along[along < 0.0], initial=1.0)))
        return nearest * (1.0 + 1e-9)
