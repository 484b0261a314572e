"""Weights of the columns that a pursuit has chosen, refitted by kernels: one for each column, or one for each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.problem import LinearProblem
from laconic.core.solution import NO_WEIGHTS, Solution, SparseSolution
from laconic.kernels.linear import pursuit as one_output
from laconic.kernels.linear import softmax_model, softmax_pursuit, softmax_refit
from laconic.kernels.linear.refit import CHOSEN, INTERCEPT, LOSS, SQUARE, Target, look_at_all, new_model, refit

if TYPE_CHECKING:
    from laconic.solvers.pursuit.pursuit import Pursuit

KINDS = {"logistic": 0, "squared": 1}
COMPILED = (*KINDS, "softmax")
SEPARATED = 1e-6  # loss per document below which a fit without a ridge is said to have no optimum

Rows = tuple[Array, NDArray[np.int32], NDArray[np.int32]]  # cells, numbers of columns, where each row begins and ends


class Compiled:
    """Weights of the chosen columns, refitted by kernels."""

    state: Any

    def __init__(self, problem: LinearProblem, wanted: Pursuit, norms: Array) -> None:
        self._problem, self._wanted = problem, wanted
        self._lengths = np.sqrt(problem.column_squares())
        self.ridge = wanted.l2 * (norms**2 if wanted.scaled else np.ones(problem.n_features))
        data, indices, start, stop = problem.columns(np.arange(problem.n_features))
        # One type of row numbers: the kernels are the largest of all, and looks at documents are far between anyway.
        self.columns = data, indices.astype(np.uint32, copy=False), start, stop
        unbounded = wanted.l2 == 0.0 and problem.loss.classifies
        # A loss as small as this, without a ridge, is on its way to zero.
        self.vanishing = SEPARATED * float(problem.weight.sum()) if unbounded else -1.0

    def _row_sizes(self) -> NDArray[np.intp]:
        return np.bincount(self.columns[1], minlength=self._problem.n_samples)

    def _memory(self, scale: Array) -> Array:
        """Return what a search starts from: no score yet, and the length of the longest column as searched."""
        return np.array([0.0, float((self._lengths * scale).max(initial=0.0))])

    @property
    def objective(self) -> float:
        """Loss and ridge."""
        return float(self.state.sums[LOSS] + self.state.sums[SQUARE])

    @property
    def separated(self) -> bool:
        """Whether a loss without a ridge has gone to zero."""
        return self.objective <= self.vanishing


class OneOutput(Compiled):
    """Weights of one output."""

    def __init__(self, problem: LinearProblem, wanted: Pursuit, norms: Array, most: int) -> None:
        super().__init__(problem, wanted, norms)
        self.target = Target(problem.y, problem.weight, KINDS[problem.loss.name], problem.fit_intercept)
        intercept = float(problem.intercept(np.zeros((problem.n_samples, 1)))[0])
        self.state = new_model(self._row_sizes(), min(most, problem.n_features), intercept)
        look_at_all(self.columns, self.target, self.state)

    def search(self, scale: Array) -> one_output.Search:
        """Return a search for columns of these scales."""
        n, p = self._problem.n_samples, self._problem.n_features
        tops = np.empty(-(-p // one_output.BLOCK))
        return one_output.Search(np.zeros(p), np.zeros(n), scale == 0.0, scale, tops, self._memory(scale))

    def pursue(self, rows: Rows, search: Any, weights: Array, records: Array) -> int:
        """Take columns, and write weights and records of every step; return the number of steps."""
        data = self.columns, rows, self.target, self.ridge, self.state, search
        limits = self._wanted.precision, self._wanted.tol, self.vanishing
        return int(one_output.pursue_columns(*data, *limits, weights[:, 0], records))

    @property
    def features(self) -> NDArray[np.intp]:
        """The chosen columns, in their order."""
        return np.asarray(self.state.words.order[: self.state.counts[CHOSEN]], dtype=np.intp)

    @property
    def residual(self) -> Array:
        """α, one row."""
        return np.asarray(self.state.documents.alpha)[None, :]

    @property
    def length(self) -> float:
        """‖α‖."""
        return float(np.linalg.norm(self.state.documents.alpha))

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        refit(self.columns, self.target, features.astype(np.int32), self.ridge, self.state, self._wanted.tol)

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        rest = Solution(NO_WEIGHTS, self.state.sums[INTERCEPT : INTERCEPT + 1].copy(), self.objective, -np.inf)
        features = self.features
        return SparseSolution(
            features, self.state.words.w[: len(features), None].copy(), self._problem.n_features, rest
        )


class SeveralClasses(Compiled):
    """Weights of several classes."""

    def __init__(self, problem: LinearProblem, wanted: Pursuit, norms: Array, most: int) -> None:
        super().__init__(problem, wanted, norms)
        n, y = problem.n_samples, problem.y.astype(np.int64, copy=False)
        self.target = softmax_model.Target(y, problem.weight, np.arange(n, dtype=np.uint32), problem.fit_intercept)
        intercept = problem.intercept(np.zeros((n, problem.n_outputs)))
        self.state = softmax_model.new_model(self._row_sizes(), min(most, problem.n_features), intercept)
        softmax_model.look_at_all(self.columns, self.target, self.state)

    def search(self, scale: Array) -> softmax_pursuit.Search:
        """Return a search for columns of these scales."""
        (n, K), p = self.state.documents.P.shape, self._problem.n_features
        near = np.zeros((n, K))
        near[np.arange(n), self.target.y] = 1.0  # of these probabilities the residual, and with it C, is zero
        flags = np.zeros(p, dtype=np.bool_), scale == 0.0
        return softmax_pursuit.Search(np.zeros((p, K)), near, np.zeros(p), *flags, scale, self._memory(scale))

    def pursue(self, rows: Rows, search: Any, weights: Array, records: Array) -> int:
        """Take columns, and write weights and records of every step; return the number of steps."""
        data = self.columns, rows, self.target, self.ridge, self.state, search
        limits = self._wanted.precision, self._wanted.tol, self.vanishing
        return int(softmax_pursuit.pursue_columns(*data, *limits, weights, records))

    @property
    def features(self) -> NDArray[np.intp]:
        """The chosen columns, in their order."""
        return np.asarray(self.state.words.order[1 : self.state.counts[CHOSEN] + 1], dtype=np.intp)

    @property
    def residual(self) -> Array:
        """A, one row per class."""
        R: Array = np.multiply(self.state.documents.P.T, -self.target.weight, order="C")
        R[self.target.y, self.target.everyone] += self.target.weight
        return R

    @property
    def length(self) -> float:
        """‖A‖."""
        return float(softmax_pursuit.residual_length(self.target, self.state.documents.P))

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        data = self.columns, self.target, features.astype(np.int32), self.ridge, self.state
        softmax_refit.refit(*data, self._wanted.tol)

    def refit_from(self, weights: Array, intercept: Array) -> None:
        """Take all columns with these weights, and refit by Newton's method."""
        features = np.arange(self._problem.n_features, dtype=np.int32)
        softmax_refit.refit(self.columns, self.target, features, self.ridge, self.state, np.inf)  # joins, moves nothing
        self.state.words.W[0], self.state.words.W[1:] = intercept, weights
        softmax_model.descend_by_newton(self.columns, self.target, self.state, self._wanted.tol)

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        W, features = self.state.words.W, self.features
        rest = Solution(np.empty((0, W.shape[1])), W[0] - W[0].mean(), self.objective, -np.inf)
        return SparseSolution(features, W[1 : len(features) + 1].copy(), self._problem.n_features, rest)


def compiled_weights(problem: LinearProblem, wanted: Pursuit, norms: Array, most: int) -> OneOutput | SeveralClasses:
    """Return the model of a loss in `COMPILED` without words, with room for ``most`` of them."""
    return (SeveralClasses if problem.loss.name == "softmax" else OneOutput)(problem, wanted, norms, most)
