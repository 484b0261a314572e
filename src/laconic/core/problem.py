r"""``LinearProblem``: all that a solver may ask about the data.

.. math:: P(W, b) = \sum_i s_i\,\ell(y_i, x_i^\top W + b) + \Omega(W)

A solver sees margins, residuals, correlations :math:`X^\top\alpha` and products with the curvature (`Problem`); from a
problem that lives in memory also the columns of a working set (`InMemoryProblem`). It never sees X. A problem spread
over machines only has to answer the same questions.
"""

from copy import copy
from functools import cached_property
from inspect import isfunction
from typing import Any, NamedTuple, Protocol, Self, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from laconic.core.losses import Array, Loss, Targets
from laconic.kernels.linear.columns import accumulate, accumulate_rows, column_curvatures, correlate, correlate_rows


class Columns(NamedTuple):
    """Columns of X as kernels take them: column j is ``start[j]`` to ``stop[j]``; empty ``data`` stands for ones."""

    # Row numbers have two bytes where they fit: passes over the data are bound by the memory they read.

    data: NDArray[np.float64]
    indices: NDArray[np.uint16] | NDArray[np.uint32]
    start: NDArray[np.int32]
    stop: NDArray[np.int32]

    def take(self, which: NDArray[np.intp]) -> "Columns":
        """Return some of these columns; nothing is copied."""
        return Columns(self.data, self.indices, self.start[which], self.stop[which])


class Problem(Protocol):
    """What every solver may ask: a loss over margins, and what margins and residuals mean to all features."""

    y: Targets
    weight: Array
    loss: Loss
    fit_intercept: bool
    n_samples: int
    n_features: int
    n_outputs: int

    def margins(self, W: Array, b: Array) -> Array: ...
    def correlations(self, alpha: Array) -> Array: ...
    def curvature_diagonal(self, h: Array) -> Array: ...

    # What follows needs no features.

    def loss_value(self, F: Array) -> float:
        """Return the loss at margins ``F``."""
        return float(self.weight @ self.loss.values(self.y, F))

    def loss_values(self, F: Array) -> Array:
        """Return the loss of every document, times its weight."""
        return self.weight * self.loss.values(self.y, F)

    def residual(self, F: Array) -> Array:
        """Return α = −∂loss/∂F."""
        return self.loss.residual(self.y, F, self.weight)

    def curvature(self, F: Array) -> Array:
        """Return the loss's second derivatives at ``F`` in the loss's own form."""
        return self.loss.curvature(self.y, F, self.weight)

    def curvature_product(self, h: Array, Z: Array) -> Array:
        """Return (∂²loss/∂F²) Z."""
        return self.loss.curvature_product(h, self.weight, Z)

    def intercept(self, F: Array) -> Array:
        """Return the shift of the margins that minimises the loss, zero where the intercept is fixed at zero."""
        if not self.fit_intercept:
            return np.zeros(self.n_outputs)
        return self.loss.intercept(self.y, F, self.weight)

    def admit(self, alpha: Array) -> Array:
        """Return a residual near ``alpha`` that the dual admits, i.e. sums to zero where there is a free intercept."""
        alpha = self.loss.admit(self.y, alpha, self.weight)
        return self.loss.balance(self.y, alpha, self.weight) if self.fit_intercept else alpha

    def dual_value(self, alpha: Array) -> float:
        """Return −loss*(−α)."""
        return self.loss.dual_value(self.y, alpha, self.weight)


class InMemoryProblem(Problem, Protocol):
    """What the solvers of sparse models ask beyond that: the columns of a working set."""

    def columns(self, working_set: NDArray[np.intp]) -> Columns: ...
    def column_sizes(self) -> NDArray[np.intp]: ...
    def column_norms(self) -> Array: ...


def in_memory(problem: Problem, solver: str) -> InMemoryProblem:
    """Return a problem as one in memory; one that is not is refused in the name of a solver."""
    asked = [name for name, member in vars(InMemoryProblem).items() if isfunction(member) and not name.startswith("_")]
    missing = sorted(name for name in asked if not hasattr(problem, name))
    if missing:
        raise TypeError(
            f"{solver}, the solver for this loss and penalty, needs a problem that offers {', '.join(missing)}; "
            f"{type(problem).__name__} does not."
        )
    return cast(InMemoryProblem, problem)


