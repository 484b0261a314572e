r"""The papers' ADMM for norms of overlapping groups (Yogatama & Smith 2014), early stopping and all.

Every group g has a copy :math:`v_g` of its weights and multipliers :math:`u_g`; feature j has :math:`N_j` copies. A
round is

1. :math:`w, b \leftarrow \arg\min\ \mathrm{loss} + \lambda_1\|w\|_1 + \lambda_2\|w\|^2
   + \tfrac{\rho}{2}\sum_j N_j (w_j - \mu_j)^2`, where :math:`\mu_j` is the mean of the copies of
   :math:`v + u/\rho`: proximal gradient steps on the loss, all else being in the prox;
2. :math:`v_g \leftarrow z_g` shrunk by :math:`\lambda_g d_g/\rho`, where :math:`z_g = w_g - u_g/\rho`;
3. :math:`u \leftarrow u + \rho(v - Mw)`,

until w changes by less than a thousandth or 100 rounds are over. w predicts; the copies that are not zero say which
groups were selected. After step 3 :math:`\|u_g\| \le \lambda_g d_g`, so that :math:`\xi_g = -u_g` is a dual point and
the gap says how far from the optimum the rounds stopped.
"""

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.core.penalties.base import cut, soft
from laconic.core.penalties.group import GroupedPenalty, check_structure
from laconic.core.problem import Problem
from laconic.core.solution import Solution, Step
from laconic.kernels._compile import announce_compilation
from laconic.kernels.linear.overlapping import update_copies

INNER_TOL, INNER_MOST = 1e-5, 1000
DOUBLINGS = 60
CHUNKS = 8  # of groups, the same however many threads there are, so that sums are too
FAR, FASTER = 10.0, 2.0  # adaptive ρ: how far apart residuals may be, and what ρ is then multiplied or divided by


@dataclass(frozen=True)
class AdmmSettings:
    """How ADMM goes.

    Attributes
    ----------
    rho : float
        ρ, above 0.
    rounds : int
        At most so many.
    change : float
        Relative change of w from one round to the next, ‖Δw‖/‖w‖, below which to stop.
    inner_steps : int or None
        Proximal gradient steps a round; None goes on to a relative change of 1e-5.
    over_relaxation : float
        Between 0 and 2; 1 is the papers'.
    adaptive_rho : bool
        Double or halve ρ where primal and dual residuals are ten times apart.
    skip_children : bool
        For nested groups: set to zero unseen what lies in a group that became zero and weighs less than it.
        A heuristic.
    n_jobs : int or None
        Threads for the groups; −1 for all cores. The answer does not depend on it.

    Examples
    --------
    >>> AdmmSettings(rho=10.0).rounds
    100
    """

    rho: float = 1.0
    rounds: int = 100
    change: float = 1e-3
    inner_steps: int | None = None
    over_relaxation: float = 1.0
    adaptive_rho: bool = False
    skip_children: bool = False
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rho) and self.rho > 0.0):
            raise ValueError(f"rho is {self.rho}; it must be a finite number above 0.")
        if self.rounds < 1:
            raise ValueError(f"rounds is {self.rounds}; it must be at least 1.")
        if not (math.isfinite(self.change) and self.change >= 0.0):
            raise ValueError(f"change is {self.change}; it must be a finite number, 0 or larger.")
        if self.inner_steps is not None and self.inner_steps < 1:
            raise ValueError(f"inner_steps is {self.inner_steps}; it must be at least 1, or None for a tolerance.")
        if not 0.0 < self.over_relaxation < 2.0:
            raise ValueError(f"over_relaxation is {self.over_relaxation}; it must lie between 0 and 2.")
        if self.n_jobs is not None and self.n_jobs != -1 and self.n_jobs < 1:
            raise ValueError(f"n_jobs is {self.n_jobs}; it must be None, at least 1, or -1 for all cores.")


class AdmmResult(NamedTuple):
    """The solution, and the norm of every group's copy."""

    solution: Solution
    copy_norms: Array


def solve_admm(problem: Problem, penalty: GroupedPenalty, settings: AdmmSettings | None = None) -> AdmmResult:
    """Run ADMM from zero, for any groups."""
    announce_compilation()
    settings = AdmmSettings() if settings is None else settings
    copies = _Copies(penalty, problem.n_outputs, settings)
    weights = _Weights(problem, penalty)
    rho, change, done = settings.rho, math.inf, 0
    with copies:
        while done < settings.rounds:
            done += 1
            before = weights.W
            weights.move(rho * copies.count, copies.pull, settings.inner_steps)
            primal, dual = copies.update(weights.W, rho)
            change = float(np.linalg.norm(weights.W - before)) / max(float(np.linalg.norm(weights.W)), 1e-300)
            if change < settings.change:
                break
            if settings.adaptive_rho and (primal > FAR * rho * dual or rho * dual > FAR * primal):
                rho = rho * FASTER if primal > rho * dual else rho / FASTER
                copies.gather(rho)
    F = weights.G + weights.b
    objective = problem.loss_value(F) + penalty.value(weights.W)
    bound = _bound(problem, penalty, copies, F)
    nonzero = int(np.count_nonzero(weights.W.any(axis=1)))
    b = weights.b if problem.loss.scalar_curvature else weights.b - weights.b.mean()
    gap = (objective - bound) / objective if objective > 0.0 else 0.0
    message = "" if change < settings.change else _unfinished(done, change, settings, gap)
    trace = (Step(objective, bound, nonzero),)
    solution = Solution(weights.W, b, objective, bound, change < settings.change, done, trace, message=message)
    return AdmmResult(solution, copies.norms())


