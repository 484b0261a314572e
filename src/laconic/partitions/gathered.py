"""`Gathered`: the columns of a working set, brought here where they are few cells.

The words that a sparse model looks at stand in a small part of all cells. Where these fit into this process, a round
needs no sums over partitions but the last one: the problem over the working set is solved here, by the solvers and
with the loss of a fit in memory, and partitions only say what its residual means to all other words. Columns that have
come once are kept; every later round asks for the new words alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.problem import Columns, LinearProblem
from laconic.core.solution import Solution
from laconic.partitions.passes import Candidate, Part, Weights
from laconic.partitions.penalties import Closed, Overlapping
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.quadratic import Moved

MOST_CELLS = 1 << 23  # and documents, of a problem that is solved here: 32 MB of row numbers, 200 MB while they come


class GatheredProblem(LinearProblem):
    """A problem of one output over columns that are here; only what solvers ask for that look at columns."""

    def __init__(self, columns: Columns, y: Array, weight: Array, problem: PartitionedProblem) -> None:
        self._columns, self.y, self.weight = columns, y, weight
        self.loss, self.fit_intercept = problem.loss, problem.fit_intercept
        self.n_samples, self.n_features, self.n_outputs = len(y), len(columns.start), 1


class Gathered:
    """The columns that a fit has asked for so far; ``sizes`` are the cells of every column."""

    def __init__(self, problem: PartitionedProblem, sizes: NDArray[np.int64], n_documents: int) -> None:
        self._problem, self._sizes, self._n_documents = problem, sizes, n_documents
        self._forget()

    def _forget(self) -> None:
        nothing = np.zeros(self._problem.n_features, dtype=np.int32)
        self._columns = Columns(np.empty(0), np.empty(0, dtype=np.uint16), nothing, nothing.copy())
        self._here = np.zeros(self._problem.n_features, dtype=np.bool_)
        self._y = self._s = np.empty(0)

    def widened(self, inside: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        """Return a working set with all words that are here already, or None where it has too many cells."""
        if self._problem.n_outputs > 1:
            return None
        for wanted in (inside | self._here, inside):
            if int(self._sizes[wanted].sum()) + self._n_documents <= MOST_CELLS:
                if np.any(self._here & ~wanted):
                    self._forget()
                return wanted
        return None

    def move(
        self, shape: Closed | Overlapping, J: NDArray[np.intp], point: Weights, old: Array, target: float
    ) -> Moved:
        """Return the solution over a working set, to a relative gap, from a point; no word outside is looked at."""
        new = J[~self._here[J]]
        if len(new) or not len(self._y):
            self._fetch(new)
        problem = GatheredProblem(self._columns.take(J), self._y, self._s, self._problem)
        start = Solution(old[:, None], point.intercept, np.inf, -np.inf)
        w, shadow, steps = shape.minimise(problem, start, target)
        b, F = _with_intercept(problem, w, point.intercept)
        objective = problem.loss_value(F) + shape.value(w)
        c, F = (b, F) if shadow is w else _with_intercept(problem, shadow, b)
        alpha = problem.residual(F)
        totals = problem.loss.totals(problem.y, alpha, problem.weight)
        alpha = problem.admit(alpha)
        candidate = Candidate(Weights.on(J, shadow[:, None], c), None, totals)
        return Moved(w, b, objective, candidate, lambda factor: problem.dual_value(factor * alpha), steps)

    def _fetch(self, new: NDArray[np.intp]) -> None:
        parts = self._problem.gather(new)
        if not len(self._y):
            self._y = np.concatenate([part.targets for part in parts])
            self._s = np.concatenate([part.weights for part in parts])
        fetched, old = joined(parts), self._columns
        data = old.data
        if len(fetched.data) or len(data):
            data = np.concatenate([_filled(old), _filled(fetched)])
        indices = np.concatenate([old.indices.astype(fetched.indices.dtype, copy=False), fetched.indices])
        old.start[new], old.stop[new] = fetched.start + len(old.indices), fetched.stop + len(old.indices)
        self._columns = Columns(data, indices, old.start, old.stop)
        self._here[new] = True


def joined(parts: list[Part]) -> Columns:
    """Return the columns of several blocks together, their rows block after block."""
    ends = np.concatenate([[0], np.cumsum(np.sum([part.sizes for part in parts], axis=0))]).astype(np.int32)
    n_documents = sum(len(part.targets) for part in parts)
    indices: Any = np.empty(int(ends[-1]), dtype=np.uint16 if n_documents <= 1 << 16 else np.uint32)
    data = np.ones(len(indices)) if any(len(part.values) for part in parts) else np.empty(0)
    begins, first = ends[:-1].astype(np.int64), 0
    for part in parts:
        # Where each cell of the block goes: to its column, behind those of the blocks before.
        places = np.repeat(begins - (np.cumsum(part.sizes) - part.sizes), part.sizes) + np.arange(len(part.rows))
        indices[places] = part.rows + indices.dtype.type(first)
        if len(part.values):
            data[places] = part.values
        begins += part.sizes
        first += len(part.targets)
    return Columns(data, indices, ends[:-1], ends[1:])


def _filled(columns: Columns) -> Array:
    return columns.data if len(columns.data) else np.ones(len(columns.indices))


def _with_intercept(problem: LinearProblem, w: Array, b: Array) -> tuple[Array, Array]:
    """Return the best intercept for some weights, from one near it, and their margins."""
    F = problem.margins(w[:, None], b)
    shift = problem.intercept(F)
    return b + shift, F + shift
