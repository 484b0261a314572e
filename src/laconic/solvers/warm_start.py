"""Where a solve begins: at the solution of a similar problem, as far as this problem allows it, or at zero weights."""

from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.core.sign_constraints import cut
from laconic.core.solution import Solution
from laconic.solvers.warm_path import Point


def admissible(problem: Any, start: Solution, sides: Any = None) -> tuple[Array, Array]:
    """Return weights on the sides they may take, and the intercept, zero where the problem fixes it at zero."""
    b = start.intercept if problem.fit_intercept else np.zeros(problem.n_outputs)
    return cut(start.weights, sides).copy(), b.copy()


def start_point(problem: Any, penalty: Any, start: Solution | None) -> Point | None:
    """Return where a start leads, None where there is none or zero weights are as good."""
    if start is None or not start.weights.any():
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # far away an objective may be infinite
        point = Point(problem, penalty, *admissible(problem, start, penalty.sides))
    # Far from the optimum curvatures vanish, and steps of Newton's method lead nowhere or further away.
    return point if point.objective < zero_point(problem, penalty).objective else None


def zero_point(problem: Any, penalty: Any) -> Point:
    """Return zero weights with the best intercept for them."""
    W, F = (np.zeros((size, problem.n_outputs)) for size in (problem.n_features, problem.n_samples))
    return Point(problem, penalty, W, np.zeros(problem.n_outputs), F)
