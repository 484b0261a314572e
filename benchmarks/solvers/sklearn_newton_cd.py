"""scikit-learn's Newton method with coordinate descent, for releases that have it (1.9 has not)."""

from benchmarks.solvers import _sklearn, ladder

NAME = "sklearn newton-cd"
PACKAGES = ("scikit-learn", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = ("lasso", "lasso_no_intercept", "elastic_net", "softmax_lasso")
SETTINGS = ladder(loosest=1e-1, tightest=1e-10)
weights = _sklearn.weights


def refuses(n, p, n_classes):
    """Refuse where the release has no such solver."""
    import sklearn
    from sklearn.linear_model import LogisticRegression

    known = set().union(*(c.options for c in LogisticRegression._parameter_constraints["solver"]))
    return None if "newton-cd" in known else f"scikit-learn {sklearn.__version__} has no such solver"


def fit(data, task, tol):
    """Fit LogisticRegression."""
    return _sklearn.fit(data, task, "newton-cd", tol)
