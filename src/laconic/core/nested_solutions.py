"""``NestedSolutions``: models each of which has the words of the one before and some more.

A pursuit makes thousands of them in a tenth of a second. All share one list of words, and a solution becomes an object
when it is asked for.
"""

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from laconic.core.path import SparseSolution
from laconic.core.solution import Solution

NO_WEIGHTS = np.empty((0, 1))


class NestedSolutions(Sequence[SparseSolution]):
    """Solutions by the order in which words entered: solution i has ``values[i]`` for the first of ``order``."""

    def __init__(
        self,
        order: NDArray[np.intp],
        values: Sequence[NDArray[np.float64]],
        intercepts: Sequence[float] | Sequence[NDArray[np.float64]],
        objectives: Sequence[float],
        n_features: int,
    ) -> None:
        self._order, self._values, self._n_features = order, values, n_features
        self._intercepts, self._objectives = intercepts, objectives

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, step: int) -> SparseSolution: ...

    @overload
    def __getitem__(self, step: slice) -> "NestedSolutions": ...

    def __getitem__(self, step: int | slice) -> "SparseSolution | NestedSolutions":
        if isinstance(step, slice):
            part = self._values[step], self._intercepts[step], self._objectives[step]
            return NestedSolutions(self._order, *part, self._n_features)
        values = self._values[step] if self._values[step].ndim == 2 else self._values[step][:, None]
        rest = Solution(values[:0], np.atleast_1d(self._intercepts[step]), self._objectives[step], -np.inf)
        return SparseSolution(self._order[: len(values)], values, self._n_features, rest)
