"""Words that substitute for one another: a model selects one or the other, and it hardly matters which.

Two words are substitutes if their columns are nearly the same (absolute correlation of at least 0.8), or if they are
not independent (at least 0.1) and the models of the resamples choose between them: one is selected where the other is
not (correlation of their selections at most −0.4, and each without the other in a tenth of the models). Words linked
in this way, directly or through others, form one group, which is in a model if any of its words is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import connected_components

from laconic.core.problem import canonical_columns

SAME = 0.8
ALIKE = 0.1
INSTEAD = -0.4
OFTEN = 0.1
SELDOM = 0.05


def stand_ins(X: Any, selected: NDArray[np.bool_]) -> list[tuple[list[int], float]]:
    """Return groups of columns, the most often selected first, each with the share of models that selected any of them.

    ``selected`` says which model (row) selected which column of ``X``.
    """
    frequency = selected.mean(axis=0)
    some = np.flatnonzero(frequency > SELDOM)
    if not len(some):
        return []
    columns = _Columns(canonical_columns(X), some)
    first: list[NDArray] = []
    second: list[NDArray] = []
    for part in np.array_split(np.arange(len(some)), max(1, len(some) * selected.shape[1] // 10_000_000)):
        together = np.abs(columns.correlations(part))
        same = together >= SAME
        choices = _correlation(selected[:, some[part]], selected)
        both = selected[:, some[part]].T.astype(np.float64) @ selected / len(selected)
        alone = np.minimum(frequency[some[part]][:, None] - both, frequency - both)
        instead = (choices <= INSTEAD) & (together >= ALIKE) & (alone >= OFTEN)
        rows, linked_to = np.nonzero(same | instead)
        first.append(some[part][rows])
        second.append(linked_to)
    a, b = np.concatenate(first), np.concatenate(second)
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(frequency),) * 2)
    _, labels = connected_components(graph, directed=False)
    linked = np.unique(np.concatenate([a[a != b], b[a != b]]))
    groups = []
    for label in np.unique(labels[linked]):
        members = linked[labels[linked] == label]
        members = members[np.argsort(-frequency[members], kind="stable")]
        groups.append((members.tolist(), float(selected[:, members].any(axis=1).mean())))
    return sorted(groups, key=lambda group: (-group[1], group[0]))


class _Columns:
    """Correlations of some columns with all columns, without a dense copy of the matrix."""

    def __init__(self, X: csc_array, some: NDArray[np.intp]) -> None:
        n = X.shape[0]
        self.mean = np.asarray(X.sum(axis=0)).ravel() / n
        squares = np.asarray(X.power(2).sum(axis=0)).ravel() / n
        self.deviation = np.sqrt(np.maximum(squares - self.mean**2, 0.0))
        self.X, self.some, self.n = X, some, n

    def correlations(self, part: NDArray[np.intp]) -> NDArray[np.float64]:
        own = self.some[part]
        products = (self.X[:, own].T @ self.X).toarray() / self.n
        covariance = products - np.outer(self.mean[own], self.mean)
        scale = np.outer(self.deviation[own], self.deviation)
        return np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0.0)


def _correlation(A: NDArray[np.bool_], B: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the correlation of every column of A with every column of B; 0 where a column is constant."""
    a, b = A - A.mean(axis=0), B - B.mean(axis=0)
    scale = np.outer(np.sqrt((a**2).sum(axis=0)), np.sqrt((b**2).sum(axis=0)))
    products = a.T @ b
    return np.divide(products, scale, out=np.zeros_like(products), where=scale > 0.0)
