"""adelie.grpnet with groups of one word: mean loss + λ Σ|w_j|.

For several classes its groups are whole rows of W, which is another objective, so it is raced on two classes only.
"""

import numpy as np

from benchmarks.solvers import ladder

NAME = "adelie"
PACKAGES = ("adelie", "numpy", "scipy")
ENVIRONMENT = "requirements-adelie.txt"
FORMAT = "csc"
OBJECTIVES = ("lasso",)
SETTINGS = ladder(loosest=1e-4, tightest=1e-13, per_decade=2)


def prepare(X, y):
    """Wrap the matrix as adelie wants it."""
    import adelie

    matrix = adelie.matrix.sparse(X, method="naive", n_threads=1)
    return X, matrix, adelie.glm.binomial(y.astype(float), dtype=np.float64), len(y)


def fit(data, task, lambdas, tol):
    """Fit the path; without early exit, so that all points are fitted."""
    import adelie

    _, matrix, glm, n = data
    return adelie.grpnet(
        matrix,
        glm,
        lmda_path=np.array(lambdas) / n,
        intercept=task.intercept,
        early_exit=False,
        progress_bar=False,
        tol=tol,
        irls_tol=tol,
        n_threads=1,
    )


def weights(state):
    """Return the weights of all points side by side, and their intercepts."""
    return state.betas.T.tocsc(), np.array(state.intercepts)
