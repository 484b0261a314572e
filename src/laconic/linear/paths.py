r"""Paths of models from λ_max down.

Along an elastic net path λ₁ = λ·r and λ₂ = λ·(1 − r)/2 with the ratio r fixed, along a group lasso path λ_g = λ and
λ₁ = λ·r; λ falls geometrically from the smallest value at which all weights are zero.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.core.penalties.base import check_level
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import group_penalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Path, SparseSolution
from laconic.linear.base import Fitted
from laconic.linear.edit_constraints import Edited
from laconic.linear.elastic_net import ElasticNetClassifier, ElasticNetRegressor
from laconic.linear.group_lasso import GroupLassoClassifier, GroupLassoRegressor
from laconic.solvers.regularization_path import empty, largest_factor, solve_path
from laconic.solvers.safe_columns import within_reach

Estimator = ElasticNetClassifier | ElasticNetRegressor


def lambda_max(
    X: Any, y: ArrayLike, estimator: Estimator | None = None, sample_weight: ArrayLike | None = None
) -> float:
    r"""Return the smallest λ₁ at which all weights are zero, :math:`\|X^\top\alpha_0\|_\infty`.

    α₀ is the residual of the intercept-only model. ``estimator`` gives loss, intercept, class weights and edits; words
    that these keep do not count.

    Examples
    --------
    >>> import numpy as np
    >>> lambda_max(np.array([[1.0], [0.0]]), [0, 1])
    0.5
    """
    estimator, problem, edited = _seen(ElasticNetClassifier() if estimator is None else estimator, X, y, sample_weight)
    return largest_factor(problem, ElasticNetPenalty(1.0, sides=edited.sides_without_kept))


def elastic_net_path(
    X: Any,
    y: ArrayLike,
    estimator: Estimator | None = None,
    *,
    l1_ratio: float = 1.0,
    n_points: int = 100,
    smallest: float = 1e-3,
    sample_weight: ArrayLike | None = None,
) -> Path:
    """Fit ``n_points`` models from λ_max down to ``smallest``·λ_max, each started from its neighbours.

    A point on the line between two solved ones is taken as it is where its gap is below the tolerance. It then has the
    words of both: with a loose tolerance sizes grow in steps, with a tight one they are exact.

    Parameters
    ----------
    X, y, sample_weight
        As in ``fit``.
    estimator : ElasticNetClassifier or ElasticNetRegressor, optional
        Gives loss, intercept, class weights, edits and tolerance; its l1 and l2 are ignored.
    l1_ratio : float in (0, 1]
        1 is the lasso; below 1 the share 1 − r of λ goes to a ridge.
    n_points : int
    smallest : float in (0, 1)

    Returns
    -------
    Path

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> path = elastic_net_path(X, [0, 0, 1, 1], n_points=5, smallest=0.05)
    >>> path.sizes.tolist()[0], path.at(1).relative_gap <= 1e-6
    (0, True)
    """
    if not 0.0 < l1_ratio <= 1.0:
        raise ValueError(f"l1_ratio is {l1_ratio}; it must lie in (0, 1]. For a ridge use ElasticNetClassifier(l2=…).")
    _check_points(n_points, smallest)
    estimator, problem, edited = _seen(ElasticNetClassifier() if estimator is None else estimator, X, y, sample_weight)
    top = largest_factor(problem, ElasticNetPenalty(l1_ratio, sides=edited.sides_without_kept))
    parameters = tuple(
        {"l1": float(factor * l1_ratio), "l2": float(factor * (1.0 - l1_ratio) / 2.0)}
        for factor in top * np.geomspace(1.0, smallest, n_points)
    )
    penalties = [
        ElasticNetPenalty(edited.levels(point["l1"], 0.0, problem.n_features), point["l2"], edited.sides)
        for point in parameters
    ]
    live = within_reach(problem, penalties)
    if live is not None:
        part, penalties = problem.view(live), [penalty.restrict(live) for penalty in penalties]
    else:
        part, live = problem, np.arange(problem.n_features)
    found = solve_path(part, penalties, tol=estimator.tol, max_iter=estimator.max_iter)
    points = [SparseSolution.of(edited.unscaled(one, live)).among(live, problem.n_features) for one in found]
    return Path(points, parameters, getattr(estimator, "classes_", None))


def group_lasso_path(
    X: Any,
    y: ArrayLike,
    groups: Groups | Mapping[str, Sequence[Any]] | None = None,
    estimator: GroupLassoClassifier | GroupLassoRegressor | None = None,
    *,
    l1_ratio: float = 0.0,
    n_points: int = 50,
    smallest: float = 1e-2,
    sample_weight: ArrayLike | None = None,
) -> Path:
    """Fit ``n_points`` models from λ_max down to ``smallest``·λ_max, each started from the one before.

    Parameters
    ----------
    X, y, n_points, smallest, sample_weight
        As in `elastic_net_path`.
    groups : Groups, mapping or None
        As in `GroupLassoClassifier`.
    estimator : GroupLassoClassifier or GroupLassoRegressor, optional
        Gives loss, intercept, class weights, edits, solver, tolerance and λ₂, which stays the same along the path; its
        groups, group and l1 are ignored.
    l1_ratio : float, 0 or larger
        λ₁/λ_g.

    Returns
    -------
    Path

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> path = group_lasso_path(X, [0, 0, 1, 1], {"both": [0, 1], "last": [1, 2]}, n_points=5, smallest=0.05)
    >>> path.sizes.tolist()[0], path.sizes.tolist()[-1], max(one.relative_gap for one in path) <= 1e-6
    (0, 3, True)
    """
    l1_ratio = check_level("l1_ratio", l1_ratio)
    _check_points(n_points, smallest)
    estimator = clone(GroupLassoClassifier() if estimator is None else estimator).set_params(groups=groups, l1=0.0)
    estimator._check_settings()
    if estimator.solver == "admm":
        raise ValueError(
            "A path is exact, and solver='admm' stops early; use fit_grid for its models, or another solver."
        )
    estimator, problem, edited = _seen(estimator, X, y, sample_weight)
    resolved = edited.without_kept(estimator._groups_of(problem.n_features))
    top = largest_factor(problem, group_penalty(resolved, 1.0, l1_ratio, 0.0, edited.sides_without_kept))
    if not np.isfinite(top):
        raise ValueError(
            f"{np.count_nonzero(~resolved.covered)} features are in no group (or only in groups of weight 0) and "
            "l1_ratio is 0, so that no λ makes all weights zero. Give l1_ratio a value above 0, or add groups for them."
        )
    levels = top * np.geomspace(1.0, smallest, n_points)
    parameters = tuple({"group": float(one), "l1": float(one * l1_ratio), "l2": estimator.l2} for one in levels)
    penalties = [estimator.set_params(**point)._penalty(resolved, edited) for point in parameters]
    first = empty(problem)
    limits = estimator.tol, estimator.max_iter, estimator.solver
    if len(edited.kept):  # which no λ makes zero, so that the first point must be solved too
        solutions = solve_path(problem, penalties, first, *limits)
    else:
        solutions = [first, *solve_path(problem, penalties[1:], first, *limits)]
    return Path(tuple(map(edited.unscaled, solutions)), parameters, getattr(estimator, "classes_", None))


def _seen(
    estimator: Fitted, X: Any, y: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Fitted, LinearProblem, Edited]:
    """Return a clone that has seen the data, which leaves no marks on the caller's estimator, its problem and edits."""
    estimator = clone(estimator)
    estimator._check_settings()
    problem = estimator._problem(*estimator._validated(X, y, sample_weight))
    return estimator, problem, estimator._edited(problem.n_features)


def _check_points(n_points: int, smallest: float) -> None:
    if n_points < 1:
        raise ValueError(f"n_points is {n_points}; it must be at least 1.")
    if not 0.0 < smallest < 1.0:
        raise ValueError(f"smallest is {smallest}; it must lie between 0 and 1, as a share of λ_max.")
