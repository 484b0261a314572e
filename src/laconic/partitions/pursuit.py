r"""Orthogonal matching pursuit on partitions: the search is one pass over the data, the refit sums of small matrices.

Correlations :math:`X^\top\alpha` are summed over partitions. Single columns and groups that are held here are scored
here; groups that live in the partitions are scored where they are, and every block names its best. Refits are Newton
steps on slope and curvature in the chosen columns alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.core.selected_groups import KeptGroups
from laconic.core.solution import Solution, SparseSolution
from laconic.kernels.linear.pursuit import TIE, score_atoms
from laconic.linear.feature_groups import resolve_groups
from laconic.linear.pursuit import OMPClassifier
from laconic.linear.pursuit_base import cut
from laconic.partitions.corpus import PartitionedCorpus
from laconic.partitions.passes import Candidate, Weights
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.subproblem import LENGTHS
from laconic.solvers.pursuit.atom_search import POWERS, Atoms, Found, Scout, inverse_lengths
from laconic.solvers.pursuit.pursuit import Pursuit, pursue_with

SEPARATED = 1e-6  # loss per document below which a fit without a ridge is said to have no optimum
NEWTON_STEPS = 50
SINGLE = 1 << 40  # atoms from here on are single columns


class ChosenColumns:
    """Weights of the columns that a pursuit has chosen so far."""

    def __init__(self, problem: PartitionedProblem, ridge: Array, tol: float, start: Weights) -> None:
        self.problem, self.ridge, self.tol = problem, ridge, tol
        self.point = start
        self._look(float(problem.try_steps(Candidate(start, None), None, (0.0,)).losses[0]))
        self._enough = SEPARATED * self.objective / np.log(2.0) if not ridge.any() else -1.0

    @property
    def features(self) -> NDArray[np.intp]:
        """The chosen columns, in their order."""
        return self.point.features

    @property
    def separated(self) -> bool:
        """Whether a loss without a ridge has gone to zero."""
        return self.objective <= self._enough

    def _look(self, loss: float) -> None:
        self.objective = loss + self._penalty(self.point.values)
        self.residual, _, square = self.problem.dual_point(Candidate(self.point, None))
        self.length = float(np.sqrt(square))

    def _penalty(self, values: Array) -> float:
        return float((self.ridge[self.point.features][:, None] * values**2).sum())

    def add(self, features: NDArray[np.intp]) -> None:
        """Let columns join, and refit."""
        point, K = self.point, self.problem.n_outputs
        values = np.vstack([point.values, np.zeros((len(features), K))])
        self.point = Weights(np.concatenate([point.features, features]), values, point.intercept)
        self._look(self._refit())

    def _refit(self) -> float:
        """Minimise over the chosen columns, to about ``tol`` times the objective; return the loss."""
        problem, K = self.problem, self.problem.n_outputs
        features = self.point.features
        ridge = 2.0 * np.repeat(self.ridge[features], K)
        value, loss = np.inf, np.inf
        for _ in range(NEWTON_STEPS):
            point = self.point
            model = problem.hessian(point, features)
            slope = model.slope - ridge * point.values.ravel()
            H = model.curvature + np.diag(ridge + 1e-12 * max(float(model.curvature.diagonal().max()), 1e-300))
            d = cho_solve(cho_factor(H, check_finite=False), slope, check_finite=False)
            step = Weights(features, d.reshape(-1, K), model.move(d))
            gain = 0.5 * float(slope @ d) + model.gain
            for lengths in LENGTHS if np.isfinite(value) else ((0.0, *LENGTHS[0]), *LENGTHS[1:]):
                tried = problem.try_steps(Candidate(point, None), step, lengths)
                there = [
                    float(one) + self._penalty(point.values + t * step.values)
                    for t, one in zip(lengths, tried.losses, strict=True)
                ]
                if lengths[0] == 0.0:
                    value, loss = there[0], float(tried.losses[0])
                found = next((i for i, t in enumerate(lengths) if t and there[i] <= value - 0.25 * t * gain), None)
                if found is not None:
                    break
            else:
                return loss  # no decrease can be seen in floating point
            t = lengths[found]
            self.point = Weights(features, point.values + t * step.values, point.intercept + t * step.intercept)
            value, loss = there[found], float(tried.losses[found])
            if t == 1.0 and gain <= self.tol * value:
                break
        return loss

    def solution(self) -> SparseSolution:
        """Return the model as it is now."""
        b = self.point.intercept
        rest = Solution(
            np.empty((0, self.problem.n_outputs)), b if len(b) == 1 else b - b.mean(), self.objective, -np.inf
        )
        return SparseSolution(self.point.features, self.point.values.copy(), self.problem.n_features, rest)


class PartitionedScout(Scout):
    """Finds the atom with the highest score, among atoms that are held here and, if asked, groups of the partitions."""

    def __init__(
        self, problem: PartitionedProblem, atoms: Atoms, wanted: Pursuit, scale: Array, unit: str | None
    ) -> None:
        if wanted.criterion.name == "projection":
            raise ValueError(
                "criterion='projection' needs products between all columns of every group, which partitions do not "
                "have together; use 'mean', 'sum' or 'norm'."
            )
        self._partitions, self._atoms, self._scale, self._unit = problem, atoms, scale, unit
        self._criterion, self._power = wanted.criterion, POWERS[wanted.criterion.name]
        self._gone = np.zeros(problem.n_features, dtype=np.bool_)
        self._singles = unit is None and bool((np.diff(atoms.ends) == 1).all())
        self.won: dict[str, NDArray[np.intp]] = {}  # groups of the partitions, in the order of their victories

    def best(self, C: Array, room: int) -> Found | None:
        """Return the atom with the highest score among those with at most ``room`` columns left; None for none."""
        squares = (C * C).sum(axis=1) * self._scale**2
        scores = np.empty(len(self._atoms.ends) - 1)
        score_atoms(squares, *self._atoms, self._gone, self._power, scores)
        if room < len(C) and len(scores):
            scores[self._counts() > room] = -1.0
        highest = float(scores.max(initial=-1.0))
        found: tuple[int, NDArray[np.intp]] | None = None
        if self._unit is not None:
            offered = self._partitions.best_group((squares, self._gone, self._power, room))
            if offered:
                top = max(score for score, *_ in offered)
                if top >= highest * (1.0 - TIE):
                    highest = top
                    _, features, identifier, number = next(one for one in offered if one[0] >= top * (1.0 - TIE))
                    found = self._named(features, identifier, number), features
        if highest <= 0.0:
            return None
        if found is None:
            atom = int(np.flatnonzero(scores >= highest * (1.0 - TIE))[0])
            found = (atom if self._unit is None else SINGLE + atom), self._left(atom)
        sizes = np.sqrt(squares[found[1]])
        size = float((sizes**2).sum())
        return Found(*found, sizes, highest**2, size**0.5 if self._singles else size)

    def _named(self, features: NDArray[np.intp], identifier: str, number: int) -> int:
        """Return the number of a group of the partitions among those that have won."""
        name = f"doc {identifier}" if self._unit == "document" else f"{self._unit} {number} of doc {identifier}"
        self.won.setdefault(name, features)
        return list(self.won).index(name)

    def some_left(self) -> bool:
        """Say whether any atom has columns left that are not all zero."""
        return self._unit is not None or super().some_left()


FINAL = 1e-8  # tolerance of the last refit, as in memory


def fit_budgets(
    estimator: Any, budgets: Sequence[int], corpus: PartitionedCorpus, problem: PartitionedProblem
) -> list[Any]:
    """Return one fitted clone per budget, cut from one pursuit with the largest; several need ``overshoot="allow"``."""
    if estimator.patience is not None:
        raise ValueError("patience stops by a dev set, which a fit on partitions does not have; leave it out.")
    largest = clone(estimator).set_params(budget=max(budgets))
    wanted = largest._wanted(problem.n_features)
    squares, reach, n_groups = problem.column_stats()
    norms = np.sqrt(squares)
    scale = inverse_lengths(norms) if wanted.unit_norm else np.ones(problem.n_features)
    atoms, groups, unit = _atoms(largest, corpus, reach > 0.0)
    ridge = wanted.l2 * (squares if wanted.scaled else np.ones(problem.n_features))
    empty = problem.without_words()
    scout = PartitionedScout(problem, atoms, wanted, scale, unit)
    chosen = ChosenColumns(problem, ridge, wanted.tol, empty)
    pursued = pursue_with(chosen, scout, wanted, problem.n_features, len(atoms.ends) - 1)
    if unit is not None:
        source = f"{unit}s of the training texts"
        groups = Groups.from_lists(list(scout.won.values()), problem.n_features, names=tuple(scout.won), source=source)

    def refit(model: SparseSolution, l2: float, edited: Any) -> SparseSolution:
        chosen = ChosenColumns(problem, np.full(problem.n_features, l2), FINAL, empty)
        chosen.add(model.support)
        return chosen.solution()

    fitted = []
    for budget in budgets:
        one = clone(estimator).set_params(budget=budget)
        one.classes_ = np.array(corpus.classes)
        one.n_features_in_ = corpus.n_features
        if groups is not None:
            one.groups_ = groups
        part, last = cut(pursued, budget) if len(budgets) > 1 else (pursued, len(pursued.entries))
        one._keep(part, last, refit)
        if unit is not None:
            one.selected_groups_ = replace(one.selected_groups_, n_groups=n_groups)
            kept = KeptGroups.cut(groups, one.selected_groups_.indices, one.solution_.support)
            one.kept_groups_ = replace(kept, n_groups=n_groups)
        fitted.append(one)
    return fitted


def _atoms(estimator: Any, corpus: PartitionedCorpus, covered: np.ndarray) -> tuple[Atoms, Any, str | None]:
    """Return the atoms that are held here, their groups, and what the groups of the partitions are, if these count."""
    if isinstance(estimator, OMPClassifier):
        return Atoms.columns(corpus.n_features), None, None
    if estimator.groups is None and corpus.grouped:
        single = {"all": np.ones_like(covered), "outside": ~covered, "none": np.zeros_like(covered)}
        alone = np.flatnonzero(single[estimator.singletons]).astype(np.int32)
        return Atoms(alone, np.arange(len(alone) + 1)), None, corpus.grouped
    groups = resolve_groups(estimator.groups, corpus.n_features, corpus.words)
    return Atoms.of(groups, estimator.singletons), groups, None
