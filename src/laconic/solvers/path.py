"""Which solver takes which problem, and warm-started runs over many penalties."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from laconic.core.solution import Solution
from laconic.solvers import coordinate, multinomial, newton
from laconic.solvers.certificate import certify
from laconic.solvers.coordinate import solve_coordinate
from laconic.solvers.multinomial import solve_multinomial
from laconic.solvers.newton import solve_newton

DUST = 1e-9  # of the largest weight
NOISE = 1e-12  # of a relative gap


def solve(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Solve one problem with the solver that fits it: Newton when all is smooth, coordinate descent when λ₁ > 0."""
    solver: Callable[..., Solution]
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
        solution = solver(problem, penalty, start=start, tol=tol, max_iter=max_iter)
        return solution if solver is solve_newton else _without_dust(problem, penalty, solution)


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
    """Solve for each penalty in turn, every one from the solution before it; strong penalties should come first."""
    solutions = []
    for penalty in penalties:
        start = solve(problem, penalty, start=start, tol=tol, max_iter=max_iter)
        solutions.append(start)
    return solutions


def largest_factor(problem: Any, penalty: Any) -> float:
    """Return the factor on the penalty's norms from which on all weights are zero (λ_max of a path)."""
    F = np.zeros((problem.n_samples, problem.n_outputs))
    return penalty.lambda_max(problem.correlations(problem.residual(F + problem.intercept(F))))
