"""laconic.group_lasso_path on disjoint groups: its own λ_max and grid, checked to be the one asked for."""

import numpy as np
from scipy import sparse

from benchmarks.solvers import ladder
from benchmarks.solvers.laconic_group import neighbours

NAME = "laconic path"
PACKAGES = ("laconic", "numba", "numpy", "scipy")
ENVIRONMENT = None
FORMAT = "csc"
OBJECTIVES = ("group_lasso",)
SETTINGS = ladder(loosest=1e-1, tightest=1e-10, per_decade=2)


def fit(data, task, lambdas, tol):
    """Fit the path."""
    from laconic import GroupLassoClassifier, group_lasso_path

    X, y = data
    estimator = GroupLassoClassifier(fit_intercept=task.intercept, tol=tol, max_iter=10_000)
    groups = neighbours(X.shape[1], task.group_size)
    smallest = lambdas[-1] / lambdas[0]
    path = group_lasso_path(X, y, groups, estimator, n_points=len(lambdas), smallest=smallest)
    np.testing.assert_allclose([point["group"] for point in path.parameters], lambdas, rtol=1e-9)
    return path


def weights(path):
    """Return the weights of all points side by side, and their intercepts."""
    W = sparse.hstack([sparse.csc_array(solution.weights) for solution in path], format="csc")
    return W, np.concatenate([solution.intercept for solution in path])
