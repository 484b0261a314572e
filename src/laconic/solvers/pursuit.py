r"""Orthogonal matching pursuit for a loss: one atom after another, each followed by a refit of all that was chosen.

Start with the intercept alone. While the budget lasts: score every atom (a column, or a group of columns) by its
correlation with the residual α, take the best, and minimise

.. math:: \sum_i s_i\,\ell(y_i, x_i^\top\theta + b) + \lambda\|\theta\|_2^2, \qquad \mathrm{supp}\,\theta \subseteq I

over the chosen columns I. (Lozano, Świrszcz & Abe 2011; Skianis, Tziortziotis & Vazirgiannis 2018.)

With columns of unit length the root of every criterion moves by no more than the residual does, so the scores of an
older residual bound those of this one, and most steps look at a few columns only (``Scout``). Refits start from the
last weights; for one output they are compiled, and cost a few passes over the chosen columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.path import SparseSolution
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.solution import Solution
from laconic.kernels._compile import announce_compilation
from laconic.kernels.pursuit import refit
from laconic.solvers.newton import solve_newton
from laconic.solvers.scout import Atoms, Criterion, Scout

KINDS = {"logistic": 0, "squared": 1}
NEWTON_STEPS = 100
SEPARATED = 1e-6  # loss per document below which a fit without a ridge is said to have no optimum

needs = frozenset({"columns", "column_squares"})


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
        Relative gain of the objective below which a refit ends.
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


class Entry(NamedTuple):
    """One step of a pursuit: the atom, the features that entered by it, and what was reached."""

    atom: int
    features: tuple[int, ...]
    score: float
    objective: float
    residual: float


class Pursued(NamedTuple):
    """The models of all steps, the intercept alone first, what entered at each, and why it ended before its budget."""

    solutions: list[SparseSolution]
    entries: list[Entry]
    message: str


def pursue(
    problem: Any, atoms: Atoms, wanted: Pursuit, stop: Callable[[SparseSolution], bool] | None = None
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
    norms = np.sqrt(problem.column_squares())
    model = _model_of(problem, wanted, norms)
    scout = Scout(problem, atoms, wanted.criterion, norms if wanted.unit_norm else None)
    solutions = [model.solution()]
    entries: list[Entry] = []
    message = ""
    while len(model.features) < wanted.budget:
        room = wanted.budget - len(model.features)
        found = scout.best(model.residual, room if wanted.overshoot == "skip" else problem.n_features)
        if found is None or found.undivided <= wanted.precision:
            if wanted.precision == 0.0:
                message = _why_early(len(model.features), wanted, scout)
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
        entries.append(
            Entry(
                found.atom,
                tuple(chosen.tolist()),
                found.score,
                model.objective,
                float(np.linalg.norm(model.residual)),
            )
        )
        if stop is not None and stop(solutions[-1]):
            break
        if model.separated:
            message = (
                f"After {len(model.features)} features the classes are separated without error, and without a ridge "
                f"the weights would grow without end: the pursuit stopped there. Set l2 above zero to go on."
            )
            break
    return Pursued(solutions, entries, message)


def _why_early(reached: int, wanted: Pursuit, scout: Scout) -> str:
    if wanted.overshoot == "skip" and scout.some_left():
        return (
            f"The pursuit stopped at {reached} of {wanted.budget} features: no group that is left fits into the rest "
            f"of the budget. Allow groups to overshoot, or trim them."
        )
    return (
        f"The pursuit stopped at {reached} of {wanted.budget} features: no other column has anything to do with what "
        f"is left of the target (all zero, all chosen, in no group, or explained already)."
    )


def _model_of(problem: Any, wanted: Pursuit, norms: Array) -> _OneOutput | _AnyLoss:
    return (_OneOutput if problem.loss.name in KINDS else _AnyLoss)(problem, wanted, norms)


class _OneOutput:
    """Weights of the chosen columns, refitted by a kernel."""

    def __init__(self, problem: Any, wanted: Pursuit, norms: Array) -> None:
        self.problem, self.wanted, self.norms = problem, wanted, norms
        self.features: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._w = np.zeros(0)
        self._F = np.zeros((problem.n_samples, 1))
        self._b = np.zeros(1)
        self._alpha = np.empty((1, problem.n_samples))
        self._b += problem.intercept(self._F)
        self._F += self._b
        self._alpha[0] = problem.residual(self._F)[:, 0]
        self.objective = problem.loss_value(self._F)
        self._columns = problem.columns(self.features)
        self._ridge = np.zeros(0)

    @property
    def residual(self) -> Array:
        """α, one row."""
        return self._alpha

    @property
    def separated(self) -> bool:
        """Whether a loss without a ridge has gone to zero."""
        problem = self.problem
        gone = self.objective <= SEPARATED * float(problem.weight.sum())
        return self.wanted.l2 == 0.0 and problem.loss.name == "logistic" and gone

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        problem = self.problem
        more = problem.columns(features)
        self.features = np.concatenate([self.features, features])
        start, stop = np.append(self._columns.start, more.start), np.append(self._columns.stop, more.stop)
        self._columns = self._columns._replace(start=start, stop=stop)
        self._w = np.append(self._w, np.zeros(len(features)))
        level = self.wanted.l2 * (self.norms[features] ** 2 if self.wanted.scaled else np.ones(len(features)))
        self._ridge = np.append(self._ridge, level)
        kind = KINDS[problem.loss.name]
        target = problem.y, problem.weight, kind, self._ridge, problem.fit_intercept
        state = self._w, self._b, self._F[:, 0], self._alpha[0]
        self.objective, _ = refit(*self._columns, *target, *state, self.wanted.tol, NEWTON_STEPS)

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        rest = Solution(np.empty((0, 1)), self._b.copy(), self.objective, -np.inf)
        return SparseSolution(self.features, self._w[:, None].copy(), self.problem.n_features, rest)


class _AnyLoss:
    """Weights of the chosen columns for several outputs or other losses, refitted by Newton's method."""

    def __init__(self, problem: Any, wanted: Pursuit, norms: Array) -> None:
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

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        self.features = np.concatenate([self.features, features])
        scale = 1.0 / self.norms[self.features] if self.wanted.scaled else np.ones(len(self.features))
        part = self.problem.restrict(self.features, scale)
        before = np.vstack([self._W, np.zeros((len(features), self.problem.n_outputs))]) / scale[:, None]
        start = Solution(before, self._b, self.objective, -np.inf)
        done = solve_newton(part, ElasticNetPenalty(0.0, self.wanted.l2), start, self.wanted.tol)
        self._W, self._b, self.objective = done.weights * scale[:, None], done.intercept, done.objective
        self.separated = bool(done.message)
        self._take(part.margins(done.weights, done.intercept))

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        rest = Solution(np.empty((0, self.problem.n_outputs)), self._b.copy(), self.objective, -np.inf)
        return SparseSolution(self.features, self._W.copy(), self.problem.n_features, rest)
