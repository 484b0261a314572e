r"""Proximal Newton for a problem in partitions: the solvers of a machine, run on a small stand-in for the data.

A round: 1. partitions add up slope g and curvature G of the loss at the point, in the weights of a working set only;
2. with :math:`G = R^\top R` the quadratic model is least squares over as many rows as the set has weights,
:math:`\tfrac12\|y - Rw\|^2` with :math:`R^\top(y - Rw_0) = g`, so *any* solver for *any* penalty minimises it here, in
memory, to a proven accuracy; 3. partitions add up the loss after the step, shortened where it led to less than
foretold; 4. the residual that the model foretells, or that of the new point, is made a dual point, its correlations
with all features are summed over partitions, and the bound they give is the certificate. It is the same certificate as
in memory: it does not depend on how the point was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from laconic.core.losses import Array, Squared
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution, Step
from laconic.partitions.passes import Candidate, Weights
from laconic.partitions.problem import Bend, PartitionedProblem, Tried
from laconic.partitions.shapes import Closed, Overlapping

LENGTHS: tuple[float, ...] = (1.0, 0.5, 0.25, 0.125)
SHORTER = tuple(0.5**i for i in range(4, 16))
NEAR = 1e-2  # relative progress from which on the foretold residual is the better dual point
SHARE, LEAST = 0.05, 0.2  # a model is minimised to this share of the last gap, at the end of the tolerance
STALLED = 5  # rounds without a smaller gap, after which no more is to be had in floating point
STEADY, SLOW = 0.02, 0.2  # old curvature serves after so small a progress, as long as it leaves less of the gap
JITTER = 1e-13
MOST = 12_000  # unknowns of a model: one matrix of this size is 1.2 GB

Watch = Callable[["Progress"], None]


class TooManyWordsError(ValueError):
    """The penalty is too weak for the words to be solved for in one place."""


class Progress(NamedTuple):
    """Where a fit is: what a bar shows, and all that is needed to go on from here."""

    iteration: int
    objective: float
    dual_objective: float
    weights: Array
    intercept: Array


def solve_partitioned(
    problem: PartitionedProblem,
    shape: Closed | Overlapping,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    watch: Watch | None = None,
) -> Solution:
    """Minimise the loss of a problem in partitions plus a penalty.

    Parameters
    ----------
    problem : PartitionedProblem
    shape : Closed or Overlapping
        The penalty.
    start : Solution, optional
        Where to start; zero weights without it.
    tol : float
        Relative duality gap to stop at.
    max_iter : int
        Rounds at most.
    watch : callable, optional
        Sees the progress of every round.
    """
    n, K = problem.n_features, problem.n_outputs
    W = np.zeros((n, K)) if start is None else start.weights.copy()
    b = np.zeros(K) if start is None else start.intercept.copy()
    inside: Any = W.any(axis=1)
    J = np.flatnonzero(inside)
    shape.enter(problem, J)
    tried = problem.try_steps(Candidate(_weights(W, b), None), None, (0.0,))
    objective = float(tried.losses[0]) + shape.value(W[J].ravel())
    candidate = Candidate(_weights(W, b), None, tried.totals[0])
    models = _Models(problem)
    best_dual, stalled, smallest = -np.inf, 0, np.inf
    trace: list[Step] = []
    while True:
        C, value, _ = problem.seek(candidate)
        best_dual = max(best_dual, shape.bound(problem, candidate, C, value, inside))
        trace.append(Step(objective, best_dual, int(np.count_nonzero(W.any(axis=1)))))
        relative = (objective - best_dual) / objective if objective > 0.0 else 0.0
        if watch is not None:
            watch(Progress(len(trace) - 1, objective, best_dual, W, b))
        stalled = 0 if relative < smallest else stalled + 1
        models.judge(relative / smallest)
        smallest = min(smallest, relative)
        if relative <= tol or len(trace) > max_iter or stalled >= STALLED:
            break
        inside = shape.next_set(C, inside, np.asarray(W.any(axis=1)), tol)
        if not np.array_equal(J, np.flatnonzero(inside)):
            J = np.flatnonzero(inside)
            _check_size(len(J) * K)
            shape.enter(problem, J)
        point, old = _weights(W, b), W[J].ravel()
        bend, root = models.at(point, J)
        allowed = max(SHARE * min(relative, 1.0), LEAST * tol) * objective
        new, shadow = _minimised(bend, root, shape, old, allowed)
        step = Weights(J, (new - old).reshape(-1, K), bend.move(new - old))
        dual = Weights(J, (shadow - old).reshape(-1, K), bend.move(shadow - old))
        foretold = bend.change(new - old) + shape.value(new) - shape.value(old)
        candidate = Candidate(point, dual, None, bend.at)
        for lengths in (LENGTHS, SHORTER):
            tried = problem.try_steps(candidate, step, lengths)
            at = _first(tried, lengths, shape, old, new, objective, foretold)
            if at is not None:
                break
        else:
            break
        t = lengths[at]
        moved = new if t == 1.0 else old + t * (new - old)
        W[J], b = moved.reshape(-1, K), b + t * step.intercept
        before, objective = objective, float(tried.losses[at]) + shape.value(moved)
        progress = (before - objective) / before if before > 0.0 else 0.0
        models.near = t == 1.0 and progress <= STEADY
        # Where the step was small, what the model foretold is feasible on the working set almost exactly.
        if t == 1.0 and progress <= NEAR:
            candidate = candidate._replace(totals=tried.foretold)
        else:
            candidate = Candidate(_weights(W, b), None, tried.totals[at])
    return Solution(
        weights=W,
        intercept=b if K == 1 else b - b.mean(),
        objective=objective,
        dual_objective=best_dual,
        converged=relative <= tol,
        iterations=len(trace) - 1,
        trace=tuple(trace),
    )


def _check_size(n: int) -> None:
    if n > MOST:
        raise TooManyWordsError(
            f"The fit would have to solve for {n:,} weights at once, more than {MOST:,}: products of so many words "
            "with each other do not fit into memory. Strengthen l1 (or the groups), or raise min_df."
        )


def _weights(W: Array, b: Array) -> Weights:
    support = np.flatnonzero(W.any(axis=1))
    return Weights(support, W[support], b)


class _Models:
    """The quadratic models of a fit; near the end the curvature of an earlier point serves for several rounds."""

    def __init__(self, problem: PartitionedProblem) -> None:
        self._problem = problem
        self._known: tuple[NDArray[np.intp], Bend] | None = None
        self._root: tuple[NDArray[np.intp], Array] | None = None
        self._old = False
        self.near = False

    def judge(self, share: float) -> None:
        """Take new curvature next time, where the old left more of the gap than it may."""
        if self._old and share > SLOW:
            self._known = None

    def at(self, point: Weights, J: NDArray[np.intp]) -> tuple[Bend, Array]:
        """Return the model at a point over a working set, and the root of its curvature."""
        self._old = self.near and self._known is not None and bool(np.isin(J, self._known[0]).all())
        if self._known is not None and self._old:
            features, known = self._known
            bend = self._problem.lean(point, J, known, np.searchsorted(features, J))
        else:
            bend = self._problem.bend(point, J)
            self._known, self._root = (J, bend), None
        if self._root is None or not np.array_equal(self._root[0], J):
            self._root = J, _root(bend.curvature)
        return bend, self._root[1]


def _minimised(bend: Bend, root: Array, shape: Closed | Overlapping, old: Array, allowed: float) -> tuple[Array, Array]:
    """Minimise the model plus the penalty, as least squares."""
    rest = solve_triangular(root, bend.slope, trans="T", check_finite=False)
    model = LinearProblem(_columns(root), root @ old + rest, Squared(), fit_intercept=False)
    value = 0.5 * float(rest @ rest) + shape.value(old)
    start = Solution(old[:, None], np.zeros(1), value, -np.inf)
    return shape.minimise(model, start, float(np.clip(allowed / max(value, 1e-300), 1e-14, 0.5)))


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


def _first(
    tried: Tried,
    lengths: tuple[float, ...],
    shape: Closed | Overlapping,
    old: Array,
    new: Array,
    objective: float,
    foretold: float,
) -> int | None:
    """Return the first length that gains a fair part of what was foretold, as far as rounding lets one see."""
    for i, t in enumerate(lengths):
        there = float(tried.losses[i]) + shape.value(old + t * (new - old))
        if there - objective <= 0.25 * t * min(foretold, 0.0) + 1e-13 * objective:
            return i
    return None