class _Weights:
    """w and b, and the proximal gradient steps that move them."""

    def __init__(self, problem: Problem, penalty: GroupedPenalty) -> None:
        self.problem, self.l2 = problem, penalty.l2
        self.l1: float | Array = penalty.l1
        self.sides = penalty.sides
        self.W = np.zeros((problem.n_features, problem.n_outputs))
        self.G = np.zeros((problem.n_samples, problem.n_outputs))
        self.b = problem.intercept(self.G)
        self.curvature = self._first_curvature()

    def move(self, quadratic: Array, pull: Array, steps: int | None) -> None:
        """Take steps on loss + λ₁‖w‖₁ + λ₂‖w‖² + Σ (quadratic_j w_j²/2 − pull_j w_j)."""
        problem, nothing = self.problem, np.zeros(self.problem.n_outputs)
        below = quadratic + 2.0 * self.l2
        for _ in range(INNER_MOST if steps is None else steps):
            F = self.G + self.b
            value = problem.loss_value(F)
            down = problem.correlations(problem.residual(F))
            for _ in range(DOUBLINGS):
                wanted = cut(self.curvature * self.W + down + pull, self.sides)
                new = soft(wanted, self.l1) / (self.curvature + below)
                step = new - self.W
                margins = problem.margins(new, nothing)
                shifted = self.b + problem.intercept(margins + self.b)
                predicted = value - float(np.vdot(down, step)) + 0.5 * self.curvature * float(np.vdot(step, step))
                if problem.loss_value(margins + shifted) <= predicted + 1e-12 * value:
                    break
                self.curvature *= 2.0
            self.W, self.G, self.b = new, margins, shifted
            # A step that rounding hides says nothing about the curvature.
            if self.curvature * float(np.vdot(step, step)) > 1e-10 * value:
                self.curvature *= 0.9
            if steps is None and np.linalg.norm(step) <= INNER_TOL * np.linalg.norm(new):
                break

    def _first_curvature(self) -> float:
        """Return the curvature of the loss along its own slope."""
        problem, F = self.problem, self.G + self.b
        slope = problem.correlations(problem.residual(F))
        along = problem.margins(slope, np.zeros(problem.n_outputs))
        square = float(np.vdot(slope, slope))
        curvature = float(np.vdot(along, problem.curvature_product(problem.curvature(F), along)))
        return curvature / square if square > 0.0 and curvature > 0.0 else 1.0


class _Copies:
    """Copies and multipliers of all groups, in chunks that threads take; used as a context that ends the threads."""

    def __init__(self, penalty: GroupedPenalty, n_outputs: int, settings: AdmmSettings) -> None:
        self.groups, self.radii, self.relax = penalty.groups, penalty.radii, settings.over_relaxation
        groups = self.groups
        self.v = np.zeros((len(groups.indices), n_outputs))
        self.u = np.zeros_like(self.v)
        self.pull = np.zeros((groups.n_features, n_outputs))
        self.count = np.bincount(groups.indices, minlength=groups.n_features).astype(np.float64)[:, None]
        self.zero = np.ones(len(groups), dtype=np.bool_)
        self.parent = np.full(len(groups), -1, dtype=np.int64)
        order, units = np.arange(len(groups)), np.arange(len(groups))
        if settings.skip_children:
            above = parents(groups)
            lighter = (above >= 0) & (groups.weights < groups.weights[np.maximum(above, 0)])
            self.parent = np.where(lighter, above, -1)
            order, units = _trees(groups, above)
        self.chunks = list(_cut(order, units, groups.sizes))
        jobs = (os.cpu_count() or 1) if settings.n_jobs == -1 else (settings.n_jobs or 1)
        self.threads = ThreadPoolExecutor(jobs) if jobs > 1 and len(self.chunks) > 1 else None

    def __enter__(self) -> "_Copies":
        return self

    def __exit__(self, *_: object) -> None:
        if self.threads is not None:
            self.threads.shutdown()

    def update(self, W: Array, rho: float) -> tuple[float, float]:
        """Update all copies and multipliers; return ‖v − Mw‖ and ‖v − old v‖."""
        W = np.ascontiguousarray(W)

        def chunk(order: NDArray[np.int64]) -> tuple[Array, Array]:
            pull, moved = np.zeros_like(self.pull), np.zeros(2)
            groups = self.groups
            spans = self.radii, groups.indptr, groups.indices, order
            update_copies(W, self.v, self.u, pull, rho, self.relax, *spans, self.parent, self.zero, moved)
            return pull, moved

        run = map if self.threads is None else self.threads.map
        self.pull, squares = np.zeros_like(self.pull), np.zeros(2)
        for pull, moved in run(chunk, self.chunks):
            self.pull += pull
            squares += moved
        return math.sqrt(squares[0]), math.sqrt(squares[1])

    def gather(self, rho: float) -> None:
        """Sum ρv + u of every feature's copies anew."""
        self.pull = self.total(rho * self.v + self.u)

    def total(self, rows: Array) -> Array:
        """Return the sum of the rows of every feature's copies."""
        groups = self.groups
        columns = [np.bincount(groups.indices, weights=column, minlength=groups.n_features) for column in rows.T]
        return np.stack(columns, axis=1).astype(np.float64)

    def norms(self) -> Array:
        """Return ‖v_g‖ of every group."""
        return norms_of_rows(self.v, self.groups)


