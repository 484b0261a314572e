"""What the estimators of pursuit share: from settings to a pursuit, from its steps to a path and a fitted model."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from laconic.core.edits import Edits
from laconic.core.groups import Groups
from laconic.core.penalties.base import check_level
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.selected_groups import SelectedGroups
from laconic.core.solution import Path, SparseSolution
from laconic.linear.base import LinearEstimator, Seen, together, with_problems
from laconic.linear.edit_constraints import Edited, check_edits
from laconic.linear.feature_groups import check_groups, resolve_groups
from laconic.solvers.dispatch import solve
from laconic.solvers.pursuit.atom_search import Atoms, Criterion
from laconic.solvers.pursuit.pursuit import Pursued, Pursuit, pursue
from laconic.solvers.pursuit.weights import SeveralClasses

Refit = Callable[[SparseSolution, float, Edited], SparseSolution]

SINGLETONS = ("outside", "all", "none")
CRITERIA = ("sum", "projection", "mean", "norm")
OVERSHOOTS = ("allow", "skip", "trim")
REFIT_TOL = 1e-8  # of the last model, where the way to it penalises columns of unit length


@dataclass(eq=False, repr=False, kw_only=True)
class _Settings:
    """The parameters that all pursuits share, after those that may be given by position."""

    precision: float = 0.0
    unit_norm: bool = True
    refit: str = "raw"
    patience: int | None = None
    fit_intercept: bool = True
    edits: Edits | None = None
    tol: float = 1e-4
    n_jobs: int | None = None


class Pursuer(_Settings, LinearEstimator):
    """What all pursuits share; subclasses say which atoms there are and how they are scored."""

    budget: int

    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        dev: tuple[Any, ArrayLike] | None = None,
    ) -> Self:
        """Choose words one after another and fit their weights.

        Parameters
        ----------
        X, y, sample_weight
            As in `ElasticNetClassifier.fit`.
        dev : pair of a matrix and its targets, optional
            Data to stop by, see ``patience``.
        """
        self._check_settings()
        if (dev is None) != (self.patience is None):
            raise ValueError(
                f"patience is {self.patience} and dev {'is missing' if dev is None else 'is given'}; stopping by a dev "
                f"set needs both, e.g. OMPClassifier(patience=20).fit(X, y, dev=(X_dev, y_dev))."
            )
        problem = self._problem(*self._validated(X, y, sample_weight))
        watch = None if dev is None else _Watch(self, *dev)
        pursued = pursue(problem, self._atoms(problem), self._wanted(problem.n_features), watch)
        self._keep(pursued, len(pursued.solutions) - 1 if watch is None else watch.best, partial(_refitted, problem))
        return self

    def fit_grid(
        self, X: Any, y: ArrayLike, grid: Sequence[Mapping[str, Any]], sample_weight: ArrayLike | None = None
    ) -> list[Self]:
        """Fit one clone per parameter setting; settings that differ in their budget alone share one pursuit.

        Those whose groups are passed over or trimmed to fit a budget do not. Parameters and result are as in
        `ElasticNetClassifier.fit_grid`.
        """
        fitted = self._clones(grid)
        self._pursue_all(with_problems(fitted, X, y, sample_weight))
        return fitted

    def _pursue_all(self, pairs: Sequence[tuple[Self, LinearProblem]]) -> None:
        """Fit estimators to their problems in place, those of one pursuit by one."""

        def run(shared: tuple[Any, list[tuple[Self, LinearProblem]]]) -> None:
            members = [estimator for estimator, _ in shared[1]]
            largest, problem = max(members, key=lambda estimator: estimator.budget), shared[1][0][1]
            pursued = pursue(problem, largest._atoms(problem), largest._wanted(problem.n_features))
            for estimator in members:
                estimator._keep(*cut(pursued, estimator.budget), partial(_refitted, problem))

        with ThreadPoolExecutor(effective_n_jobs(self.n_jobs)) as pool:
            list(pool.map(run, together(pairs, lambda pair: pair[0]._but_for_budget(pair[1]))))

    def fit_along(self, seen: Seen, strides: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[list[Self]]:
        """Yield what `fit_grid` returns for every stride, whose budgets share one pursuit."""
        for stride in strides:
            fitted = self._clones(stride, seen.marks)
            self._pursue_all([(estimator, seen.problem) for estimator in fitted])
            yield fitted

    def _but_for_budget(self, problem: LinearProblem) -> dict[str, Any]:
        """Return all that decides a pursuit but for where it ends; bad groups are refused here, before any work."""
        self._atoms(problem)
        settings = self.get_params(deep=False)
        if settings.get("overshoot", "allow") == "allow":  # else the budget decides about every group on the way
            del settings["budget"]
        return settings | ({"groups": self.groups_} if "groups" in settings else {})

    def _keep(self, pursued: Pursued, last: int, refit: Refit) -> None:
        """Take a step of a pursuit as the model; ``refit`` fits its weights on columns as they are."""
        edited = self._edited(pursued.solutions[0].n_features)
        steps = [{"entered": (), "score": np.nan, "objective": pursued.solutions[0].rest.objective, "residual": np.nan}]
        steps += [
            {
                "entered": entry.features,
                "score": entry.score,
                "objective": entry.objective,
                "residual": entry.residual,
                **self._named(entry.atom),
            }
            for entry in pursued.entries
        ]
        solutions = pursued.solutions
        if edited.factors is not None:  # back to the columns as they are
            factors = edited.factors
            solutions = [replace(one, values=one.values / factors[one.support, None]) for one in solutions]
        self.path_ = Path(solutions, steps, getattr(self, "classes_", None))
        model = pursued.solutions[last]
        if self.refit == "scaled":
            model = refit(model, self.l2, edited)
        order = tuple(int(j) for entry in pursued.entries[:last] for j in entry.features)
        message = pursued.message if last == len(pursued.entries) else ""
        self._take(replace(model.dense(), order=order, iterations=last, message=message))

    def _check_settings(self) -> None:
        check_level("tol", self.tol)
        check_level("l2", self.l2)
        check_level("precision", self.precision)
        check_edits(self.edits)
        if isinstance(self.budget, bool) or not isinstance(self.budget, (int, np.integer)) or self.budget < 1:
            raise ValueError(f"budget is {self.budget!r}; it is a number of words, at least 1.")
        if self.refit not in ("raw", "scaled"):
            raise ValueError(f"refit is {self.refit!r}; allowed are 'raw' and 'scaled'.")
        if self.patience is not None and not (isinstance(self.patience, (int, np.integer)) and self.patience >= 1):
            raise ValueError(f"patience is {self.patience}; it is a number of steps, at least 1, or None.")

    def _shrinks(self) -> bool:
        return self.l2 > 0.0

    def _wanted(self, n_features: int) -> Pursuit:
        edited = self._edited(n_features)
        return Pursuit(
            budget=self.budget,
            l2=self.l2,
            precision=self.precision,
            unit_norm=self.unit_norm,
            scaled=self.refit == "scaled",
            tol=self.tol,
            kept=edited.kept,
            banned=edited.banned,
            sides=edited.sides if edited.signed else None,
            factors=edited.factors,
        )

    def _atoms(self, problem: LinearProblem) -> Atoms:
        return Atoms.columns(problem.n_features)

    def _named(self, atom: int) -> dict[str, str]:
        """Return the name of the group behind an atom, if it is one."""
        return {}


@dataclass(eq=False, repr=False)
class GroupPursuer(Pursuer):
    """A pursuit over groups."""

    groups: Any = None
    budget: int = 100
    l2: float = 0.1
    criterion: str = "mean"
    _: KW_ONLY
    ridge: float = 0.0
    divide: bool = True
    singletons: str = "outside"
    overshoot: str = "allow"
    members: str = "all"

    def _check_settings(self) -> None:
        super()._check_settings()
        check_groups(self.groups)
        check_level("ridge", self.ridge)
        for name, allowed in (
            ("criterion", CRITERIA),
            ("singletons", SINGLETONS),
            ("overshoot", OVERSHOOTS),
            ("members", ("all", "paying")),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}; allowed are {', '.join(map(repr, allowed))}.")

    def _wanted(self, n_features: int) -> Pursuit:
        return replace(
            super()._wanted(n_features),
            criterion=Criterion(self.criterion, self.ridge, self.divide),  # type: ignore[arg-type]
            overshoot=self.overshoot,  # type: ignore[arg-type]
            paying=self.members == "paying",
        )

    def _atoms(self, problem: LinearProblem) -> Atoms:
        self.groups_ = self._groups_of(problem.n_features)
        if not len(self.groups_) and self.singletons == "none":
            raise ValueError(
                "All groups are empty and singletons='none', so there is nothing to choose from; give groups with "
                "features, or singletons='outside'."
            )
        return Atoms.of(self.groups_, self.singletons)  # type: ignore[arg-type]

    def _groups_of(self, n_features: int) -> Groups:
        return resolve_groups(self.groups, n_features, getattr(self, "feature_names_in_", None))

    def _keep(self, pursued: Pursued, last: int, refit: Refit) -> None:
        super()._keep(pursued, last, refit)
        norms = np.zeros(len(self.groups_))
        for entry in pursued.entries[:last]:
            if entry.atom < len(norms):
                norms[entry.atom] = np.hypot(norms[entry.atom], np.linalg.norm(self.coef_[:, list(entry.features)]))
        self.selected_groups_ = SelectedGroups.of(self.groups_, norms)

    def _named(self, atom: int) -> dict[str, str]:
        return {"group": self.groups_.names[atom]} if atom < len(self.groups_) else {}


class _Watch:
    """Scores every step on a dev set and says when to stop; ``best`` is the smallest of the best steps."""

    def __init__(self, estimator: Any, X: Any, y: ArrayLike) -> None:
        X, target = validate_data(estimator, X, y, accept_sparse=["csc", "csr"], dtype=np.float64, reset=False)
        self._X = estimator._edited(X.shape[1]).scaled(sp.csc_array(X))
        self._y = np.asarray(target)
        self._classes = getattr(estimator, "classes_", None)
        if self._classes is not None and not np.isin(self._y, self._classes).all():
            strange = self._y[~np.isin(self._y, self._classes)].tolist()[0]
            raise ValueError(
                f"dev has the label {strange!r}, which no training document has; leave such documents out."
            )
        self._patience = estimator.patience
        self._step, self.best, self._score = 0, 0, -np.inf

    def __call__(self, solution: SparseSolution) -> bool:
        self._step += 1
        score = float(Path([solution], [{}], self._classes).score(self._X, self._y)[0])
        if score > self._score:
            self._score, self.best = score, self._step
        return self._step - self.best >= self._patience


def cut(pursued: Pursued, budget: int) -> tuple[Pursued, int]:
    """Return the part of a pursuit that a smaller budget would have given, and its last step."""
    sizes = np.cumsum([0, *(len(entry.features) for entry in pursued.entries)])
    reached = np.flatnonzero(sizes >= budget)
    if not len(reached):
        return pursued, len(sizes) - 1
    last = int(reached[0])
    return Pursued(pursued.solutions[: last + 1], pursued.entries[:last], ""), last


def _refitted(problem: LinearProblem, model: SparseSolution, l2: float, edited: Edited) -> SparseSolution:
    """Return the model with its weights fitted on the columns as they are."""
    part = problem.restrict(model.support, np.ones(len(model.support)))
    if problem.loss.name == "softmax" and l2 > 0.0 and not edited.signed and len(model.support):
        return _refitted_classes(part, model, l2)
    sides = edited.sides[model.support] if edited.sides is not None and edited.signed else None
    done = solve(part, ElasticNetPenalty(0.0, l2, sides), tol=REFIT_TOL)
    rest = replace(model.rest, intercept=done.intercept, objective=done.objective)
    return SparseSolution(model.support, done.weights, model.n_features, rest)


def _refitted_classes(part: LinearProblem, model: SparseSolution, l2: float) -> SparseSolution:
    """Return a model of several classes with its weights fitted on the columns of ``part``, from what they are."""
    k = part.n_features
    weights = SeveralClasses(part, Pursuit(k, l2, tol=REFIT_TOL), np.ones(k), k)
    weights.refit_from(model.values, model.rest.intercept)
    done = weights.solution()
    return replace(done, support=model.support, n_features=model.n_features)
