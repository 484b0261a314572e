r"""The data as a working set sees them, with one output or several.

Weights of a working set J with K outputs are one long vector, entry :math:`jK + k` for feature j and output k, so that
whatever works on entries (balls, conjugate gradients) need not know how many outputs there are. The free intercept is
eliminated from products with the curvature: :math:`X^\top(H - H1(1^\top H1)^+1^\top H)Xd`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.problem import InMemoryProblem
from laconic.kernels.linear.columns import accumulate, column_curvatures, correlate, strongest_cells


def entries(rows: NDArray[np.intp], n_outputs: int) -> NDArray[np.intp]:
    """Return the entries of some features: of 0 and 3 with two outputs 0, 1, 6 and 7."""
    return rows if n_outputs == 1 else (rows[:, None] * n_outputs + np.arange(n_outputs)).ravel()


class Slice:
    """The columns of a working set."""

    def __init__(self, problem: InMemoryProblem, working_set: NDArray[np.intp]) -> None:
        self.problem = problem
        self.n_outputs: int = problem.n_outputs
        self.n_entries: int = len(working_set) * self.n_outputs
        self._columns = problem.columns(working_set)

    def margins(self, w: Array) -> Array:
        """Return X w, shape (n_samples, n_outputs), without intercept."""
        F = np.zeros((self.n_outputs, self.problem.n_samples))
        for k, row in enumerate(F):
            accumulate(*self._columns, self._part(w, k), row)
        return F.T

    def correlations(self, R: Array) -> Array:
        """Return Xᵀ R, one number an entry."""
        if self.n_outputs == 1:
            out = np.empty(self.n_entries)
            correlate(*self._columns, np.ascontiguousarray(R[:, 0]), out)
            return out
        C = np.empty((self.n_outputs, self.n_entries // self.n_outputs))
        for k, row in enumerate(C):
            correlate(*self._columns, np.ascontiguousarray(R[:, k]), row)
        return np.ascontiguousarray(C.T).ravel()

    def _part(self, w: Array, k: int) -> Array:
        return w if self.n_outputs == 1 else np.ascontiguousarray(w[k :: self.n_outputs])

    def curvature(self, F: Array) -> "Curvature":
        """Return the loss's curvature at margins ``F``, as seen by the working set."""
        return Curvature(self, F)

    def cells(self, h: Array, spread: float) -> "Cells":
        """Return the cells of one output by the curvatures ``h`` of the documents; ``spread`` is 1/Σh or zero."""
        n, h = self.n_entries, np.ascontiguousarray(h[:, 0])
        rest, rows, values = np.empty(n), np.zeros(n, dtype=np.int32), np.zeros(n)
        strongest_cells(*self._columns, h, spread, rows, values, rest)
        return Cells(rest, rows, values, h * (1.0 - h * spread))

    def diagonal(self, h: Array, out: Array, weight: Array) -> None:
        """Write Σ h x² and Σ h x of every entry, ``h`` of shape (n_samples, n_outputs)."""
        n = self.n_entries // self.n_outputs
        for k in range(self.n_outputs):
            squares, sums = np.empty(n), np.empty(n)
            column_curvatures(*self._columns, np.ascontiguousarray(h[:, k]), squares, sums)
            out[k :: self.n_outputs], weight[k :: self.n_outputs] = squares, sums


class Cells(NamedTuple):
    """The curvature as a preconditioner sees it: of every entry a cell and a diagonal ``rest``, and by document."""

    rest: Array
    rows: NDArray[np.int32]
    values: Array
    curvatures: Array


class Curvature:
    """The second derivatives of the loss in a working set's weights, the intercept eliminated."""

    def __init__(self, part: Slice, F: Array) -> None:
        problem = part.problem
        self._slice, self._problem, self._h = part, problem, problem.curvature(F)
        self._inverse: Array | None = None
        if problem.loss.scalar_curvature:
            total = float(self._h.sum()) if problem.fit_intercept else 0.0
            if total > 0.0:
                self._inverse = np.array([[1.0 / total]])
            self.cells = part.cells(self._h, 1.0 / total if total > 0.0 else 0.0)
            return
        diagonal, weight = np.empty(part.n_entries), np.empty(part.n_entries)
        part.diagonal(problem.weight[:, None] * self._h * (1.0 - self._h), diagonal, weight)
        # A cell of a document is seen by all outputs: nothing of rank one.
        self.cells = Cells(diagonal, np.zeros(len(diagonal), dtype=np.int32), np.zeros(len(diagonal)), np.zeros(1))
        if problem.fit_intercept:
            mass = problem.weight[:, None] * self._h
            inverse = np.linalg.pinv(np.diag(mass.sum(axis=0)) - mass.T @ self._h, rcond=1e-10, hermitian=True)
            self._inverse = np.asarray(inverse, dtype=np.float64)

    def product(self, d: Array) -> Array:
        """Return the curvature times ``d``."""
        Z = self._slice.margins(d)
        R = self._problem.curvature_product(self._h, Z)
        if self._inverse is not None:
            shift = self._inverse @ R.sum(axis=0)
            R = R - self._problem.curvature_product(self._h, np.broadcast_to(shift, Z.shape))
        return self._slice.correlations(R)
