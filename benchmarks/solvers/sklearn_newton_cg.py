"""scikit-learn's Newton method with conjugate gradients."""

from benchmarks.solvers import _sklearn, ladder

NAME = "sklearn newton-cg"
PACKAGES = ("scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = ("ridge", "ridge_no_intercept", "softmax_ridge")
SETTINGS = ladder(loosest=1e-1, tightest=1e-10, per_decade=2)
weights = _sklearn.weights


def fit(data, task, tol):
    """Fit LogisticRegression."""
    return _sklearn.fit(data, task, "newton-cg", tol)
