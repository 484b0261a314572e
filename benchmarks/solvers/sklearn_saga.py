"""scikit-learn's SAGA, the only solver it has for an elastic net or a softmax lasso."""

from benchmarks.solvers import _sklearn, ladder

NAME = "sklearn saga"
PACKAGES = ("scikit-learn", "numpy", "scipy")
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
SETTINGS = ladder(loosest=1e-1, tightest=1e-9)
weights = _sklearn.weights


def fit(data, task, tol):
    """Fit LogisticRegression."""
    return _sklearn.fit(data, task, "saga", tol)
