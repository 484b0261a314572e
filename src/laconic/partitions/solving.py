r"""The outer loop for problems in partitions: working sets, solved in one place, and a certificate over all words.

A round: 1. the residual of a point, or the one that a model predicts, is made a dual point; its correlations with all
features are summed over partitions, and the bound they give is the certificate. It is the same certificate as in
memory: it does not depend on how the point was found. 2. Words that leave the dual set most join the working set.
3. Where its columns are few cells they are brought here, and the problem over them is solved as in memory
(`Gathered`); where they are not, partitions add up slope and curvature of the loss, and the quadratic model that these
make is minimised here (`SummedModels`).
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from laconic.core.losses import Array
from laconic.core.solution import Solution, Step
from laconic.partitions.passes import Candidate, Weights
from laconic.partitions.penalties import Closed, DualValue, Overlapping
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.subproblem import Gathered, Moved, SummedModels
from laconic.solvers.warm_start import admissible

SHARE, LEAST = 0.3, 0.3  # a working set is solved to this share of the last gap, at the end of the tolerance
CLOSE = 0.1  # gap from which on a set that is brought here is solved to the end at once
HERE, ROOM = 4000, 500  # features may join in one round: where their columns are brought here, and where not
STALLED = 5  # rounds without a smaller gap, after which no more is to be had in floating point
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
    """Minimise a loss in partitions plus a penalty to a relative duality gap; ``watch`` sees every round."""
    n, K = problem.n_features, problem.n_outputs
    zero = np.zeros((n, K)), np.zeros(K)
    W, b, begun, objective = _begun(problem, shape, *zero)
    if start is not None and start.weights.any():
        with np.errstate(over="ignore", invalid="ignore"):  # far away an objective may be infinite
            there = _begun(problem, shape, *admissible(problem.fit_intercept, start))
        # A start worse than zero weights is left, as in memory.
        W, b, begun, objective = there if there[3] < objective else _begun(problem, shape, *zero)
    inside: Any = W.any(axis=1)
    J = np.flatnonzero(inside)
    first = _weights(W, b)
    candidate = Candidate(first, None, begun.totals)
    dual_value: DualValue = partial(problem.dual_value, candidate)
    gathered, models = Gathered(problem, begun.sizes, begun.n_documents), SummedModels(problem)
    best_dual, smallest, stalled, idle, steps = -np.inf, np.inf, 0, 0, 0
    trace: list[Step] = []
    while True:
        C, value, _ = problem.dual_point(candidate)
        best_dual = max(best_dual, shape.bound(C, value, dual_value, inside))
        trace.append(Step(objective, best_dual, int(np.count_nonzero(W.any(axis=1)))))
        relative = (objective - best_dual) / objective if objective > 0.0 else 0.0
        if watch is not None:
            watch(Progress(len(trace) - 1, objective, best_dual, W, b))
        stalled = 0 if relative < smallest else stalled + 1
        models.judge(relative / smallest)
        smallest = min(smallest, relative)
        if relative <= tol or len(trace) > max_iter or stalled >= STALLED:
            break
        for room in (HERE, ROOM):
            wanted = shape.next_set(C, inside, np.asarray(W.any(axis=1)), tol, room)
            here = gathered.widened(wanted)
            if here is not None:
                break
        inside = wanted if here is None else here
        # The same words again: only a better solution over them can raise the bound.
        same = np.array_equal(J, np.flatnonzero(inside))
        idle = idle + 1 if same else 0
        if not same:
            J = np.flatnonzero(inside)
            shape.enter(problem, J)
        point, old = _weights(W, b), W[J].ravel()
        moved: Moved | None
        if here is not None:
            target = LEAST * tol if same or relative <= CLOSE else max(SHARE * min(relative, 1.0), LEAST * tol)
            moved = gathered.move(shape, J, point, old, 0.1**idle * target)
        else:
            if (n_weights := len(J) * K) > MOST:
                raise TooManyWordsError(
                    f"The fit would have to solve for {n_weights:,} weights at once, more than {MOST:,}: products of "
                    "so many words with each other do not fit into memory. Strengthen l1 (or the groups), or raise "
                    "min_df."
                )
            moved = models.move(shape, J, point, old, objective, relative, tol)
        if moved is None:
            break
        W[J] = moved.weights.reshape(-1, K)
        _, b, objective, candidate, dual_value, taken = moved
        steps += taken
    return Solution(
        weights=W,
        intercept=b if K == 1 else b - b.mean(),
        objective=objective,
        dual_objective=best_dual,
        converged=relative <= tol,
        iterations=steps,
        trace=tuple(trace),
    )


def _begun(
    problem: PartitionedProblem, shape: Closed | Overlapping, W: Array, b: Array
) -> tuple[Array, Array, Any, float]:
    """Return weights and intercept, what all partitions say about them, and the objective."""
    J = np.flatnonzero(W.any(axis=1))
    shape.enter(problem, J)
    begun = problem.begin(_weights(W, b))
    return W, b, begun, begun.loss + shape.value(W[J].ravel())


def _weights(W: Array, b: Array) -> Weights:
    return Weights.on(np.arange(len(W)), W, b)
