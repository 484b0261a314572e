"""scikit-learn's copy of liblinear; it penalises the intercept, so it is raced without one."""

from benchmarks.solvers import _sklearn, ladder

NAME = "sklearn liblinear"
PACKAGES = ("scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = ("lasso_no_intercept", "ridge_no_intercept")
SETTINGS = ladder(loosest=1e-1, tightest=1e-9, per_decade=2)
weights = _sklearn.weights


def fit(data, task, tol):
    """Fit LogisticRegression."""
    return _sklearn.fit(data, task, "liblinear", tol)