def norms_of_rows(rows: Array, groups: Groups) -> Array:
    """Return the norm of every group's rows, one row a member."""
    if not len(groups):
        return np.zeros(0)
    return np.sqrt(np.add.reduceat(np.einsum("ak,ak->a", rows, rows), groups.indptr[:-1]))


def parents(groups: Groups) -> NDArray[np.int64]:
    """Return the smallest group around each nested group, −1 for none; of equal ones the later is in the earlier."""
    check_structure(groups, "tree", "skip_children", "set it to False.")
    above = np.full(len(groups), -1, dtype=np.int64)
    last = np.full(groups.n_features, -1, dtype=np.int64)
    for g in np.argsort(-groups.sizes, kind="stable"):
        members = groups.members(int(g))
        above[g] = last[members[0]]
        last[members] = g
    return above


def _trees(groups: Groups, above: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the groups tree by tree, parents first, and the number of the tree of each of them."""
    largest_first = np.argsort(-groups.sizes, kind="stable")
    root = np.arange(len(groups))
    for g in largest_first:
        if above[g] >= 0:
            root[g] = root[above[g]]
    order = largest_first[np.argsort(root[largest_first], kind="stable")]
    return order, root[order]


def _cut(order: NDArray[np.int64], units: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Cut the groups into chunks of about equal work, never inside a unit."""
    ends = np.cumsum(sizes[order])
    begins = np.flatnonzero(np.concatenate([[True], units[1:] != units[:-1]])) if len(units) else np.zeros(0, int)
    wanted = np.searchsorted(ends, np.arange(1, CHUNKS) * (ends[-1] / CHUNKS)) if len(ends) else np.zeros(0, int)
    cuts = np.unique(begins[np.minimum(np.searchsorted(begins, wanted), len(begins) - 1)]) if len(begins) else begins
    for part in np.split(order, cuts):
        if len(part):
            yield part


def _bound(problem: Problem, penalty: GroupedPenalty, copies: _Copies, F: Array) -> float:
    """Return the lower bound that the multipliers give, −inf where there is none."""
    groups, radii = penalty.groups, penalty.radii
    alpha = problem.admit(problem.residual(F))
    # With skipped children, and by rounding, multipliers may lie outside their balls.
    norms = norms_of_rows(copies.u, groups)
    back = np.divide(radii, norms, out=np.ones_like(norms), where=norms > radii)
    xi = -np.repeat(back, groups.sizes)[:, None] * copies.u
    r = problem.correlations(alpha) - copies.total(xi)
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (groups.n_features,))
    left = soft(cut(r, penalty.sides), l1)
    if penalty.l2 > 0.0:
        bound = problem.dual_value(alpha) - float(np.vdot(left, left)) / (4.0 * penalty.l2)
        return bound if math.isfinite(bound) else -math.inf
    # Without a ridge what is left is spread over the balls of its feature, which must then be so much larger.
    pulls = np.repeat(radii, groups.sizes)
    reach = l1 + np.bincount(groups.indices, weights=pulls, minlength=groups.n_features)
    if left[reach == 0.0].any():
        return -math.inf
    share = left / np.where(reach > 0.0, reach, 1.0)[:, None]
    grown = norms_of_rows(xi + pulls[:, None] * share[groups.indices], groups)
    live = radii > 0.0
    by_groups = float(np.max(grown[live] / radii[live], initial=0.0))
    by_l1 = 1.0 + float(np.abs(share[l1 > 0.0]).max(initial=0.0))
    # A sum, not max(): a NaN must not pass for a small number.
    growth = max(1.0, by_groups, by_l1) if math.isfinite(by_groups + by_l1) else math.inf
    bound = problem.dual_value(alpha / growth) if math.isfinite(growth) else -math.inf
    return bound if math.isfinite(bound) else -math.inf


def _unfinished(done: int, change: float, settings: AdmmSettings, gap: float) -> str:
    return (
        f"ADMM stopped after {done} rounds with w still changing by {change:.1e}, above change={settings.change:g}, at "
        f"a relative duality gap of {gap:.2e}. Raise rounds, try another rho (now {settings.rho:g}), or use "
        "solver='auto' for the optimum."
    )
