r"""The group lasso in all its shapes: disjoint, nested and overlapping groups, with l1 and l2 beside them.

.. math:: \min_{w, b} \sum_i s_i\,\ell(y_i, x_i^\top w + b)
   + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2 + \lambda_g \sum_g d_g\|w_g\|_2

Losses are summed and the intercept is free. With several classes a group takes the Frobenius norm of its rows, and l1
counts every entry. ``solver="admm"`` is the early-stopped scheme of Yogatama & Smith (2014); all others are exact.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

import numpy as np

from laconic.core.edits import Edits
from laconic.core.groups import Groups
from laconic.core.penalties.base import DOWN, UP, check_l1, check_level
from laconic.core.penalties.group import GroupedPenalty
from laconic.core.problem import LinearProblem
from laconic.core.selected_groups import SelectedGroups
from laconic.core.solution import Solution
from laconic.linear.base import LinearClassifier, LinearEstimator, LinearRegressor
from laconic.linear.edit_constraints import Edited
from laconic.linear.feature_groups import check_groups, resolve_groups
from laconic.solvers.admm import AdmmSettings, solve_admm
from laconic.solvers.dispatch import GROUP_SOLVERS, penalty_on, solve_next
from laconic.solvers.warm_start import WarmStart


@dataclass(eq=False, repr=False)
class _GroupLasso(LinearEstimator):
    """What both estimators do with their groups and penalties."""

    groups: Groups | Mapping[str, Sequence[Any]] | None = None
    group: float = 1.0
    l1: Any = 0.0
    l2: float = 0.0
    _: KW_ONLY
    solver: str = "auto"
    fit_intercept: bool = True
    edits: Edits | None = None
    tol: float = 1e-6
    max_iter: int = 2000
    rho: float = 1.0
    rounds: int = 100
    change: float = 1e-3
    inner_steps: int | None = None
    over_relaxation: float = 1.0
    adaptive_rho: bool = False
    skip_children: bool = False
    n_jobs: int | None = None
    refit_support: bool = False

    def _check_settings(self) -> None:
        super()._check_settings()
        check_level("group", self.group)
        check_l1(self.l1, None)
        check_level("l2", self.l2)
        check_groups(self.groups)
        if self.solver not in GROUP_SOLVERS:
            raise ValueError(f"solver is {self.solver!r}; allowed are {', '.join(map(repr, GROUP_SOLVERS))}.")
        if self.solver == "admm":
            self._admm()

    def _admm(self) -> AdmmSettings:
        return AdmmSettings(**{setting.name: getattr(self, setting.name) for setting in fields(AdmmSettings)})

    def _strength(self) -> tuple[float, ...]:
        return self.l2, self.group, float(np.max(self.l1))

    def _chain(self, n_features: int) -> tuple[Any, ...]:
        # From one λ_g to the next the zero groups change so much that a start from there saves nothing.
        return self.l2, self.group, self._groups_of(n_features) if isinstance(self.groups, Mapping) else self.groups

    def _solve(self, problem: LinearProblem, warm: WarmStart) -> Solution:
        edited = self._edited(problem.n_features)
        if warm.groups is None:
            warm.groups = edited.without_kept(self._groups_of(problem.n_features))
        self.groups_ = warm.groups
        penalty = self._penalty(warm.groups, edited)
        _check_signed(penalty)
        if self.solver == "admm":
            # Never from a neighbour: where the rounds stop depends on where they began.
            solution, norms = solve_admm(problem, penalty, self._admm())
        else:
            solution = solve_next(problem, penalty, warm, self.tol, self.max_iter, self.solver)
            norms = warm.groups.norms(solution.weights)
        self.selected_groups_ = SelectedGroups.of(warm.groups, norms)
        return solution

    def _refitted(self, problem: LinearProblem, solution: Solution) -> Solution:
        refitted = super()._refitted(problem, solution)
        if refitted is not solution:
            self.selected_groups_ = SelectedGroups.of(self.groups_, self.groups_.norms(refitted.weights))
        return refitted

    def _groups_of(self, n_features: int) -> Groups:
        return resolve_groups(self.groups, n_features, getattr(self, "feature_names_in_", None))

    def _shrinks(self) -> bool:
        return self.l2 > 0.0 or self.group > 0.0 or bool(np.any(np.asarray(self.l1) > 0.0))

    def _penalty(self, groups: Groups, edited: Edited) -> GroupedPenalty:
        l1 = edited.levels(self.l1, self.group, groups.n_features)
        return penalty_on(groups, self.solver, self.group, l1, self.l2, edited.sides)


@dataclass(eq=False, repr=False)
class GroupLassoClassifier(_GroupLasso, LinearClassifier):
    r"""Logistic regression (softmax for several classes) with norms of groups, solved to a proven accuracy.

    Minimises :math:`\sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2
    + \lambda_g \sum_g d_g\|w_g\|_2`.

    Parameters
    ----------
    groups : Groups, mapping or None
        A `laconic.Groups`; or ``{name: [feature, …]}`` with column names or numbers, weighted by √size; None for one
        group per feature (for several classes: per row of weights).
    group : float
        λ_g. More means fewer groups.
    l1, l2 : float
        λ₁ and λ₂. ``l1`` may also be an array with one level per feature.
    solver : {"auto", "blocks", "tree", "overlapping", "admm"}
        "auto" picks by the structure of the groups: "blocks" for disjoint ones, "tree" for nested ones, "overlapping"
        for any. "admm" is the early-stopped scheme of the papers.
    loss, fit_intercept, class_weight, edits, tol, max_iter
        As in `ElasticNetClassifier`.
    n_jobs : int, optional
        Threads of ``fit_grid`` (the rows of equal λ_g and λ₂) and of ADMM's groups; the answers are the same.
    rho, rounds, change, inner_steps, over_relaxation, adaptive_rho, skip_children
        For ``solver="admm"``, which stops after ``rounds`` or when w changes by less than ``change`` and uses neither
        ``tol`` nor ``max_iter``; see `laconic.solvers.admm.AdmmSettings`.
    refit_support : bool
        As in `ElasticNetClassifier`, without λ₁ and λ_g.

    Attributes
    ----------
    coef_, intercept_, classes_, dual_gap_, solution_, n_iter_
        As in `ElasticNetClassifier`.
    groups_ : Groups
        The groups as resolved on X.
    selected_groups_ : SelectedGroups
        The groups that are not zero, the strongest first; for "admm" those with a copy that is not zero.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> model = GroupLassoClassifier({"both": [0, 1], "last": [1, 2]}, group=0.2).fit(X, ["ham", "ham", "spam", "spam"])
    >>> model.predict([[0, 1, 0]])
    array(['spam'], dtype='<U4')
    >>> model.selected_groups_.names, bool(model.dual_gap_ <= 1e-6)
    (('both', 'last'), True)
    """

    _: KW_ONLY
    loss: str = "logistic"
    class_weight: Mapping[Any, float] | str | None = None


class GroupLassoRegressor(_GroupLasso, LinearRegressor):
    r"""Least squares with norms of groups, solved to a proven accuracy.

    Minimises :math:`\sum_i \tfrac{s_i}{2}(y_i - x_i^\top w - b)^2 + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2
    + \lambda_g \sum_g d_g\|w_g\|_2`. Parameters and attributes are those of `GroupLassoClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> model = GroupLassoRegressor({"pair": [0, 1]}, group=1e-6).fit(X, [1.0, 3.0, 5.0, 7.0])
    >>> model.predict([[4.0, 0.0]]).round(3)
    array([9.])
    """


def _check_signed(penalty: GroupedPenalty) -> None:
    """Refuse signs of features that no part of the penalty reaches: on their side there may be no optimum."""
    if penalty.sides is None or penalty.l2 > 0.0:
        return
    n = penalty.groups.n_features
    signed = np.isin(penalty.sides, (UP, DOWN)).reshape(n, -1).any(axis=1)
    if bare := np.flatnonzero(signed & ~np.broadcast_to(penalty._reached(), n)).tolist():
        raise ValueError(
            f"{len(bare)} features with a sign (the first is column {bare[0]}) are in no group while l1 = l2 = 0; "
            "signs need a penalty: set l1 or l2 above zero, or put these features into groups."
        )
