"""laconic.GroupLassoClassifier on disjoint groups: stops by its own relative duality gap."""

import numpy as np

from benchmarks.solvers import ladder

NAME = "laconic"
PACKAGES = ("laconic", "numba", "numpy", "scipy")
ENVIRONMENT = None
FORMAT = "csc"
OBJECTIVES = ("group_lasso",)
SETTINGS = ladder(loosest=1e-1, tightest=1e-11, per_decade=2)


def neighbours(n_features, size):
    """Return groups of neighbouring columns with weight √size."""
    from laconic import Groups

    return Groups.from_lists([range(at, min(at + size, n_features)) for at in range(0, n_features, size)], n_features)


def fit(data, task, tol):
    """Fit by the public estimator."""
    from laconic import GroupLassoClassifier

    X, y = data
    groups = neighbours(X.shape[1], task.group_size)
    return GroupLassoClassifier(groups, task.l1, fit_intercept=task.intercept, tol=tol, max_iter=10_000).fit(X, y)


def weights(model):
    """Return weights and intercepts."""
    return model.coef_.T, np.atleast_1d(model.intercept_)
