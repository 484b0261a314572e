"""skglm.SparseLogisticRegression: working sets and proximal Newton steps; mean loss + α(r‖w‖₁ + (1 − r)/2 ‖w‖₂²)."""

import numpy as np

from benchmarks.solvers import ladder

NAME = "skglm"
PACKAGES = ("skglm", "numba", "scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csc"
OBJECTIVES = ("lasso", "lasso_no_intercept", "elastic_net")
SETTINGS = ladder(loosest=1e-2, tightest=1e-10, per_decade=2)


def fit(data, task, tol):
    """Fit SparseLogisticRegression."""
    from skglm import SparseLogisticRegression

    X, y = data
    return SparseLogisticRegression(
        alpha=1.0 / (task.inverse * len(y)),
        l1_ratio=task.l1_ratio,
        tol=tol,
        max_iter=10_000,
        max_epochs=100_000,
        fit_intercept=task.intercept,
    ).fit(X, y)


def weights(model):
    """Return weights and intercept."""
    return np.atleast_2d(model.coef_).T, np.array([float(np.squeeze(model.intercept_))])
