r"""A preconditioner for overlapping norms: every word with one of its groups and one of its documents.

Along its own weights a norm has no curvature, and a rare word is seen by a single document. So words that are in one
document and one group alone make directions that are nearly flat while the diagonal is not, a few for every document:
of the diagonal alone as preconditioner, conjugate gradients need hundreds of steps for them. Here every entry keeps
the strongest of its groups, :math:`-t_g\xi_g\xi_g^\top`, and every group the strongest document of its members,
:math:`h_i x_i x_i^\top`; what other groups and documents add is diagonal. Such blocks are inverted in closed form (two
updates of rank one), and for words that have one group and one document the inverse is exact.
"""

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.kernels.linear.overlapping import bend_diagonal, divide_by_pairs, pair_up
from laconic.solvers.overlapping.balls import Balls
from laconic.solvers.overlapping.slices import Cells


class Partners:
    """The inverse, in blocks of one group and one document, of cells, a diagonal and Σ_g (curvature_g·I − turn_g·ξ_g
    ξ_gᵀ); ``more`` is in it already and to be added to the diagonal of the curvature."""

    def __init__(self, balls: Balls, xi: Array, curvature: Array, turn: Array, cells: Cells, diagonal: Array) -> None:
        n, m = balls.n_entries, len(turn)
        rest = cells.rest + diagonal
        self._group: NDArray[np.int32] = np.full(n, m, dtype=np.int32)
        member = np.zeros(n)
        bend_diagonal(xi, curvature, turn, balls.indptr, balls.indices, rest, self._group, member)
        self._row, values = cells.rows.copy(), cells.values.copy()
        whole = rest + cells.curvatures[cells.rows] * values * values
        # A little more than what is there keeps flat directions (duplicate columns without a ridge) from running away.
        self.more = 1e-10 * whole
        self._v, self._u, self.inverse = np.empty(n), np.empty(n), np.empty(n)
        self._lift, self._drop = np.zeros(m + 1), np.zeros(len(cells.curvatures))
        pair_up(
            rest=rest + self.more,
            group=self._group,
            member=member,
            turn=np.append(turn, 0.0),
            row=self._row,
            value=values,
            bend=cells.curvatures,
            inverse=self.inverse,
            v=self._v,
            lift=self._lift,
            u=self._u,
            drop=self._drop,
        )
        self._along, self._down = np.empty(m + 1), np.empty(len(cells.curvatures))

    def __call__(self, r: Array) -> Array:
        """Return the inverse times ``r``."""
        out = np.empty_like(r)
        sums = self._along, self._down
        divide_by_pairs(r, self.inverse, self._group, self._v, self._lift, self._row, self._u, self._drop, *sums, out)
        return out
