"""Warm-started runs over many penalties, from the level at which all weights are zero."""

from collections.abc import Sequence

import numpy as np

from laconic.core.penalties.base import Penalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import InMemoryProblem, Problem
from laconic.core.solution import Solution, Step
from laconic.kernels._compile import announce_compilation
from laconic.solvers.dispatch import solve, structure_of
from laconic.solvers.warm_path import Trail
from laconic.solvers.warm_start import WarmStart

FIRST, MOST = 4, 16  # points ahead
HOPE = 0.9  # of the tolerance is the gap hoped for in the middle of a line
TINY = 1e-300


def solve_path(
    problem: InMemoryProblem,
    penalties: Sequence[Penalty],
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    solver: str = "auto",
) -> list[Solution]:
    """Solve for each penalty from the solutions of its neighbours; strong penalties should come first."""
    # Points are solved ahead from the line through the last two, those between taken from the line where its gap
    # allows. That gap grows with the third power of the distance (words enter and leave at kinks), which says how far
    # to go next.
    if solver == "auto":
        penalties = [structure_of(penalty, problem.n_outputs)[1] for penalty in penalties]
    solutions: dict[int, Solution] = {}
    trail = Trail(problem)
    warm = WarmStart(trail=trail)

    def solve_at(i: int, before: Solution | None) -> None:
        solutions[i] = solve(problem, penalties[i], before, tol, max_iter, warm, solver)

    def fill(a: int, b: int) -> float:
        """Solve all between two solved points; return the gap of the line between them in its middle."""
        if b - a <= 1:
            return 0.0
        middle = (a + b) // 2
        line = trail.between(penalties[middle])
        gap = np.inf if line is None else line.relative_gap
        if line is not None and gap <= tol:
            solutions[middle] = line
        else:
            solve_at(middle, solutions[a])
        fill(a, middle)
        fill(middle, b)
        return gap

    lines = not any(isinstance(penalty, OverlappingPenalty) for penalty in penalties)
    if penalties:
        solve_at(0, start)
    here, stride = 0, FIRST if lines else 1
    while here < len(penalties) - 1:
        there = min(here + stride, len(penalties) - 1)
        solve_at(there, solutions[here])
        gap, span = fill(here, there), there - here
        if span == 1 and here > 0:
            # Nothing lies between: the line over the point before says how far apart points may be.
            line = trail.between(penalties[here])
            gap, span = np.inf if line is None else line.relative_gap, 2
        if lines:
            further = np.clip((HOPE * tol / max(gap, TINY)) ** (1.0 / 3.0), 0.5, 2.0)
            stride = int(np.clip(round(span * further), 1, MOST))
        here = there
        trail.forget(2)
    return [solutions[i] for i in range(len(penalties))]


def largest_factor(problem: Problem, penalty: Penalty) -> float:
    """Return the factor on the penalty's norms from which on all weights are zero (λ_max of a path)."""
    announce_compilation()
    F = np.zeros((problem.n_samples, problem.n_outputs))
    return penalty.lambda_max(problem.correlations(problem.residual(F + problem.intercept(F))))


def empty(problem: Problem) -> Solution:
    """Return the solution without weights, optimal from ``largest_factor`` on: its residual is a dual point there."""
    W = np.zeros((problem.n_features, problem.n_outputs))
    F = np.zeros((problem.n_samples, problem.n_outputs))
    b = problem.intercept(F)
    objective, bound = problem.loss_value(F + b), problem.dual_value(problem.admit(problem.residual(F + b)))
    return Solution(W, b, objective, min(bound, objective), trace=(Step(objective, bound, 0),))
