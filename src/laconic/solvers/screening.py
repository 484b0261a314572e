r"""Correlations Xᵀα of one residual after another, computed only where they could exceed λ₁.

From a residual α₀ whose correlations are all known,
:math:`|x_j^\top\alpha| \le |x_j^\top\alpha_0| + \|x_j\|\,\|\alpha - \alpha_0\|`, centred where residuals sum to
zero. A column for which this is at most λ₁ needs no look: the bound on the optimum and the working set are the same
without it. As a fit nears its end, or from one point of a path to the next, residuals move little and most of the
vocabulary is passed over.
"""

from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.kernels.columns import correlate

WORTH = 0.6  # share of the cells up to which looking at some columns pays
ROUNDING = 1.0 + 1e-9


class Screen:
    """The correlations of a problem's residuals, exact where they exceed λ₁, of an older residual elsewhere."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._norms = problem.column_norms() * ROUNDING
        self._cells = problem.column_sizes()
        self._known: tuple[Array, Array, Array] | None = None

    def correlations(self, alpha: Array, l1: Array) -> Array:
        """Return Xᵀα, where columns that surely stay within ``l1`` may have older values, which do so too."""
        if self._known is not None:
            alpha0, C0, size0 = self._known
            radius = np.sqrt(np.einsum("ik,ik->k", alpha - alpha0, alpha - alpha0))
            reach = size0 + self._norms[:, None] * radius
            doubtful = np.flatnonzero((reach > l1[:, None]).any(axis=1))
            if self._cells[doubtful].sum() <= WORTH * self._cells.sum():
                C, some = C0.copy(), np.empty(len(doubtful))
                columns = self._problem.columns(doubtful)
                for k in range(alpha.shape[1]):
                    correlate(*columns, np.ascontiguousarray(alpha[:, k]), some)
                    C[doubtful, k] = some
                return C
        C = self._problem.correlations(alpha)
        self._known = alpha, C, np.abs(C)
        return C
