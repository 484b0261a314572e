r"""Orthogonal matching pursuit for a loss: one atom after another, each followed by a refit of all that was chosen.

Start with the intercept alone. While the budget lasts: score every atom (a column, or a group of columns) by its
correlation with the residual α, take the best, and minimise

.. math:: \sum_i s_i\,\ell(y_i, x_i^\top\theta + b) + \lambda\|\theta\|_2^2, \qquad \mathrm{supp}\,\theta \subseteq I

over the chosen columns I. (Lozano, Świrszcz & Abe 2011; Skianis, Tziortziotis & Vazirgiannis 2018.)

With columns of unit length the root of every criterion moves by no more than the residual does, so the scores of an
older residual bound those of this one, and most steps look at a few columns only (``Scout``). Refits start from the
last weights; for one output they are compiled, and look at the documents of the new words and of those that must answer
them. Where atoms are single columns the whole loop is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.nested_solutions import NO_WEIGHTS, NestedSolutions
from laconic.core.path import SparseSolution
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.sign_constraints import Sides
from laconic.core.solution import Solution
from laconic.kernels._compile import announce_compilation
from laconic.kernels.linear.pursuit import BLOCK, Search, pursue_columns
from laconic.kernels.linear.refit import CHOSEN, INTERCEPT, LOSS, SQUARE, Target, look_at_all, new_model, refit
from laconic.solvers.dispatch import solve
from laconic.solvers.newton.newton import SEPARABLE
from laconic.solvers.pursuit.atom_search import Atoms, Criterion, Scout, inverse_lengths

KINDS = {"logistic": 0, "squared": 1}
STEPS_AT_ONCE = 250  # in one call of a kernel, which cannot be interrupted
SEPARATED = 1e-6  # loss per document below which a fit without a ridge is said to have no optimum


@dataclass(frozen=True)
class Pursuit:
    """What a pursuit is asked to do.

    Attributes
    ----------
    budget : int
        Features at most; a group may exceed it where ``overshoot`` allows.
    l2 : float
        λ of the refits.
    precision : float
        ε: stops when ‖X_Gᵀα‖² of the winner (|x_jᵀα| for single columns) is at most this.
    unit_norm : bool
        Whether columns are searched at unit length.
    criterion : Criterion
    overshoot : {"allow", "skip", "trim"}
        What happens to a group that does not fit into the budget: it is taken whole, passed over, or its best members
        are taken.
    paying : bool
        Whether only those members of a group are taken that score at least the group's mean.
    scaled : bool
        Whether refits penalise columns of unit length, i.e. λ‖x_j‖²θ_j².
    tol : float
        Refits end within about this share of the least objective.
    kept, banned : ndarray of int
        Columns that are taken before all others, and that are never taken.
    sides : ndarray of int8, optional
        Which sides of zero weights may take: a column is as good as its pull to an allowed side.
    factors : ndarray, optional
        By what columns have been divided: they are searched at, and where asked penalised by, their length before that.
    """

    budget: int
    l2: float = 0.1
    precision: float = 0.0
    unit_norm: bool = True
    criterion: Criterion = field(default_factory=Criterion)
    overshoot: Literal["allow", "skip", "trim"] = "allow"
    paying: bool = False
    scaled: bool = False
    tol: float = 1e-6
    kept: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    banned: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    sides: Sides | None = None
    factors: Array | None = None


class Entry(NamedTuple):
    """One step of a pursuit: the atom, the features that entered by it, and what was reached."""

    atom: int
    features: tuple[int, ...]
    score: float
    objective: float
    residual: float


class Pursued(NamedTuple):
    """The models of all steps, the intercept alone first, what entered at each, and why it ended before its budget."""

    solutions: Sequence[SparseSolution]
    entries: list[Entry]
    message: str


def pursue(
    problem: LinearProblem, atoms: Atoms, wanted: Pursuit, stop: Callable[[SparseSolution], bool] | None = None
) -> Pursued:
    """Choose atoms one by one.

    Parameters
    ----------
    problem : LinearProblem
        Must offer ``columns`` and ``column_squares``.
    atoms : Atoms
        Groups of columns to choose from; all singletons for plain OMP.
    wanted : Pursuit
    stop : callable, optional
        Sees the model of every step and may end the pursuit.
    """
    announce_compilation()
    norms = np.sqrt(problem.column_squares()) * (1.0 if wanted.factors is None else wanted.factors)
    scale = inverse_lengths(norms) if wanted.unit_norm else np.ones(problem.n_features)
    plain = wanted.sides is None and not len(wanted.kept)
    if plain and problem.loss.name in KINDS and wanted.criterion.name != "projection":
        columns = atoms.single_columns(problem.n_features)
        if columns is not None:
            columns[wanted.banned] = -1
            return _pursue_columns(problem, columns, scale, norms, wanted, stop)
    return _pursue_atoms(problem, atoms, scale, norms, wanted, stop)


def _pursue_atoms(
    problem: LinearProblem,
    atoms: Atoms,
    scale: Array,
    norms: Array,
    wanted: Pursuit,
    stop: Callable[[SparseSolution], bool] | None,
) -> Pursued:
    """Search and refit in turns, for atoms and losses of every kind."""
    most = max(wanted.budget, len(wanted.kept)) + int(np.diff(atoms.ends).max(initial=0))
    model: _OneOutput | _AnyLoss
    if problem.loss.name in KINDS and wanted.sides is None:
        model = _OneOutput(problem, wanted, norms, most)
    else:
        model = _AnyLoss(problem, wanted, norms)
    scout = Scout(problem, atoms, wanted.criterion, scale, wanted.sides)
    return pursue_with(model, scout, wanted, problem.n_features, len(atoms.ends) - 1, stop)


def pursue_with(
    model: Any,
    scout: Any,
    wanted: Pursuit,
    n_features: int,
    n_atoms: int,
    stop: Callable[[SparseSolution], bool] | None = None,
) -> Pursued:
    """Search and refit in turns.

    Parameters
    ----------
    model : object
        Weights of the chosen columns: offers ``features``, ``residual``, ``length`` (of the residual), ``objective``,
        ``separated``, ``add(features)`` and ``solution()``.
    scout : object
        Finds the next atom: offers ``best(residual, room)``, ``remove(features)`` and ``some_left()``.
    wanted : Pursuit
    n_features, n_atoms : int
    stop : callable, optional
        Sees the model of every step and may end the pursuit.
    """
    scout.remove(wanted.banned)
    solutions = [model.solution()]
    entries: list[Entry] = []
    message = ""
    if len(wanted.kept):
        scout.remove(wanted.kept)
        model.add(wanted.kept)
        solutions.append(model.solution())
        entries.append(Entry(n_atoms, tuple(wanted.kept.tolist()), np.nan, model.objective, model.length))
    while len(model.features) < wanted.budget:
        room = wanted.budget - len(model.features)
        found = scout.best(model.residual, room if wanted.overshoot == "skip" else n_features)
        if found is None or found.undivided <= wanted.precision:
            if wanted.precision == 0.0:
                message = _why_early(len(model.features), wanted, scout.some_left())
            break
        chosen = found.features
        if wanted.paying:
            chosen = chosen[found.sizes**2 >= np.mean(found.sizes**2) * (1.0 - 1e-12)]
        if wanted.overshoot == "trim" and len(chosen) > room:
            sizes = found.sizes[np.isin(found.features, chosen)]
            chosen = np.sort(chosen[np.argsort(-sizes, kind="stable")[:room]])
        scout.remove(chosen)
        model.add(chosen)
        solutions.append(model.solution())
        entries.append(Entry(found.atom, tuple(chosen.tolist()), found.score, model.objective, model.length))
        if stop is not None and stop(solutions[-1]):
            break
        if model.separated:
            message = _separated(len(model.features))
            break
    return Pursued(solutions, entries, message)


def _pursue_columns(
    problem: LinearProblem,
    atom_of: NDArray[np.intp],
    scale: Array,
    norms: Array,
    wanted: Pursuit,
    stop: Callable[[SparseSolution], bool] | None,
) -> Pursued:
    """Search for single columns and refit, many steps in one kernel; ``atom_of`` is −1 for columns out of reach."""
    model = _OneOutput(problem, wanted, norms, wanted.budget)
    scale = np.where(atom_of >= 0, scale, 0.0)
    cells, numbers, ends = problem.rows()
    scaled = scale[numbers] if len(cells) == 0 else scale[numbers] * cells
    reach = float((np.sqrt(problem.column_squares()) * scale).max(initial=0.0))
    n_blocks = -(-problem.n_features // BLOCK)
    search = Search(
        C=np.zeros(problem.n_features),
        near=np.zeros(problem.n_samples),
        gone=scale == 0.0,
        scale=scale,
        tops=np.empty(n_blocks),
        memory=np.array([0.0, reach]),
    )
    empty = model.solution()
    values, intercepts, objectives = [empty.values[:, 0]], empty.rest.intercept.tolist(), [empty.rest.objective]
    entries: list[Entry] = []
    usable, stopped, exhausted = int((scale > 0.0).sum()), False, False
    while len(entries) < min(wanted.budget, usable) and not (stopped or exhausted or model.separated):
        before = len(entries)
        steps = min(wanted.budget, usable, before + (1 if stop else STEPS_AT_ONCE)) - before
        weights, records = np.empty(steps * before + steps * (steps + 1) // 2), np.empty((steps, 4))
        data = model.columns, (scaled, numbers, ends), model.target, model.ridge
        limits = wanted.precision, wanted.tol, model.vanishing
        done = pursue_columns(*data, model.state, search, *limits, weights, records)
        ends_of = before * np.arange(done + 1) + np.arange(done + 1) * np.arange(1, done + 2) // 2
        values += [weights[a:b] for a, b in pairwise(ends_of.tolist())]
        scores, reached, residuals, shifts = records[:done].T.tolist()
        intercepts += shifts
        objectives += reached
        entered = model.features[before:].tolist()
        entries += map(Entry, atom_of[entered].tolist(), zip(entered), scores, reached, residuals)
        exhausted = done < steps
        if stop is not None and not exhausted:
            stopped = stop(model.solution())
    message = ""
    if not stopped and model.separated:
        message = _separated(len(entries))
    elif not stopped and len(entries) < wanted.budget and wanted.precision == 0.0:
        message = _why_early(len(entries), wanted, some_left=False)
    solutions = NestedSolutions(model.features, values, intercepts, objectives, problem.n_features)
    return Pursued(solutions, entries, message)


def _separated(reached: int) -> str:
    return (
        f"After {reached} features the classes are separated without error, and without a ridge the weights would "
        f"grow without end: the pursuit stopped there. Set l2 above zero to go on."
    )


def _why_early(reached: int, wanted: Pursuit, some_left: bool) -> str:
    if wanted.overshoot == "skip" and some_left:
        return (
            f"The pursuit stopped at {reached} of {wanted.budget} features: no group that is left fits into the rest "
            f"of the budget. Allow groups to overshoot, or trim them."
        )
    return (
        f"The pursuit stopped at {reached} of {wanted.budget} features: no other column has anything to do with what "
        f"is left of the target (all zero, all chosen, in no group, or explained already)."
    )


class _OneOutput:
    """Weights of the chosen columns, refitted by kernels; ``most`` is how many there may be."""

    def __init__(self, problem: LinearProblem, wanted: Pursuit, norms: Array, most: int) -> None:
        self._problem, self._tol = problem, wanted.tol
        self.ridge = wanted.l2 * (norms**2 if wanted.scaled else np.ones(problem.n_features))
        data, indices, start, stop = problem.columns(np.arange(problem.n_features))
        # One type of row numbers: the kernels are the largest of all, and looks at documents are far between anyway.
        self.columns = data, indices.astype(np.uint32, copy=False), start, stop
        self.target = Target(problem.y, problem.weight, KINDS[problem.loss.name], problem.fit_intercept)
        most = min(most, problem.n_features)
        intercept = float(problem.intercept(np.zeros((problem.n_samples, 1)))[0])
        row_sizes = np.bincount(indices, minlength=problem.n_samples)
        self.state = new_model(row_sizes, most, intercept)
        look_at_all(self.columns, self.target, self.state)
        unbounded = wanted.l2 == 0.0 and problem.loss.name == "logistic"
        # A loss as small as this, without a ridge, is on its way to zero.
        self.vanishing = SEPARATED * float(problem.weight.sum()) if unbounded else -1.0

    @property
    def features(self) -> NDArray[np.intp]:
        """The chosen columns, in their order."""
        return self.state.order[: self.state.counts[CHOSEN]].astype(np.intp)

    @property
    def residual(self) -> Array:
        """α, one row."""
        return self.state.alpha[None, :]

    @property
    def length(self) -> float:
        """‖α‖."""
        return float(np.linalg.norm(self.state.alpha))

    @property
    def objective(self) -> float:
        """Loss and ridge."""
        return float(self.state.sums[LOSS] + self.state.sums[SQUARE])

    @property
    def separated(self) -> bool:
        """Whether a loss without a ridge has gone to zero."""
        return self.objective <= self.vanishing

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        refit(self.columns, self.target, features.astype(np.int32), self.ridge, self.state, self._tol)

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        rest = Solution(NO_WEIGHTS, self.state.sums[INTERCEPT : INTERCEPT + 1].copy(), self.objective, -np.inf)
        features = self.features
        return SparseSolution(features, self.state.w[: len(features), None].copy(), self._problem.n_features, rest)


class _AnyLoss:
    """Weights of the chosen columns for several outputs, other losses or signs, refitted from the last weights."""

    def __init__(self, problem: LinearProblem, wanted: Pursuit, norms: Array) -> None:
        self.problem, self.wanted, self.norms = problem, wanted, norms
        self.features: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        F = np.zeros((problem.n_samples, problem.n_outputs))
        self._b = problem.intercept(F)
        self._W = np.zeros((0, problem.n_outputs))
        self._take(F + self._b)
        self.objective = problem.loss_value(F + self._b)
        self.separated = False

    def _take(self, F: Array) -> None:
        self.residual = np.ascontiguousarray(self.problem.residual(F).T)

    @property
    def length(self) -> float:
        """‖α‖."""
        return float(np.linalg.norm(self.residual))

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        self.features = np.concatenate([self.features, features])
        lengths = self.norms[self.features] if self.wanted.scaled else np.ones(len(self.features))
        scale = inverse_lengths(lengths)  # zero for columns that are zero, whose weights then stay at zero
        part = self.problem.restrict(self.features, scale)
        before = np.vstack([self._W, np.zeros((len(features), self.problem.n_outputs))]) * lengths[:, None]
        start = Solution(before, self._b, self.objective, -np.inf)
        sides = None if self.wanted.sides is None else self.wanted.sides[self.features]
        done = solve(part, ElasticNetPenalty(0.0, self.wanted.l2, sides), start, self.wanted.tol)
        self._W, self._b, self.objective = done.weights * scale[:, None], done.intercept, done.objective
        self.separated = done.message == SEPARABLE
        self._take(part.margins(done.weights, done.intercept))

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        rest = Solution(np.empty((0, self.problem.n_outputs)), self._b.copy(), self.objective, -np.inf)
        return SparseSolution(self.features, self._W.copy(), self.problem.n_features, rest)
