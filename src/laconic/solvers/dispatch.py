"""Which solver takes which penalty on which problem: decided here for estimators, paths, grids and partitions alike.

==============  =====================================  ==========================================
structure       penalty                                solver
==============  =====================================  ==========================================
smooth          no l1, no signs (bans are cut out)     ``newton``, on any problem
elastic net     single weights with l1 or signs        ``coordinate``; ``multinomial`` for softmax
disjoint        groups that share no feature           ``blocks``
tree            groups that are nested or disjoint     ``tree``
overlapping     any groups                             ``overlapping``
==============  =====================================  ==========================================

All but the first need a problem in memory (`laconic.core.problem.InMemoryProblem`). Groups that are an elastic net are
solved as one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from laconic.core.groups import Groups
from laconic.core.penalties.base import BOTH, NEITHER, Penalty, Sides, sides_of
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty, GroupPenalty, TreePenalty, check_structure, group_penalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem, Problem, in_memory
from laconic.core.solution import Solution
from laconic.solvers.certificate import certify
from laconic.solvers.newton.newton import solve_newton
from laconic.solvers.overlapping.memory import OverlappingMemory
from laconic.solvers.overlapping.overlapping import solve_overlapping
from laconic.solvers.prox_newton.blocks import solve_blocks
from laconic.solvers.prox_newton.coordinate import solve_coordinate
from laconic.solvers.prox_newton.multinomial import solve_multinomial
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.solvers.warm_path import Trail, level_of
from laconic.solvers.warm_start import WarmStart

Structure = Literal["smooth", "elastic net", "disjoint", "tree", "overlapping"]
GroupSolver = Literal["auto", "blocks", "tree", "overlapping", "admm"]
GROUP_SOLVERS: tuple[str, ...] = get_args(GroupSolver)

DUST = 1e-9  # of the largest weight
NOISE = 1e-12  # of a relative gap
SLACK = 1e-6  # of the tolerance, between the margins a solver kept up to date and those of its weights

_PROXIMAL: dict[str, Callable[..., Solution]] = {
    "coordinate": solve_coordinate,
    "multinomial": solve_multinomial,
    "blocks": solve_blocks,
    "tree": solve_tree,
}


def structure_of(penalty: Penalty, n_outputs: int) -> tuple[Structure, Penalty]:
    """Return the simplest structure that a penalty has, and the penalty in that form."""
    if isinstance(penalty, GroupedPenalty):
        plain = without_groups(penalty, n_outputs)
        if plain is None:
            return _structure_of_groups(penalty, n_outputs), penalty
        penalty = plain
    constrained = penalty.sides is not None and not np.isin(penalty.sides, (BOTH, NEITHER)).all()
    return ("elastic net" if constrained or np.any(np.asarray(penalty.l1) > 0.0) else "smooth"), penalty


def _structure_of_groups(penalty: GroupedPenalty, n_outputs: int) -> Structure:
    # Features without any penalty admit a dual point only up to rounding; the solver of any groups finds it best, but
    # for one output only.
    if n_outputs == 1 and penalty.l2 == 0.0 and not np.all(penalty._reached()):
        return "overlapping"
    if isinstance(penalty, GroupPenalty):
        return "disjoint"
    return "tree" if isinstance(penalty, TreePenalty) else "overlapping"


def without_groups(penalty: GroupedPenalty, n_outputs: int) -> ElasticNetPenalty | None:
    """Return the elastic net that is the same penalty (λ_g = 0, or one output and groups of one feature), or None."""
    groups = penalty.groups
    if penalty.radii.any() and (n_outputs > 1 or len(groups.indices) > len(groups)):
        return None
    singles = np.bincount(groups.indices, weights=np.repeat(penalty.radii, groups.sizes), minlength=groups.n_features)
    l1 = np.asarray(penalty.l1 + singles, dtype=np.float64)
    # A feature without any penalty, beside others that have one, is left to the solvers of groups.
    if penalty.l2 == 0.0 and l1.any() and not l1.all():
        return None
    # One level for all makes the bound cheaper.
    return ElasticNetPenalty(float(l1[0]) if len(l1) and np.all(l1 == l1[0]) else l1, penalty.l2, penalty.sides)


def penalty_on(
    groups: Groups, solver: str, group: float, l1: float | NDArray[np.float64], l2: float, sides: Sides | None
) -> GroupedPenalty:
    """Return the penalty on groups as a solver takes it, for "auto" the simplest that their structure allows."""
    if solver == "auto":
        return group_penalty(groups, group, l1, l2, sides)
    if solver in ("blocks", "tree"):
        wanted: Literal["disjoint", "tree"] = "disjoint" if solver == "blocks" else "tree"
        check_structure(groups, wanted, f"solver={solver!r}", "solver='auto' picks a solver that fits them.")
    kinds: dict[str, type[GroupedPenalty]] = {"blocks": GroupPenalty, "tree": TreePenalty}
    return kinds.get(solver, OverlappingPenalty)(groups, group, l1, l2, sides)


def solve(
    problem: Problem,
    penalty: Penalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    warm: WarmStart | None = None,
    solver: str = "auto",
) -> Solution:
    """Solve to a relative duality gap by the solver that fits, or the one named for groups; ``warm`` grows by this."""
    name, penalty = _chosen(problem, penalty, solver)
    warm = WarmStart() if warm is None else warm
    with one_blas_thread():
        return _checked(problem, penalty, _solved(name, problem, penalty, start, tol, max_iter, warm), tol)


def _solved(
    name: str, problem: Problem, penalty: Penalty, start: Solution | None, tol: float, max_iter: int, warm: WarmStart
) -> Solution:
    """Return what the solver of that name finds."""
    if name == "newton":
        return _solve_smooth(problem, penalty, start, tol, max_iter)
    here = in_memory(problem, f"solve_{name}")
    if name == "overlapping" and isinstance(penalty, GroupedPenalty):
        warm.memory = warm.memory or OverlappingMemory()
        return solve_overlapping(here, penalty, start, tol, max_iter, warm.memory)
    solution = _PROXIMAL[name](here, penalty, start, tol, max_iter, warm.trail)
    return solution if isinstance(penalty, GroupedPenalty) else _without_dust(problem, penalty, solution)


def _checked(problem: Problem, penalty: Penalty, solution: Solution, tol: float) -> Solution:
    """Return a solution with the objective of its own weights; it has converged only if its gap then says so."""
    # One pass over the columns in use. The bound needs none: it holds for all weights, whichever it was found at.
    W, b = solution.weights, solution.intercept
    checked = replace(solution, objective=problem.loss_value(problem.margins(W, b)) + penalty.value(W))
    if not solution.converged or checked.dual_objective == -np.inf:
        return checked
    return replace(checked, converged=bool(checked.relative_gap <= tol * (1.0 + SLACK) + NOISE))


def solve_next(
    problem: Problem, penalty: Penalty, warm: WarmStart, tol: float, max_iter: int, solver: str = "auto"
) -> Solution:
    """Solve from what solves with stronger penalties left, and leave as much."""
    level = level_of(penalty if solver != "auto" else structure_of(penalty, problem.n_outputs)[1])
    # A trail leads downhill: where the grid jumps back up, a new one begins.
    if level > 0.0 and (warm.trail is None or level > warm.level):
        warm.trail = Trail(in_memory(problem, "solve_next"))
    warm.last = solve(problem, penalty, warm.last, tol, max_iter, warm, solver)
    warm.level = level
    if warm.trail is not None:
        warm.trail.forget(2)
    return warm.last


def _chosen(problem: Problem, penalty: Penalty, solver: str) -> tuple[str, Penalty]:
    """Return the name of a solver, and the penalty as it takes it."""
    if isinstance(penalty, GroupedPenalty) and solver != "auto":
        return solver, penalty
    structure, penalty = structure_of(penalty, problem.n_outputs)
    if structure == "smooth" and (penalty.sides is None or isinstance(problem, LinearProblem)):
        return "newton", penalty
    if structure in ("smooth", "elastic net"):
        return ("coordinate" if problem.loss.scalar_curvature else "multinomial"), penalty
    return ("blocks" if structure == "disjoint" else structure), penalty


def _solve_smooth(problem: Problem, penalty: Penalty, start: Solution | None, tol: float, max_iter: int) -> Solution:
    """Solve without l1, and without the features that must be zero: a smooth problem over fewer columns."""
    if penalty.sides is None or not isinstance(problem, LinearProblem):
        return solve_newton(problem, penalty, start, tol, max_iter)
    sides = sides_of(penalty.sides, problem.n_features, problem.n_outputs)
    live = np.flatnonzero(np.any(sides != NEITHER, axis=1))
    part = problem.restrict(live, np.ones(len(live)))
    if start is not None:
        start = replace(start, weights=start.weights[live])
    solution = solve_newton(part, ElasticNetPenalty(0.0, penalty.l2), start, tol, max_iter)
    weights = np.zeros(sides.shape)
    weights[live] = solution.weights
    return replace(solution, weights=weights)


def _without_dust(problem: Problem, penalty: Penalty, solution: Solution) -> Solution:
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


def one_blas_thread() -> AbstractContextManager[object]:
    """Return a context in which BLAS has one thread: on small matrices threads that wait cost ten times their gain."""
    limit: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limit


@cache
def _threads() -> ThreadpoolController:
    """Return the handle on the BLAS libraries in use; looking for them takes longer than a small fit."""
    return ThreadpoolController()
