"""`OnePerLabel`: a linear model of every label over the columns of one matrix, fitted against the rows without it."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse import csc_array, issparse
from sklearn.base import BaseEstimator, clone

from laconic.core.selected_groups import SelectedGroups
from laconic.core.solution import Solution
from laconic.linear.pursuit_base import Pursuer
from laconic.solvers.dispatch import one_blas_thread


@dataclass(eq=False, repr=False)
class OnePerLabel(BaseEstimator):
    """One clone of an estimator for each label; ``settings`` are parameters of single labels, by their names."""

    estimator: Any
    classes: Sequence[Any]
    settings: Mapping[Any, Mapping[str, Any]] | None = None

    @property
    def groups(self) -> Any:
        """The groups that every label is fitted with."""
        return getattr(self.estimator, "groups", None)

    def fit(self, X: Any, y: NDArray[np.bool_], start: Solution | None = None) -> Self:
        """Fit every label to its column of y, from its own column of the weights of ``start``."""
        columns = csc_array(X) if issparse(X) else X

        def fitted(k: int) -> Any:
            own = self.of_label(self.classes[k])
            return own.fit(columns, y[:, k], **_start_of(own, start, k))

        with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(-1)) as pool:
            self.estimators_ = list(pool.map(fitted, range(len(self.classes))))
        self.classes_ = np.array(self.classes)
        self.coef_ = np.vstack([own.coef_ for own in self.estimators_])
        self.intercept_ = np.concatenate([own.intercept_ for own in self.estimators_])
        self.dual_gap_ = max(float(getattr(own, "dual_gap_", np.inf)) for own in self.estimators_)
        self._select_groups()
        return self

    def of_label(self, label: Any) -> Any:
        """Return the unfitted estimator of one label."""
        settings = {str(name): given for name, given in (self.settings or {}).items()}
        own = clone(self.estimator).set_params(**settings.get(str(label), {}))
        edits = getattr(own, "edits", None)
        return own.set_params(edits=edits.of_label(label, self.classes)) if edits else own

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the margin of every label, shape (n_rows, n_labels)."""
        return np.asarray(X @ self.coef_.T) + self.intercept_

    def _select_groups(self) -> None:
        """Note the groups that any label selected, where the estimator has groups."""
        selected = [own.selected_groups_ for own in self.estimators_ if hasattr(own, "selected_groups_")]
        groups = getattr(self.estimators_[0], "groups_", None)
        if groups is None or not selected:
            return
        squares = np.zeros(len(groups))
        for own in selected:
            squares[own.indices] += own.norms**2
        self.groups_, self.selected_groups_ = groups, SelectedGroups.of(groups, np.sqrt(squares))


def _start_of(estimator: Any, start: Solution | None, k: int) -> dict[str, Solution]:
    if start is None or isinstance(estimator, Pursuer):
        return {}
    return {"start": Solution(start.weights[:, [k]], start.intercept[[k]], np.inf, -np.inf)}
