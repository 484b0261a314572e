"""Which solver takes which problem, and warm-started runs over many penalties."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from laconic.core.penalties.by_structure import without_groups
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty, GroupPenalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.penalties.tree import TreePenalty
from laconic.core.sign_constraints import BOTH, NEITHER, sides_of
from laconic.core.solution import Solution, Step
from laconic.solvers.certificate import certify
from laconic.solvers.newton import newton
from laconic.solvers.newton.newton import solve_newton
from laconic.solvers.overlapping import overlapping
from laconic.solvers.overlapping.overlapping import OverlappingMemory, solve_overlapping
from laconic.solvers.prox_newton import blocks, coordinate, multinomial, tree
from laconic.solvers.prox_newton.blocks import solve_blocks
from laconic.solvers.prox_newton.coordinate import solve_coordinate
from laconic.solvers.prox_newton.multinomial import solve_multinomial
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.solvers.warm_path import Trail

FIRST, MOST = 4, 16  # points ahead
HOPE = 0.9  # of the tolerance is the gap hoped for in the middle of a line
TINY = 1e-300
DUST = 1e-9  # of the largest weight
NOISE = 1e-12  # of a relative gap


def solve(
    problem: Any,
    penalty: Any,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
    memory: OverlappingMemory | None = None,
    solver: str = "auto",
) -> Solution:
    """Solve one problem with the solver that fits it, or with the one named.

    Without groups: Newton when all is smooth, coordinate descent when λ₁ > 0 or signs are asked for. With groups by
    their structure: blocks for disjoint ones, tree for nested ones, overlapping for all others; groups that are an
    elastic net are solved as one.

    Parameters
    ----------
    problem : LinearProblem
    penalty : Penalty
    start : Solution, optional
    tol : float
        Relative duality gap to stop at.
    max_iter : int
        Steps at most.
    trail, memory : optional
        Of earlier solves on the same problem (and the same groups): give the start, and grow by this solve.
    solver : {"auto", "blocks", "tree", "overlapping"}
        For penalties with groups.
    """
    if solver == "auto":
        penalty = _plain(penalty, problem.n_outputs)
    if isinstance(penalty, GroupedPenalty):
        return _solve_groups(problem, penalty, start, tol, max_iter, trail, memory, solver)
    return _solve_plain(problem, penalty, start, tol, max_iter, trail)


def _plain(penalty: Any, n_outputs: int) -> Any:
    """Return a penalty whose groups are an elastic net as that one, every other as it is."""
    plain = without_groups(penalty, n_outputs) if isinstance(penalty, GroupedPenalty) else None
    return penalty if plain is None else plain


def _solve_plain(
    problem: Any, penalty: Any, start: Solution | None, tol: float, max_iter: int, trail: Trail | None
) -> Solution:
    solver: Any
    smooth = not np.any(np.asarray(penalty.l1) > 0.0)
    if smooth and penalty.sides is not None and np.isin(penalty.sides, (BOTH, NEITHER)).all():
        return _without_banned(problem, penalty, start, tol, max_iter)
    if smooth and penalty.sides is None:
        solver, needs = solve_newton, newton.needs
    elif problem.loss.scalar_curvature:
        solver, needs = solve_coordinate, coordinate.needs
    else:
        solver, needs = solve_multinomial, multinomial.needs
    _check_needs(solver, needs, problem)
    with one_blas_thread():
        if solver is solve_newton:
            return solve_newton(problem, penalty, start, tol, max_iter)
        return _without_dust(problem, penalty, solver(problem, penalty, start, tol, max_iter, trail))


def _without_banned(problem: Any, penalty: Any, start: Solution | None, tol: float, max_iter: int) -> Solution:
    """Solve without l1 on the features that may be nonzero: a smooth problem over fewer columns."""
    sides = sides_of(penalty, problem.n_features, problem.n_outputs)
    live = np.flatnonzero(np.any(sides != NEITHER, axis=1))
    part = problem.restrict(live, np.ones(len(live)))
    if start is not None:
        start = replace(start, weights=start.weights[live])
    found = _solve_plain(part, ElasticNetPenalty(0.0, penalty.l2), start, tol, max_iter, None)
    weights = np.zeros(sides.shape)
    weights[live] = found.weights
    return replace(found, weights=weights)


def _solve_groups(
    problem: Any,
    penalty: GroupedPenalty,
    start: Solution | None,
    tol: float,
    max_iter: int,
    trail: Trail | None,
    memory: OverlappingMemory | None,
    solver: str,
) -> Solution:
    if solver == "auto":
        solver = _by_structure(penalty, problem.n_outputs)
    takes: Any = {"blocks": (blocks.needs, solve_blocks), "tree": (tree.needs, solve_tree)}
    needs, chosen = takes.get(solver, (overlapping.needs, solve_overlapping))
    _check_needs(chosen, needs, problem)
    with one_blas_thread():
        if chosen is solve_overlapping:
            return solve_overlapping(problem, penalty, start, tol, max_iter, memory)
        return chosen(problem, penalty, start, tol, max_iter, trail)


def _by_structure(penalty: GroupedPenalty, n_outputs: int) -> str:
    # Features without any penalty admit a dual point only up to rounding; the solver of any groups finds it best, but
    # for one output only.
    if n_outputs == 1 and penalty.l2 == 0.0 and not np.all(penalty._reached()):
        return "overlapping"
    if isinstance(penalty, GroupPenalty):
        return "blocks"
    return "tree" if isinstance(penalty, TreePenalty) else "overlapping"


def _check_needs(solver: Any, needs: frozenset[str], problem: Any) -> None:
    missing = sorted(name for name in needs if not hasattr(problem, name))
    if missing:
        raise TypeError(
            f"{solver.__name__}, the solver for this loss and penalty, needs a problem that offers "
            f"{', '.join(missing)}; {type(problem).__name__} does not."
        )


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


def one_blas_thread() -> Any:
    """Return a context in which BLAS runs on one thread.

    Matrices are small here, and threads that wait for each other on a busy machine cost ten times what they gain.
    """
    return _threads().limit(limits=1, user_api="blas")


@cache
def _threads() -> ThreadpoolController:
    """Return the handle on the BLAS libraries in use; looking for them takes longer than a small fit."""
    return ThreadpoolController()


def solve_path(
    problem: Any,
    penalties: Sequence[Any],
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    solver: str = "auto",
) -> list[Solution]:
    """Solve for each penalty from the solutions of its neighbours; strong penalties should come first.

    Some points are solved ahead, from the line through the last two; those between are taken from the line between two
    solved ones where its gap is small enough, and start there where it is not. How far ahead: as far as the gap of the
    last line in its middle lets one hope, since it grows with the third power of the distance (words enter and leave
    at kinks). Overlapping groups have no such line, and are solved one after the other.
    """
    if solver == "auto":
        penalties = [_plain(one, problem.n_outputs) for one in penalties]
    solutions: dict[int, Solution] = {}
    trail, memory = Trail(problem), OverlappingMemory()

    def solve_at(i: int, before: Solution | None) -> None:
        solutions[i] = solve(problem, penalties[i], before, tol, max_iter, trail, memory, solver)

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

    lines = not any(isinstance(one, OverlappingPenalty) for one in penalties)
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


def largest_factor(problem: Any, penalty: Any) -> float:
    """Return the factor on the penalty's norms from which on all weights are zero (λ_max of a path)."""
    F = np.zeros((problem.n_samples, problem.n_outputs))
    return penalty.lambda_max(problem.correlations(problem.residual(F + problem.intercept(F))))


def empty(problem: Any) -> Solution:
    """Return the solution without weights, optimal from ``largest_factor`` on: its residual is a dual point there."""
    W = np.zeros((problem.n_features, problem.n_outputs))
    F = np.zeros((problem.n_samples, problem.n_outputs))
    b = problem.intercept(F)
    objective, bound = problem.loss_value(F + b), problem.dual_value(problem.admit(problem.residual(F + b)))
    return Solution(W, b, objective, min(bound, objective), trace=(Step(objective, bound, 0),))
