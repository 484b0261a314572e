"""Which solver takes which problem, and warm-started runs over many penalties."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from laconic.core.solution import Solution
from laconic.solvers import coordinate, multinomial, newton
from laconic.solvers.certificate import certify
from laconic.solvers.coordinate import solve_coordinate
from laconic.solvers.multinomial import solve_multinomial
from laconic.solvers.newton import solve_newton
from laconic.solvers.trail import Trail

STRIDE = 8
DUST = 1e-9  # of the largest weight
NOISE = 1e-12  # of a relative gap


def solve(
    problem: Any,
    penalty: Any,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Solve one problem with the solver that fits it: Newton when all is smooth, coordinate descent when λ₁ > 0.

    A ``trail`` of earlier solves on the same problem gives the start, and grows by this one.
    """
    solver: Any
    if not np.any(np.asarray(penalty.l1) > 0.0):
        solver, needs = solve_newton, newton.needs
    elif problem.loss.scalar_curvature:
        solver, needs = solve_coordinate, coordinate.needs
    else:
        solver, needs = solve_multinomial, multinomial.needs
    missing = sorted(name for name in needs if not hasattr(problem, name))
    if missing:
        raise TypeError(
            f"{solver.__name__}, the solver for this loss and penalty, needs a problem that offers "
            f"{', '.join(missing)}; {type(problem).__name__} does not."
        )
    # The matrices are small, and BLAS threads that wait for each other on a busy machine cost ten times what they gain.
    with _threads().limit(limits=1, user_api="blas"):
        if solver is solve_newton:
            return solve_newton(problem, penalty, start, tol, max_iter)
        return _without_dust(problem, penalty, solver(problem, penalty, start, tol, max_iter, trail))


def _without_dust(problem: Any, penalty: Any, solution: Solution) -> Solution:
    """Set weights that only rounding keeps from zero to zero, if that leaves the certificate as good as it was."""
    size = np.abs(solution.weights)
    dust = (size > 0.0) & (size <= DUST * size.max(initial=0.0))
    if not dust.any():
        return solution
    W = np.where(dust, 0.0, solution.weights)
    F = problem.margins(W, solution.intercept)
    shift = problem.intercept(F)
    objective, dual, _ = certify(problem, penalty, W, F + shift)
    tidy = replace(
        solution,
        weights=W,
        intercept=solution.intercept + shift,
        objective=objective,
        dual_objective=max(dual, solution.dual_objective),
    )
    return tidy if tidy.relative_gap <= solution.relative_gap + NOISE else solution


@cache
def _threads() -> ThreadpoolController:
    """Return the handle on the BLAS libraries in use; looking for them takes longer than a small fit."""
    return ThreadpoolController()


def solve_path(
    problem: Any, penalties: Sequence[Any], start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> list[Solution]:
    """Solve for each penalty from the solutions of its neighbours; strong penalties should come first.

    Every eighth is solved ahead; those between then start from the line between two solved ones.
    """
    solutions: dict[int, Solution] = {}
    trail = Trail(problem)

    def solve_at(i: int, before: Solution | None) -> None:
        solutions[i] = solve(problem, penalties[i], before, tol, max_iter, trail)

    def fill(a: int, b: int) -> None:
        if b - a > 1:
            middle = (a + b) // 2
            solve_at(middle, solutions[a])
            fill(a, middle)
            fill(middle, b)

    anchors = sorted({*range(0, len(penalties), STRIDE), *range(len(penalties))[-1:]})
    for a, b in pairwise([0, *anchors]):
        solve_at(b, solutions.get(a, start))
        fill(a, b)
        trail.forget(2)
    return [solutions[i] for i in range(len(penalties))]


def largest_factor(problem: Any, penalty: Any) -> float:
    """Return the factor on the penalty's norms from which on all weights are zero (λ_max of a path)."""
    F = np.zeros((problem.n_samples, problem.n_outputs))
    return penalty.lambda_max(problem.correlations(problem.residual(F + problem.intercept(F))))
