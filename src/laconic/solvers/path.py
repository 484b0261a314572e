"""Which solver takes which problem, and warm-started runs over many penalties."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from laconic.core.solution import Solution
from laconic.solvers.coordinate import solve_coordinate
from laconic.solvers.multinomial import solve_multinomial
from laconic.solvers.newton import solve_newton


def solve(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Solve one problem with the solver that fits it: Newton when all is smooth, coordinate descent when λ₁ > 0."""
    solver: Callable[..., Solution]
    if not np.any(np.asarray(penalty.l1) > 0.0):
        solver = solve_newton
    elif problem.loss.scalar_curvature:
        solver = solve_coordinate
    else:
        solver = solve_multinomial
    # The matrices are small, and BLAS threads that wait for each other on a busy machine cost ten times what they gain.
    with _threads().limit(limits=1, user_api="blas"):
        return solver(problem, penalty, start=start, tol=tol, max_iter=max_iter)


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
