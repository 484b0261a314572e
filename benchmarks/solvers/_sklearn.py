"""What the scikit-learn solvers share: C Σ loss + r‖w‖₁ + (1 − r)/2 ‖w‖₂², the intercept free (but for liblinear)."""

import numpy as np

MANY = 10_000_000  # the tolerance ends a run, never the number of iterations


def fit(data, task, solver, tol, max_iter=MANY):
    """Fit LogisticRegression with the named solver."""
    from sklearn.linear_model import LogisticRegression

    X, y = data
    return LogisticRegression(
        C=task.inverse,
        l1_ratio=task.l1_ratio,
        solver=solver,
        fit_intercept=task.intercept,
        tol=tol,
        max_iter=max_iter,
        random_state=0,
    ).fit(X, y)


def weights(model):
    """Return weights and intercepts; without an intercept scikit-learn gives zeros."""
    coefficients = np.atleast_2d(model.coef_).T
    return coefficients, np.broadcast_to(np.asarray(model.intercept_, dtype=float), coefficients.shape[1:]).copy()
