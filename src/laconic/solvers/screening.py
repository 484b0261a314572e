r"""Correlations Xᵀα of one residual after another, computed only where they could leave the penalty's dual set.

From a residual α₀ whose correlations are all known,
:math:`|x_j^\top\alpha| \le |x_j^\top\alpha_0| + \|x_j\|\,\|\alpha - \alpha_0\|`, centred where residuals sum to
zero. Columns that stay in the dual set (at most λ₁; in a group, at most its radius) even if all of them reach this
need no look: the bound on the optimum and the working set are the same without it. As a fit nears its end, or from one
point of a path to the next, residuals move little and most of the vocabulary is passed over. With several outputs the
bounds would cost as much as the pass that they save.
"""

import numpy as np

from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty
from laconic.core.problem import InMemoryProblem
from laconic.kernels.linear.columns import correlate

WORTH = 0.6  # share of the cells up to which looking at some columns pays
ROUNDING = 1.0 + 1e-9


class Screen:
    """The correlations of a problem's residuals, exact where they leave the dual set, older elsewhere."""

    def __init__(self, problem: InMemoryProblem) -> None:
        self._problem = problem
        self._norms = problem.column_norms() * ROUNDING
        self._cells = problem.column_sizes()
        self._known: tuple[Array, Array, Array] | None = None

    def correlations(self, alpha: Array, penalty: Penalty) -> Array:
        """Return Xᵀα, where columns that surely stay in the dual set may have older values, which do so too."""
        if self._problem.n_outputs > 1:
            return self._problem.correlations(alpha)
        if self._known is not None:
            alpha0, C0, size0 = self._known
            reach = size0 + self._norms * float(np.linalg.norm(alpha - alpha0))
            doubtful = np.flatnonzero(penalty.outside(reach[:, None]))
            if self._cells[doubtful].sum() <= WORTH * self._cells.sum():
                C, some = C0.copy(), np.empty(len(doubtful))
                correlate(*self._problem.columns(doubtful), alpha[:, 0].copy(), some)
                C[doubtful, 0] = some
                return C
        C = self._problem.correlations(alpha)
        self._known = alpha, C, np.abs(C[:, 0])
        return C
