"""cyanure.Classifier with its automatic choice of solver: mean loss + λ‖w‖₁ + λ₂/2 ‖w‖₂², stops by a duality gap."""

import numpy as np

from benchmarks.solvers import ladder

NAME = "cyanure"
PACKAGES = ("cyanure", "scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = (
    "lasso",
    "lasso_no_intercept",
    "elastic_net",
    "ridge",
    "ridge_no_intercept",
    "softmax_lasso",
    "softmax_ridge",
)
SETTINGS = ladder(loosest=1e-1, tightest=1e-11)


def fit(data, task, tol):
    """Fit Classifier."""
    from cyanure.estimators import Classifier

    X, y = data
    l1, l2 = task.l1 / len(y), 2.0 * task.l2 / len(y)
    if l1 and l2:
        penalty = {"penalty": "elasticnet", "lambda_1": l1, "lambda_2": l2}
    else:
        penalty = {"penalty": "l1", "lambda_1": l1} if l1 else {"penalty": "l2", "lambda_1": l2}
    return Classifier(
        loss="logistic",
        fit_intercept=task.intercept,
        tol=tol,
        max_iter=100_000,  # it allocates its trace beforehand: more would cost time of its own
        verbose=False,
        n_threads=1,
        random_state=0,
        **penalty,
    ).fit(X, y)


def weights(model):
    """Return weights and intercepts."""
    W = model.coef_.reshape(len(model.coef_), -1).astype(float)
    return W, np.ravel(model.intercept_).astype(float) if model.fit_intercept else np.zeros(W.shape[1])
