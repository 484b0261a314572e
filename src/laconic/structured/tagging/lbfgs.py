r"""The CRF with L2 solved over all sentences at once, by L-BFGS: slower than stochastic steps, and certain.

.. math:: \min_\theta \sum_s \left(\log Z(x_s) - \theta\cdot\phi(x_s, y_s)\right) + \lambda_2\|\theta\|_2^2

With costs of wrong tokens Z is that of the softmax margin (see `laconic.kernels.chains.crf`).
"""

import warnings

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.chains.crf import likelihood_gradient
from laconic.structured.tagging.learner import Learner

HISTORY = 6


def solve_crf(learner: Learner, l2: float, max_iter: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return weights of the learner's rows, transitions, and the objective reached.

    Every feature that may have weights needs a row; frozen weights stay zero. λ₂ must be above 0: without it there may
    be no optimum.
    """
    from scipy.optimize import minimize  # here: all other learners do without

    weights, n_rows = learner.weights, learner.n_rows
    shape = learner.transitions.shape
    entries = np.flatnonzero(weights.allowed[:n_rows]) if len(weights.allowed) else np.arange(n_rows * shape[1])
    rows, gradient = np.zeros((n_rows, shape[1])), np.zeros((n_rows, shape[1]))
    text = learner.extracted.text

    def value(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        rows.reshape(-1)[entries] = theta[: len(entries)]
        transitions = theta[len(entries) :].reshape(shape)
        gradient[:] = 0.0
        pairs = np.zeros(shape)
        loss = likelihood_gradient(
            text, learner.tags, learner.token_starts, weights.row_of, rows, transitions, learner.costs, gradient, pairs
        )
        slope = np.concatenate([gradient.reshape(-1)[entries], pairs.ravel()])
        return loss + l2 * float(theta @ theta), slope + 2.0 * l2 * theta

    start = np.concatenate([learner.rows.reshape(-1)[entries], learner.transitions.ravel()]).astype(np.float64)
    options = {"maxiter": max_iter, "maxcor": HISTORY, "ftol": 1e-10, "gtol": 1e-5, "maxfun": 10 * max_iter}
    solved = minimize(value, start, jac=True, method="L-BFGS-B", options=options)
    if not solved.success:
        warnings.warn(
            f"L-BFGS stopped after {solved.nit} iterations at the objective {solved.fun:.6g}, before it converged; "
            "raise passes, which is the number of iterations for optimizer='lbfgs'.",
            stacklevel=2,
        )
    rows.reshape(-1)[entries] = solved.x[: len(entries)]
    return rows, solved.x[len(entries) :].reshape(shape), float(solved.fun)
