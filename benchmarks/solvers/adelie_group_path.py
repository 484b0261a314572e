"""adelie.grpnet with groups of neighbouring words: mean loss + λ Σ √size·‖w_g‖, its default penalty factors."""

import numpy as np

from benchmarks.solvers import ladder
from benchmarks.solvers.adelie_path import prepare, weights

NAME = "adelie"
PACKAGES = ("adelie", "numpy", "scipy")
ENVIRONMENT = "requirements-adelie.txt"
FORMAT = "csc"
OBJECTIVES = ("group_lasso",)
SETTINGS = ladder(loosest=1e-4, tightest=1e-13, per_decade=2)

__all__ = ["fit", "prepare", "weights"]


def fit(data, task, lambdas, tol):
    """Fit the path; without early exit, so that all points are fitted."""
    import adelie

    X, matrix, glm, n = data
    return adelie.grpnet(
        matrix,
        glm,
        groups=np.arange(0, X.shape[1], task.group_size),
        lmda_path=np.array(lambdas) / n,
        intercept=task.intercept,
        early_exit=False,
        progress_bar=False,
        tol=tol,
        irls_tol=tol,
        n_threads=1,
    )
