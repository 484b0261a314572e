"""liblinear itself, newest release: newGLMNET for a lasso (-s 6), trust-region Newton for a ridge (-s 0).

Its own objective is C Σ loss + ‖w‖₁ or C Σ loss + ½‖w‖₂². With -B 1 -R it has an intercept that is not penalised. Its
form of the data is made beforehand and not timed.
"""

import numpy as np

from benchmarks.solvers import ladder

NAME = "liblinear"
PACKAGES = ("liblinear-official", "numpy", "scipy")
ENVIRONMENT = "requirements.txt"
FORMAT = "csr"
OBJECTIVES = ("lasso", "lasso_no_intercept", "ridge", "ridge_no_intercept")
DRAWS = 3  # its random numbers go on from fit to fit, and its answers with them
SETTINGS = ladder(loosest=1e-1, tightest=1e-10, per_decade=2)


def prepare(X, y):
    """Return liblinear's own form of the data."""
    from liblinear.liblinearutil import problem

    return problem(y.astype(float), X)


def fit(data, task, tol):
    """Train a model."""
    from liblinear.liblinearutil import train

    kind = 6 if task.l1 else 0
    intercept = "-B 1 -R" if task.intercept else ""
    return train(data, f"-s {kind} -c {task.inverse!r} -e {tol!r} {intercept} -q")


def weights(model):
    """Return the weights for class 1: liblinear gives those of the class of the first document."""
    w, b = model.get_decfun()
    sign = 1.0 if model.get_labels()[0] == 1 else -1.0
    return sign * np.array(w, dtype=float)[:, None], np.array([sign * b])
