r"""The problem over a working set: its columns brought here, or a model whose data stay in the partitions.

The words that a sparse model looks at stand in a small part of all cells. Where these fit into this process
(`Gathered`) a round needs no sums over partitions but the last one: the problem over the working set is solved here, by
the solvers and with the loss of a fit in memory, and partitions only say what its residual means to all other words.
Columns that have come once are kept; every later round asks for the new words alone.

Elsewhere (`SummedModels`) partitions add up slope and curvature over the working set. With the curvature :math:`G =
R^\top R` the quadratic model is least squares over as many rows as the set has weights, :math:`\tfrac12\|y - Rw\|^2`
with :math:`R^\top(y - Rw_0) = g`, so *any* solver for *any* penalty minimises it here, in memory, to a proven accuracy.
Partitions then add up the loss after the step, which is shortened where it led to less than predicted.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from laconic.core.losses import Array, Squared
from laconic.core.problem import Columns, LinearProblem
from laconic.core.solution import Solution
from laconic.partitions.passes import Candidate, Part, Weights
from laconic.partitions.penalties import Closed, Minimised, Overlapping
from laconic.partitions.problem import LossModel, PartitionedProblem

# Of a step: the full length is asked for first, since it mostly serves, and shorter ones only where it does not.
LENGTHS: tuple[tuple[float, ...], ...] = ((1.0,), (0.5, 0.25, 0.125), tuple(0.5**i for i in range(4, 16)))
NEAR = 1e-2  # relative progress from which on the predicted residual is the better dual point
SHARE, LEAST = 0.05, 0.2  # a model is minimised to this share of the last gap, at the end of the tolerance
STEADY, SLOW = 0.02, 0.2  # old curvature serves after so small a progress, as long as it leaves less of the gap
JITTER = 1e-13


class Moved(NamedTuple):
    """Where a round has led; ``dual_value`` is that of the candidate times a factor, ``steps`` counts Newton steps."""

    weights: Array
    intercept: Array
    objective: float
    candidate: Candidate
    dual_value: Callable[[float], float]
    steps: int


class SummedModels:
    """The quadratic models of a fit; near the end the curvature of an earlier point serves for several rounds."""

    def __init__(self, problem: PartitionedProblem) -> None:
        self._problem = problem
        self._known: tuple[NDArray[np.intp], LossModel] | None = None
        self._root: tuple[NDArray[np.intp], Array] | None = None
        self._old = self._near = False

    def judge(self, share: float) -> None:
        """Take new curvature next time, where the old left more of the gap than it may."""
        if self._old and share > SLOW:
            self._known = None

    def move(
        self,
        shape: Closed | Overlapping,
        J: NDArray[np.intp],
        point: Weights,
        old: Array,
        objective: float,
        relative: float,
        tol: float,
    ) -> Moved | None:
        """Return where the model over a working set leads from a point, or None where nothing falls any more."""
        K = self._problem.n_outputs
        model, root = self._at(point, J)
        allowed = max(SHARE * min(relative, 1.0), LEAST * tol) * objective
        new, shadow, _ = _minimised(model, root, shape, old, allowed)
        step = Weights(J, (new - old).reshape(-1, K), model.move(new - old))
        dual = Weights(J, (shadow - old).reshape(-1, K), model.move(shadow - old))
        predicted = model.change(new - old) + shape.value(new) - shape.value(old)
        candidate = Candidate(point, dual, None, model.at)
        for lengths in LENGTHS:
            tried = self._problem.try_steps(candidate, step, lengths)
            penalties = (shape.value(old + t * (new - old)) for t in lengths)
            values = [float(loss) + penalty for loss, penalty in zip(tried.losses, penalties, strict=True)]
            # The first length that gains a fair part of what was predicted, as far as rounding lets one see.
            wanted = (0.25 * t * min(predicted, 0.0) + 1e-13 * objective for t in lengths)
            fair = [value - objective <= most for value, most in zip(values, wanted, strict=True)]
            if any(fair):
                break
        else:
            return None
        at = fair.index(True)
        t = lengths[at]
        moved = new if t == 1.0 else old + t * (new - old)
        b = point.intercept + t * step.intercept
        there = float(tried.losses[at]) + shape.value(moved)
        progress = (objective - there) / objective if objective > 0.0 else 0.0
        self._near = t == 1.0 and progress <= STEADY
        # Where the step was small, what the model predicted is feasible on the working set almost exactly.
        if t == 1.0 and progress <= NEAR:
            candidate = candidate._replace(totals=tried.predicted)
        else:
            candidate = Candidate(Weights.on(J, moved.reshape(-1, K), b), None, tried.totals[at])
        return Moved(moved, b, there, candidate, partial(self._problem.dual_value, candidate), 1)

    def _at(self, point: Weights, J: NDArray[np.intp]) -> tuple[LossModel, Array]:
        """Return the model at a point over a working set, and the root of its curvature."""
        self._old = self._near and self._known is not None and bool(np.isin(J, self._known[0]).all())
        if self._known is not None and self._old:
            features, known = self._known
            model = self._problem.gradient(point, J, known, np.searchsorted(features, J))
        else:
            model = self._problem.hessian(point, J)
            self._known, self._root = (J, model), None
        if self._root is None or not np.array_equal(self._root[0], J):
            self._root = J, _root(model.curvature)
        return model, self._root[1]


def _minimised(model: LossModel, root: Array, shape: Closed | Overlapping, old: Array, allowed: float) -> Minimised:
    """Minimise the model plus the penalty, as least squares."""
    rest = solve_triangular(root, model.slope, trans="T", check_finite=False)
    problem = LinearProblem(_columns(root), root @ old + rest, Squared(), fit_intercept=False)
    value = 0.5 * float(rest @ rest) + shape.value(old)
    start = Solution(old[:, None], np.zeros(1), value, -np.inf)
    return shape.minimise(problem, start, float(np.clip(allowed / max(value, 1e-300), 1e-14, 0.5)))


def _columns(R: Array) -> sp.csc_array:
    """Return an upper triangle as compressed columns."""
    n = len(R)
    lengths = np.arange(1, n + 1)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    rows = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    return sp.csc_array((R.T[np.tril_indices(n)], rows, ends), shape=(n, n))


def _root(G: Array) -> Array:
    """Return R with RᵀR = G, but for a trace on the diagonal that only shortens the step."""
    largest = float(G.diagonal().max(initial=0.0)) or 1.0
    trace = JITTER * len(G) * largest
    while True:
        try:
            return cholesky(G + trace * np.eye(len(G)), check_finite=False)
        except LinAlgError:
            trace *= 10.0


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
