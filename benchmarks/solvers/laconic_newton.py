"""laconic.ElasticNetClassifier: stops by its own relative duality gap."""

import numpy as np

from benchmarks.solvers import ladder

NAME = "laconic"
PACKAGES = ("laconic", "numba", "numpy", "scipy")
ENVIRONMENT = None
FORMAT = "csc"
OBJECTIVES = (
    "lasso",
    "lasso_no_intercept",
    "elastic_net",
    "ridge",
    "ridge_no_intercept",
    "softmax_lasso",
    "softmax_ridge",
)
SETTINGS = ladder(loosest=1e-1, tightest=1e-11, per_decade=2)


def fit(data, task, tol):
    """Fit by the public estimator."""
    from laconic import ElasticNetClassifier

    X, y = data
    return ElasticNetClassifier(task.l1, task.l2, fit_intercept=task.intercept, tol=tol, max_iter=10_000).fit(X, y)


def weights(model):
    """Return weights and intercepts."""
    return model.coef_.T, np.atleast_1d(model.intercept_)
