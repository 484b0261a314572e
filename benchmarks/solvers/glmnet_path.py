"""python-glmnet's LogitNet: mean loss + λ‖W‖₁, words not standardised, no cross-validation."""

import numpy as np
from scipy import sparse

from benchmarks.solvers import ladder

NAME = "glmnet"
PACKAGES = ("python-glmnet", "numpy", "scipy")
ENVIRONMENT = "requirements-glmnet.txt"
FORMAT = "csr"  # what its fit checks for; it turns it into columns itself
OBJECTIVES = ("lasso", "softmax_lasso")
SETTINGS = ladder(loosest=1e-3, tightest=1e-13, per_decade=2)


def fit(data, task, lambdas, tol):
    """Fit the path."""
    from glmnet import LogitNet

    X, y = data
    return LogitNet(
        alpha=1.0,
        lambda_path=np.array(lambdas) / len(y),
        standardize=False,
        fit_intercept=task.intercept,
        n_splits=0,
        tol=tol,
        max_iter=100_000_000,
    ).fit(X, y)


def weights(model):
    """Return the weights of all points side by side, and their intercepts."""
    points = [sparse.csc_matrix(model.coef_path_[:, :, i].T) for i in range(model.n_lambda_)]
    return sparse.hstack(points, format="csc"), model.intercept_path_.T.ravel()
