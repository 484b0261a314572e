r"""Orthogonal matching pursuit for a loss: one atom after another, each followed by a refit of all that was chosen.

Start with the intercept alone. While the budget lasts: score every atom (a column, or a group of columns) by its
correlation with the residual α, take the best, and minimise

.. math:: \sum_i s_i\,\ell(y_i, x_i^\top\theta + b) + \lambda\|\theta\|_2^2, \qquad \mathrm{supp}\,\theta \subseteq I

over the chosen columns I. (Lozano, Świrszcz & Abe 2011; Skianis, Tziortziotis & Vazirgiannis 2018.)

With columns of unit length the root of every criterion moves by no more than the residual does, so the scores of an
older residual bound those of this one, and most steps look at a few columns only (``Scout``). Refits start from the
last weights; for one output and for several classes they are compiled, and look at the documents of the new words and
of those that must answer them. Where atoms are single columns the whole loop is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.core.interruption import check
from laconic.core.losses import Array
from laconic.core.penalties.base import Sides
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import NestedSolutions, Solution, SparseSolution
from laconic.kernels._compile import announce_compilation
from laconic.solvers.dispatch import solve
from laconic.solvers.newton.newton import SEPARABLE
from laconic.solvers.pursuit.atom_search import Atoms, Criterion, Found, Scout, inverse_lengths
from laconic.solvers.pursuit.weights import COMPILED, OneOutput, Rows, SeveralClasses, compiled_weights

STEPS_AT_ONCE = 50  # in one call of a kernel, which cannot be interrupted


@dataclass(frozen=True)
class Pursuit:
    """What a pursuit is asked to do."""

    budget: int  # features at most
    l2: float = 0.1  # of the refits
    precision: float = 0.0  # stops when ‖X_Gᵀα‖² of the winner (|x_jᵀα| for single columns) is at most this
    unit_norm: bool = True  # whether columns are searched at unit length
    criterion: Criterion = field(default_factory=Criterion)
    overshoot: Literal["allow", "skip", "trim"] = "allow"  # a group that does not fit into the budget
    paying: bool = False  # only those members of a group are taken that score at least its mean
    scaled: bool = False  # refits penalise columns of unit length, λ‖x_j‖²θ_j²
    tol: float = 1e-6  # refits end within about this share of the least objective
    kept: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))  # taken before all others
    banned: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    sides: Sides | None = None  # which sides of zero weights may take: a column is as good as its pull to these
    factors: Array | None = None  # what columns were divided by: search and ``scaled`` take their length before that


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
    """Choose atoms one by one; ``stop`` sees the model of every step and may end the pursuit."""
    announce_compilation()
    norms = np.sqrt(problem.column_squares()) * (1.0 if wanted.factors is None else wanted.factors)
    scale = inverse_lengths(norms) if wanted.unit_norm else np.ones(problem.n_features)
    if wanted.sides is None and problem.loss.name in COMPILED and wanted.criterion.name != "projection":
        columns = atoms.single_columns(problem.n_features)
        if columns is not None:
            columns[wanted.banned] = -1
            return _pursue_columns(problem, atoms, columns, scale, norms, wanted, stop)
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
    model: OneOutput | SeveralClasses | _AnyLoss
    if problem.loss.name in COMPILED and wanted.sides is None:
        model = compiled_weights(problem, wanted, norms, most)
    else:
        model = _AnyLoss(problem, wanted, norms)
    scout = Scout(problem, atoms, wanted.criterion, scale, wanted.sides)
    return pursue_with(model, scout, wanted, problem.n_features, len(atoms.ends) - 1, stop)


class ChosenWeights(Protocol):
    """Weights of the chosen columns; ``length`` is that of the residual."""

    @property
    def features(self) -> NDArray[np.intp]: ...
    @property
    def residual(self) -> Array: ...
    @property
    def length(self) -> float: ...
    @property
    def objective(self) -> float: ...
    @property
    def separated(self) -> bool: ...
    def add(self, features: NDArray[np.intp]) -> None: ...
    def solution(self) -> SparseSolution: ...


class Searcher(Protocol):
    """Finds the next atom."""

    def best(self, R: Array, room: int, /) -> Found | None: ...
    def remove(self, features: NDArray[np.intp]) -> None: ...
    def some_left(self) -> bool: ...


def pursue_with(
    model: ChosenWeights,
    scout: Searcher,
    wanted: Pursuit,
    n_features: int,
    n_atoms: int,
    stop: Callable[[SparseSolution], bool] | None = None,
) -> Pursued:
    """Search with a scout and refit a model in turns, in memory or on partitions; ``stop`` sees every model."""
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
    atoms: Atoms,
    atom_of: NDArray[np.intp],
    scale: Array,
    norms: Array,
    wanted: Pursuit,
    stop: Callable[[SparseSolution], bool] | None,
) -> Pursued:
    """Search for single columns and refit, many steps in one kernel; ``atom_of`` is −1 for columns out of reach."""
    model = compiled_weights(problem, wanted, norms, max(wanted.budget, len(wanted.kept)))
    scale = np.where(atom_of >= 0, scale, 0.0)
    scale[wanted.kept] = 0.0
    rows, search = _scaled_rows(problem, scale), model.search(scale)
    steps = _Steps(model, atom_of)
    if len(wanted.kept):
        model.add(wanted.kept)
        steps.take_kept(wanted.kept, len(atoms.ends) - 1)
    most = min(wanted.budget, len(wanted.kept) + int((scale > 0.0).sum()))
    stopped, exhausted = False, False
    while len(model.features) < most and not (stopped or exhausted or model.separated):
        check()
        wished = min(most - len(model.features), 1 if stop else STEPS_AT_ONCE)
        exhausted = steps.pursue(rows, search, wished) < wished
        stopped = stop is not None and not exhausted and stop(model.solution())
    message = ""
    if not stopped and model.separated:
        message = _separated(len(model.features))
    elif not stopped and len(model.features) < wanted.budget and wanted.precision == 0.0:
        message = _why_early(len(model.features), wanted, some_left=False)
    return Pursued(steps.solutions(problem.n_features), steps.entries, message)


def _scaled_rows(problem: LinearProblem, scale: Array) -> Rows:
    values, numbers, ends = problem.rows
    return scale[numbers] if len(values) == 0 else scale[numbers] * values, numbers, ends


class _Steps:
    """The models and entries of all steps of a compiled pursuit."""

    def __init__(self, model: OneOutput | SeveralClasses, atom_of: NDArray[np.intp]) -> None:
        self._model, self._atom_of = model, atom_of
        self.entries: list[Entry] = []
        self._weights: list[Array] = []
        self._intercepts: list[Array] = []
        self._objectives: list[float] = []
        self._take(model.solution())

    def _take(self, solution: SparseSolution) -> None:
        self._weights.append(solution.values)
        self._intercepts.append(solution.rest.intercept)
        self._objectives.append(solution.rest.objective)

    def take_kept(self, kept: NDArray[np.intp], atom: int) -> None:
        """Note the step of the words that come before all others."""
        self._take(self._model.solution())
        self.entries.append(Entry(atom, tuple(kept.tolist()), np.nan, self._model.objective, self._model.length))

    def pursue(self, rows: Rows, search: Any, wished: int) -> int:
        """Take columns, one a step; return how many were found."""
        before, n_outputs = len(self._model.features), len(self._intercepts[0])
        weights = np.empty((wished * before + wished * (wished + 1) // 2, n_outputs))
        records = np.empty((wished, 3 + n_outputs))
        done = self._model.pursue(rows, search, weights, records)
        ends = before * np.arange(done + 1) + np.arange(done + 1) * np.arange(1, done + 2) // 2
        self._weights += [weights[a:b] for a, b in pairwise(ends.tolist())]
        scores, objectives, residuals = records[:done, :3].T.tolist()
        self._intercepts += list(records[:done, 3:].copy())
        self._objectives += objectives
        entered = self._model.features[before:].tolist()
        self.entries += map(Entry, self._atom_of[entered].tolist(), zip(entered), scores, objectives, residuals)
        return done

    def solutions(self, n_features: int) -> NestedSolutions:
        """Return the models of all steps, the intercept alone first."""
        return NestedSolutions(self._model.features, self._weights, self._intercepts, self._objectives, n_features)


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


class _AnyLoss:
    """Weights of the chosen columns for other losses or signs, refitted from the last weights."""

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
