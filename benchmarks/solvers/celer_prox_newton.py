"""celer.LogisticRegression: working sets, dual extrapolation, proximal Newton steps; it has no intercept."""

import numpy as np

from benchmarks.solvers import ladder

NAME = "celer"
PACKAGES = ("celer", "scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"  # what its fit checks for; it turns it into columns itself
OBJECTIVES = ("lasso_no_intercept",)
SETTINGS = ladder(loosest=1e-1, tightest=1e-11, per_decade=2)


def fit(data, task, tol):
    """Fit LogisticRegression."""
    from celer import LogisticRegression

    X, y = data
    return LogisticRegression(C=1.0 / task.l1, tol=tol, max_iter=10_000, max_epochs=1_000_000).fit(X, y)


def weights(model):
    """Return weights; the intercept is zero."""
    return np.atleast_2d(model.coef_).T, np.zeros(1)
