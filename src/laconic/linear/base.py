"""What the matrix estimators share: from X and y to a ``LinearProblem``, from a ``Solution`` to fitted attributes."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from laconic.core.edits import Edits
from laconic.core.losses import Logistic, Loss, Squared, Targets, classification_loss, softmax
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.linear.edit_constraints import Edited, check_edits, resolve_edits
from laconic.solvers.dispatch import one_blas_thread, solve
from laconic.solvers.warm_start import WarmStart

REFIT_L2 = 0.1
SEEN = ("n_features_in_", "feature_names_in_", "classes_")  # what a look at the data leaves on an estimator
NO_MARKS: Mapping[str, Any] = {}

Item = TypeVar("Item")
Key = TypeVar("Key")
Fitted = TypeVar("Fitted", bound="LinearEstimator")


class Seen(NamedTuple):
    """A problem, and what a look at its data leaves on an estimator."""

    problem: LinearProblem
    marks: dict[str, Any]


class LinearEstimator(BaseEstimator):
    """A linear model over a matrix; subclasses, dataclasses of their parameters, say which penalty these mean."""

    tol: float
    max_iter: int
    fit_intercept: bool
    l1: Any = 0.0
    l2: float
    group: float = 0.0
    refit_support: bool = False
    edits: Edits | None

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, start: Solution | None = None) -> Self:
        """Fit the weights.

        Parameters
        ----------
        X : dense or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        start : Solution, optional
            Of a similar problem: the answer is the same to the tolerance, and the nearer the start the sooner it is
            there. Pursuits and ADMM, whose answers depend on where they begin, make no use of it.

        Returns
        -------
        self
        """
        self._check_settings()
        problem = self._problem(*self._validated(X, y, sample_weight))
        warm = WarmStart(last=None if start is None else self._begin(problem, start))
        self._take(self._refitted(problem, self._solve(problem, warm)))
        return self

    def fit_grid(
        self, X: Any, y: ArrayLike, grid: Sequence[Mapping[str, Any]], sample_weight: ArrayLike | None = None
    ) -> list[Self]:
        """Fit one clone per parameter setting, sharing the data and starting each from a neighbour.

        Parameters
        ----------
        grid : sequence of dict
            Parameters to set, e.g. ``[{"l1": 10.0}, {"l1": 1.0}]``.

        Returns
        -------
        list of fitted estimators, in the order of ``grid``
        """
        fitted = self._clones(grid)
        # Strong penalties first: their solutions are small, cheap, and good starts for weaker ones.
        strongest_first = sorted(fitted, key=lambda estimator: estimator._strength(), reverse=True)
        pairs = with_problems(strongest_first, X, y, sample_weight)
        chains = together(pairs, lambda pair: (id(pair[1]), pair[0]._chain(pair[1].n_features)))

        def follow(chain: list[tuple[Self, LinearProblem]]) -> list[Solution]:
            warm = WarmStart()
            return [estimator._refitted(problem, estimator._solve(problem, warm)) for estimator, problem in chain]

        # Chains know nothing of each other, so threads change nothing but the time. Weak penalties take longest and go
        # first, so that no thread is left with them at the end.
        order = [chain for _, chain in reversed(chains)]
        with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(getattr(self, "n_jobs", None))) as pool:
            for chain, solutions in zip(order, pool.map(follow, order), strict=True):
                for (estimator, _), solution in zip(chain, solutions, strict=True):
                    estimator._take(solution)
        return fitted

    def look(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Seen:
        """Return the problem of data, for `fit_along` of all estimators that have the same loss and edits."""
        first = clone(self)
        problem = first._problem(*first._validated(X, y, sample_weight))
        return Seen(problem, {name: vars(first)[name] for name in SEEN if name in vars(first)})

    def fit_along(self, seen: Seen, strides: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[list[Self]]:
        """Yield clones fitted to settings that lead from strong penalties to weak ones, one list for each stride."""
        # A stride is fitted when it is asked for, each setting from the one before, so that a search may go on as long
        # as it pays.
        warm = WarmStart()
        for stride in strides:
            fitted = self._clones(stride, seen.marks)
            for estimator in fitted:
                estimator._take(estimator._refitted(seen.problem, estimator._solve(seen.problem, warm)))
            yield fitted

    def _clones(self, grid: Sequence[Mapping[str, Any]], marks: Mapping[str, Any] = NO_MARKS) -> list[Self]:
        """Return one clone per parameter setting, checked."""
        fitted = [clone(self).set_params(**dict(parameters)) for parameters in grid]
        for estimator in fitted:
            estimator._check_settings()
            estimator.__dict__.update(marks)
        return fitted

    def _margins(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=["csr", "csc"], dtype=np.float64, reset=False)
        margins = np.asarray(X @ self.coef_.T) + self.intercept_
        return margins[:, 0] if margins.shape[1] == 1 else margins

    def _check_settings(self) -> None:
        if not (np.isfinite(self.tol) and self.tol >= 0.0):
            raise ValueError(f"tol is {self.tol}; it must be a finite number, 0 or larger.")
        if self.max_iter < 1:
            raise ValueError(f"max_iter is {self.max_iter}; it must be at least 1.")
        check_edits(self.edits)

    def _strength(self) -> tuple[float, ...]:
        """Return by what a grid is ordered, the most important first; larger means a smaller model."""
        raise NotImplementedError

    def _chain(self, n_features: int) -> tuple[Any, ...]:
        """Return what the points of a grid that start from one another have in common."""
        return ()

    def _solve(self, problem: LinearProblem, warm: WarmStart) -> Solution:
        """Solve the problem with this estimator's penalty, from what earlier solves left."""
        raise NotImplementedError

    def _refitted(self, problem: LinearProblem, solution: Solution) -> Solution:
        """Return the solution, or with ``refit_support`` a ridge on its words alone, free of the lasso's shrinkage."""
        words = solution.support
        selects = np.max(self.l1) > 0.0 or self.group > 0.0
        if not (self.refit_support and selects and len(words)):
            return solution
        part = problem.restrict(words, np.ones(len(words)))
        sides = self._edited(problem.n_features).sides
        penalty = ElasticNetPenalty(0.0, self._refit_l2(), None if sides is None else sides[words])
        refitted = solve(part, penalty, None, self.tol, self.max_iter)
        weights = np.zeros_like(solution.weights)
        weights[words] = refitted.weights
        return replace(refitted, weights=weights)

    def _refit_l2(self) -> float:
        return self.l2

    def _problem_parameters(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def _target(self, y: Targets) -> tuple[Targets, Loss]:
        """Return the target as the loss wants it, and the loss."""
        raise NotImplementedError

    def _validated(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Any, Targets, Targets]:
        X, target = validate_data(
            self, X, y, accept_sparse=["csc", "csr"], dtype=np.float64, y_numeric=isinstance(self, RegressorMixin)
        )
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        _check_some_weight(weight)
        return X, np.asarray(target), weight

    def _problem(self, X: Any, y: Targets, weight: Targets) -> LinearProblem:
        X = self._edited(X.shape[1]).scaled(X)
        target, loss = self._target(y)
        return LinearProblem(X, target, loss, weight, self.fit_intercept)

    def _edited(self, n_features: int) -> Edited:
        """Return the edits as arrays over the columns of the matrix."""
        if not self.edits:
            return Edited()
        names, classes = getattr(self, "feature_names_in_", None), getattr(self, "classes_", None)
        edited = resolve_edits(self.edits, n_features, names, classes, self._groups_of(n_features))
        if edited.signed and not self._shrinks():
            raise ValueError(
                "Signs need a penalty, without which there may be no optimum on the side that is left; set l1 or l2 "
                "above zero."
            )
        return edited

    def _groups_of(self, n_features: int) -> Any:
        """Return the groups over the columns of the matrix, None for an estimator without groups."""
        return None

    def _shrinks(self) -> bool:
        """Say whether there is any penalty."""
        raise NotImplementedError

    def _begin(self, problem: LinearProblem, start: Solution) -> Solution:
        shape = problem.n_features, problem.n_outputs
        if start.weights.shape != shape:
            raise ValueError(f"The start has weights of shape {start.weights.shape}; this problem needs {shape}.")
        return self._edited(problem.n_features).rescaled(start)

    def _take(self, solution: Solution) -> None:
        solution = self._edited(len(solution.weights)).unscaled(solution)
        self.coef_ = solution.weights.T.copy()
        self.intercept_ = solution.intercept.copy()
        self.n_iter_ = solution.iterations
        self.dual_gap_ = solution.relative_gap
        self.solution_ = solution
        if solution.message:
            warnings.warn(solution.message, ConvergenceWarning, stacklevel=3)
        elif not solution.converged:
            warnings.warn(
                f"Stopped after {solution.iterations} steps at a relative duality gap of "
                f"{solution.relative_gap:.2e}, above tol={self.tol:g}. Raise max_iter (now {self.max_iter}), loosen "
                f"tol, or strengthen the penalty.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearClassifier(ClassifierMixin, LinearEstimator):
    """A linear classifier: a loss of one margin for two classes, softmax for more."""

    loss: str
    class_weight: Any

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return margins: shape (n_samples,) for two classes, else (n_samples, n_classes)."""
        return self._margins(X)

    def predict(self, X: Any) -> NDArray:
        """Return the most likely class of each row."""
        margins = self.decision_function(X)
        return self.classes_[(margins > 0).astype(int) if margins.ndim == 1 else margins.argmax(axis=1)]

    def _has_probabilities(self) -> bool:
        if self.loss != Logistic.name:
            raise AttributeError(f"loss={self.loss!r} has margins, not probabilities; use loss='logistic' for them.")
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities of shape (n_samples, n_classes), in the order of ``classes_``."""
        margins = self.decision_function(X)
        if margins.ndim == 1:
            margins = np.column_stack([np.zeros_like(margins), margins])
        return softmax(margins)

    def _refit_l2(self) -> float:
        # Few words often part the classes, and then no weights without any penalty are the best.
        return self.l2 or REFIT_L2

    def _problem_parameters(self) -> tuple[Any, ...]:
        return self.loss, self.fit_intercept, self.class_weight, self.edits

    def _validated(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Any, Targets, Targets]:
        X, y, weight = super()._validated(X, y, sample_weight)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if self.class_weight is not None:
            weight = weight * compute_sample_weight(self.class_weight, y)
            if not (np.isfinite(weight).all() and (weight >= 0.0).all()):
                raise ValueError(f"class_weight is {self.class_weight!r}; its weights must be finite, 0 or larger.")
            _check_some_weight(weight)
        counted = np.unique(y[weight > 0])
        if len(counted) == 1:
            raise ValueError(
                f"y has only 1 class that counts, {counted.tolist()[0]!r}; a classifier needs at least two. Add "
                f"documents of another class."
            )
        return X, y, weight

    def _target(self, y: Targets) -> tuple[Targets, Loss]:
        loss = classification_loss(self.loss, len(self.classes_))
        return loss.encode(np.searchsorted(self.classes_, y)), loss

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.loss == Logistic.name
        return tags


class LinearRegressor(RegressorMixin, LinearEstimator):
    """A linear regression with squared loss."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted values, shape (n_samples,)."""
        return self._margins(X)

    def _problem_parameters(self) -> tuple[Any, ...]:
        return self.fit_intercept, self.edits

    def _target(self, y: Targets) -> tuple[Targets, Loss]:
        return Squared().encode(y), Squared()


def with_problems(
    estimators: Sequence[Fitted], X: Any, y: ArrayLike, sample_weight: ArrayLike | None
) -> list[tuple[Fitted, LinearProblem]]:
    """Return every estimator with its problem; equal settings of loss and data share one."""
    shared: list[tuple[tuple[Any, ...], Seen]] = []
    pairs = []
    for estimator in estimators:
        parameters = estimator._problem_parameters()
        seen = next((seen for one, seen in shared if one == parameters), None)
        if seen is None:
            seen = estimator.look(X, y, sample_weight)
            shared.append((parameters, seen))
        estimator.__dict__.update(seen.marks)
        pairs.append((estimator, seen.problem))
    return pairs


def together(items: Sequence[Item], key: Callable[[Item], Key]) -> list[tuple[Key, list[Item]]]:
    """Return items with equal keys in one list each, in the order of their first; keys need not be hashable."""
    lists: list[tuple[Key, list[Item]]] = []
    for item in items:
        wanted = key(item)
        for known, members in lists:
            if known == wanted:
                members.append(item)
                break
        else:
            lists.append((wanted, [item]))
    return lists


def _check_some_weight(weight: Targets) -> None:
    """Refuse weights that leave no document; scikit-learn 1.7 accepts them."""
    if not weight.any():
        raise ValueError("Weights must contain at least one non-zero number; with none there is nothing to fit.")
