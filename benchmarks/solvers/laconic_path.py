"""laconic.elastic_net_path: its own λ_max and grid, checked to be the one asked for."""

import numpy as np
from scipy import sparse

from benchmarks.solvers import ladder

NAME = "laconic path"
PACKAGES = ("laconic", "numba", "numpy", "scipy")
ENVIRONMENT = None
FORMAT = "csc"
OBJECTIVES = ("lasso", "softmax_lasso")
SETTINGS = ladder(loosest=1e-1, tightest=1e-10, per_decade=2)


def fit(data, task, lambdas, tol):
    """Fit the path."""
    from laconic import ElasticNetClassifier, elastic_net_path

    X, y = data
    estimator = ElasticNetClassifier(fit_intercept=task.intercept, tol=tol, max_iter=10_000)
    path = elastic_net_path(X, y, estimator, n_points=len(lambdas), smallest=lambdas[-1] / lambdas[0])
    np.testing.assert_allclose([point["l1"] for point in path.parameters], lambdas, rtol=1e-9)
    return path


def weights(path):
    """Return the weights of all points side by side, and their intercepts."""
    W = sparse.hstack([sparse.csc_array(solution.weights) for solution in path], format="csc")
    return W, np.concatenate([solution.intercept for solution in path])
