"""Where a solve begins: at what solves of the same problem left, at a solution of a similar one, or at zero weights."""

from dataclasses import dataclass

import numpy as np

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty, Sides, cut
from laconic.core.problem import Problem
from laconic.core.solution import Solution
from laconic.solvers.overlapping.memory import OverlappingMemory
from laconic.solvers.warm_path import Point, Trail


@dataclass
class WarmStart:
    """What solves of one problem and its groups leave to the next; ``level`` is how strong the last penalty was."""

    last: Solution | None = None
    trail: Trail | None = None
    memory: OverlappingMemory | None = None
    groups: Groups | None = None
    level: float = np.inf


def admissible(fit_intercept: bool, start: Solution, sides: Sides | None = None) -> tuple[Array, Array]:
    """Return weights on the sides they may take, and the intercept, zero where the problem fixes it at zero."""
    b = start.intercept if fit_intercept else np.zeros_like(start.intercept)
    return cut(start.weights, sides).copy(), b.copy()


def start_point(problem: Problem, penalty: Penalty, start: Solution | None) -> Point | None:
    """Return where a start leads, None where there is none or zero weights are as good."""
    if start is None or not start.weights.any():
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # far away an objective may be infinite
        point = Point(problem, penalty, *admissible(problem.fit_intercept, start, penalty.sides))
    # Far from the optimum curvatures vanish, and steps of Newton's method lead nowhere or further away.
    return point if point.objective < zero_point(problem, penalty).objective else None


def zero_point(problem: Problem, penalty: Penalty) -> Point:
    """Return zero weights with the best intercept for them."""
    W, F = (np.zeros((size, problem.n_outputs)) for size in (problem.n_features, problem.n_samples))
    return Point(problem, penalty, W, np.zeros(problem.n_outputs), F)