class LinearProblem(InMemoryProblem):
    """A loss over linear margins, in memory.

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Targets as the loss wants them.
    loss : Loss
    sample_weight : ndarray of shape (n_samples,), optional
        Documents of weight zero are left out, exactly as if they had not been given.
    fit_intercept : bool

    Examples
    --------
    >>> import numpy as np
    >>> from laconic.core.losses import Logistic
    >>> problem = LinearProblem(np.eye(2), np.array([1.0, -1.0]), Logistic())
    >>> F = problem.margins(np.array([[2.0], [0.0]]), np.zeros(1))
    >>> problem.correlations(problem.residual(F)).shape
    (2, 1)
    """

    def __init__(
        self,
        X: Any,
        y: Targets,
        loss: Loss,
        sample_weight: Array | None = None,
        fit_intercept: bool = True,
    ) -> None:
        weight = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if np.any(weight == 0.0):
            keep = np.flatnonzero(weight)
            X, y, weight = X[keep], y[keep], weight[keep]
        self._X = X = canonical_columns(X)
        ends = X.indptr.astype(np.int32, copy=False)
        values = np.empty(0) if np.all(X.data == 1.0) else X.data
        rows = (
            X.indices.astype(np.uint16)
            if X.shape[0] <= 1 << 16
            else X.indices.astype(np.int32, copy=False).view(np.uint32)
        )
        self._columns = Columns(values, rows, ends[:-1], ends[1:])
        self.y = y
        self.weight = weight
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.n_samples, self.n_features = X.shape
        self.n_outputs = loss.n_outputs(y)

    def margins(self, W: Array, b: Array) -> Array:
        """Return X W + b."""
        if self.n_outputs > 1:
            used, places = np.flatnonzero(W.any(axis=1)), np.full(self.n_features, -1, dtype=np.int32)
            places[used] = np.arange(len(used), dtype=np.int32)
            F = np.tile(b, (self.n_samples, 1))
            accumulate_rows(*self.rows, places, W[used], F)
            return F
        F = np.full(self.n_samples, b[0])
        accumulate(*self._columns, W[:, 0], F)
        return F[:, None]

    def correlations(self, alpha: Array) -> Array:
        """Return Xᵀα for all features."""
        if self.n_outputs > 1:
            C = np.zeros((self.n_features, self.n_outputs))
            correlate_rows(*self.rows, np.arange(self.n_features, dtype=np.int32), np.ascontiguousarray(alpha), C)
            return C
        C = np.empty(self.n_features)
        correlate(*self._columns, alpha[:, 0], C)
        return C[:, None]

    def columns(self, working_set: NDArray[np.intp]) -> Columns:
        """Return the columns of a working set."""
        return self._columns.take(working_set)

    @cached_property
    def rows(self) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
        """X row by row: values (none where all are one), column numbers, and where each row begins and ends."""
        X = self._X.tocsr()
        values = X.data if len(self._columns.data) else np.empty(0)
        return values, X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False)

    def column_sizes(self) -> NDArray[np.intp]:
        """Return the number of cells of every column."""
        return (self._columns.stop - self._columns.start).astype(np.intp)

    def column_norms(self) -> Array:
        """Return ‖x_j‖ of every column, centred where there is a free intercept."""
        sums = squares = self.column_sizes().astype(np.float64)
        if len(self._columns.data):
            sums, squares = np.empty(self.n_features), np.empty(self.n_features)
            column_curvatures(*self._columns, np.ones(self.n_samples), squares, sums)
        if self.fit_intercept:
            squares = np.maximum(squares - sums**2 / self.n_samples, 0.0)
        return np.sqrt(squares)

    def column_squares(self) -> Array:
        """Return Σ_i s_i x_ij² of every column."""
        squares, sums = np.empty(self.n_features), np.empty(self.n_features)
        column_curvatures(*self._columns, self.weight, squares, sums)
        return squares

    def column_reach(self) -> Array:
        """Return the most that |x_jᵀα| can be, of any residual α, for every column of a loss of one output."""
        # It is infinite where residuals have no bound; a column without cells is reached by none.
        reach = self.column_sizes() * self.weight.max(initial=0.0)
        if len(self._columns.data):
            reach = np.empty(self.n_features)
            correlate(np.abs(self._columns.data), *self._columns[1:], self.weight, reach)
        return np.asarray(np.multiply(self.loss.steepest, reach, out=np.zeros(self.n_features), where=reach > 0.0))

    def some_correlations(self, working_set: NDArray[np.intp], R: Array) -> Array:
        """Return x_jᵀα for the columns of a working set, one row per output like ``R``."""
        C = np.empty((len(R), len(working_set)))
        columns = self.columns(working_set)
        for row, alpha in zip(C, R, strict=True):
            correlate(*columns, alpha, row)
        return C

    def gram(self, working_set: NDArray[np.intp]) -> Array:
        """Return Σ_i s_i x_ij x_ik for the columns of a working set."""
        part = self._X[:, working_set]
        return np.asarray((part.T @ (sp.diags_array(self.weight) @ part)).toarray())

    def restrict(self, working_set: NDArray[np.intp], scale: Array) -> "LinearProblem":
        """Return the same problem over some columns, each times its ``scale``."""
        part = self._X[:, working_set] @ sp.diags_array(scale)
        return LinearProblem(part, self.y, self.loss, self.weight, self.fit_intercept)

    def view(self, working_set: NDArray[np.intp]) -> Self:
        """Return the same problem of one output over some columns, without a copy of them."""
        part = copy(self)
        part._columns = self._columns.take(working_set)
        part.n_features = len(working_set)
        return part

    def curvature_diagonal(self, h: Array) -> Array:
        """Return the diagonal of the Hessian in W, shape (n_features, n_outputs)."""
        if self.loss.scalar_curvature:
            squares, sums = np.empty(self.n_features), np.empty(self.n_features)
            column_curvatures(*self._columns, h[:, 0], squares, sums)
            return squares[:, None]
        values, words, ends = self.rows
        D = np.zeros((self.n_features, self.n_outputs))
        every = np.arange(self.n_features, dtype=np.int32)
        correlate_rows(values**2, words, ends, every, self.weight[:, None] * h * (1.0 - h), D)
        return D


def canonical_columns(X: Any) -> sp.csc_array:
    """Return X by columns, cells that are stored more than once added up; the caller's matrix is never written to."""
    X = sp.csc_array(X, dtype=np.float64)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
