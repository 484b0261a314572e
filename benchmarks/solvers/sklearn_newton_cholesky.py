"""scikit-learn's Newton method with a Cholesky factor of the p × p Hessian: needs 8·(p·k)² bytes, so few words only."""

from benchmarks.solvers import _sklearn, ladder

NAME = "sklearn newton-cholesky"
PACKAGES = ("scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = ("ridge", "ridge_no_intercept", "softmax_ridge")
SETTINGS = ladder(loosest=1e-1, tightest=1e-10)
MOST_GIGABYTES = 4.0
weights = _sklearn.weights


def refuses(n, p, n_classes):
    """Refuse where the Hessian does not fit into memory."""
    gigabytes = 8.0 * (p * (n_classes if n_classes > 2 else 1)) ** 2 / 1e9
    return f"its Hessian needs {gigabytes:,.0f} GB" if gigabytes > MOST_GIGABYTES else None


def fit(data, task, tol):
    """Fit LogisticRegression."""
    return _sklearn.fit(data, task, "newton-cholesky", tol)
