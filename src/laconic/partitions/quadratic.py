r"""Models whose data stay in the partitions: slope and curvature over a working set, minimised as least squares.

With the curvature :math:`G = R^\top R` the quadratic model is least squares over as many rows as the set has weights,
:math:`\tfrac12\|y - Rw\|^2` with :math:`R^\top(y - Rw_0) = g`, so *any* solver for *any* penalty minimises it here, in
memory, to a proven accuracy. Partitions then add up the loss after the step, which is shortened where it led to less
than predicted.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from laconic.core.losses import Array, Squared
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.partitions.passes import Candidate, Weights
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
