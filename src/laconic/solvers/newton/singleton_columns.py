r"""Words of a single document, put together: what a ridge makes of them follows from the document alone.

More than half of a vocabulary stands in one document only. Under a ridge the private words j of document i have
weights in proportion to their cells, :math:`w_j = x_j u_i/r_i` with :math:`r_i^2 = \sum_j x_j^2`, and penalty
:math:`\lambda_2u_i^2`: one unknown takes the place of all. It enters one margin, so that Newton's method can solve for
it: with residual gradient g of the step

.. math:: d_u = (g_u - r h z)/2\lambda_2, \qquad z = (X d + d_0 + r g_u/2\lambda_2) / (1 + r^2h/2\lambda_2)

and the words that are shared see the curvature :math:`h/(1 + r^2h/2\lambda_2)`, the smaller the weaker the ridge:
conjugate gradients need fewer steps, over fewer words.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.problem import LinearProblem, Problem
from laconic.core.solution import Solution


class PrivateWords(Problem):
    """A problem of one output whose last unknowns, one a document, stand for its private words."""

    def __init__(self, problem: LinearProblem) -> None:
        self.y, self.weight, self.loss, self.fit_intercept = (
            problem.y,
            problem.weight,
            problem.loss,
            problem.fit_intercept,
        )
        self.n_samples, self.n_outputs = problem.n_samples, problem.n_outputs
        sizes = problem.column_sizes()
        self._whole_size = problem.n_features
        self._shared, self._alone = np.flatnonzero(sizes > 1), np.flatnonzero(sizes == 1)
        data, indices, start, _ = problem.columns(self._alone)
        self._rows: NDArray[np.intp] = indices[start].astype(np.intp)
        self._cells = data[start] if len(data) else np.ones(len(start))
        squares = np.bincount(self._rows, self._cells**2, minlength=problem.n_samples)
        self.root = np.sqrt(squares)[:, None]
        self.shared = problem.view(self._shared)
        self.n_features = len(self._shared) + problem.n_samples

    def margins(self, W: Array, b: Array) -> Array:
        """Return X W + b."""
        return self.shared.margins(W[: len(self._shared)], b) + self.root * W[len(self._shared) :]

    def correlations(self, alpha: Array) -> Array:
        """Return Xᵀα for all unknowns."""
        return np.vstack([self.shared.correlations(alpha), self.root * alpha])

    def curvature_diagonal(self, h: Array) -> Array:
        """Return the diagonal of the Hessian in the unknowns."""
        return np.vstack([self.shared.curvature_diagonal(h), self.root**2 * h])

    def contract(self, solution: Solution) -> Solution:
        """Return a solution over all words as one over these unknowns."""
        given = solution.weights[self._alone, 0] * self._cells
        own = np.bincount(self._rows, given, minlength=len(self.root))[:, None]
        own = np.divide(own, self.root, out=np.zeros_like(own), where=self.root > 0.0)
        return replace(solution, weights=np.vstack([solution.weights[self._shared], own]))

    def expand(self, solution: Solution) -> Solution:
        """Return a solution over these unknowns as one over all words."""
        weights = np.zeros((self._whole_size, 1))
        weights[self._shared] = solution.weights[: len(self._shared)]
        own = solution.weights[len(self._shared) :]
        weights[self._alone, 0] = self._cells * (own / np.where(self.root > 0.0, self.root, 1.0))[self._rows, 0]
        return replace(solution, weights=weights)


def worth_it(problem: LinearProblem) -> bool:
    """Say whether private words are so many that one unknown a document is fewer."""
    one_output = problem.loss.scalar_curvature and problem.n_outputs == 1
    return one_output and int((problem.column_sizes() == 1).sum()) > problem.n_samples
