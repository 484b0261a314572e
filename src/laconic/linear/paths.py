r"""Paths of classifiers from λ_max down.

Along a path λ₁ = λ·r and λ₂ = λ·(1 − r)/2 with the ratio r fixed, λ falling geometrically from the smallest value at
which all weights are zero.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.path import Path
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.linear.elastic_net import ElasticNetClassifier, ElasticNetRegressor
from laconic.solvers.path import largest_factor, solve_path

Estimator = ElasticNetClassifier | ElasticNetRegressor


def lambda_max(
    X: Any, y: ArrayLike, estimator: Estimator | None = None, sample_weight: ArrayLike | None = None
) -> float:
    r"""Return the smallest λ₁ at which all weights are zero, :math:`\|X^\top\alpha_0\|_\infty`.

    α₀ is the residual of the intercept-only model. ``estimator`` gives loss, intercept and class weights.

    Examples
    --------
    >>> import numpy as np
    >>> lambda_max(np.array([[1.0], [0.0]]), [0, 1])
    0.5
    """
    # A clone, so that looking at the data leaves no marks on the caller's estimator.
    estimator = ElasticNetClassifier() if estimator is None else clone(estimator)
    problem = estimator._problem(*estimator._validated(X, y, sample_weight))
    return largest_factor(problem, ElasticNetPenalty(l1=1.0))


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
        Gives loss, intercept, class weights and tolerance; its l1 and l2 are ignored.
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
    if n_points < 1:
        raise ValueError(f"n_points is {n_points}; it must be at least 1.")
    if not 0.0 < smallest < 1.0:
        raise ValueError(f"smallest is {smallest}; it must lie between 0 and 1, as a share of λ_max.")
    # A clone, so that looking at the data leaves no marks on the caller's estimator.
    estimator = ElasticNetClassifier() if estimator is None else clone(estimator)
    problem = estimator._problem(*estimator._validated(X, y, sample_weight))
    top = largest_factor(problem, ElasticNetPenalty(l1=l1_ratio))
    parameters = tuple(
        {"l1": float(factor * l1_ratio), "l2": float(factor * (1.0 - l1_ratio) / 2.0)}
        for factor in top * np.geomspace(1.0, smallest, n_points)
    )
    penalties = [ElasticNetPenalty(**point) for point in parameters]
    solutions = solve_path(problem, penalties, tol=estimator.tol, max_iter=estimator.max_iter)
    return Path(tuple(solutions), parameters, getattr(estimator, "classes_", None))
