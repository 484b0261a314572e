"""A second opinion from solvers of other people: cvxpy's interior points, and L-BFGS where all is smooth."""

import numpy as np

from tools.attack.matrices import Array
from tools.attack.oracle import Plain, margins, objective, residual


def better_known(one: Plain) -> float | None:
    """Return the objective at the weights that an interior-point solver finds, None where it fails."""
    import cvxpy as cp

    W, b = cp.Variable((one.X.shape[1], one.n_outputs)), cp.Variable((1, one.n_outputs))
    F = one.X @ W + (np.ones((len(one.s), 1)) @ b if one.intercept else 0.0)
    size = sum(r * cp.norm(W[list(g)], "fro") for g, r in zip(one.groups, one.radii, strict=True))
    size += cp.sum(cp.multiply(one.levels[:, None], cp.abs(W))) + one.l2 * cp.sum_squares(W)
    limits = [W[low] >= 0 for low in [np.nonzero(one.low == 0.0)] if len(low[0])]
    limits += [W[high] <= 0 for high in [np.nonzero(one.high == 0.0)] if len(high[0])]
    try:
        cp.Problem(cp.Minimize(_loss(one, F) + size), limits).solve(solver=cp.CLARABEL)
    except (cp.SolverError, ValueError):
        return None
    if W.value is None or b.value is None:
        return None
    free = np.zeros(one.n_outputs) if not one.intercept else b.value[0]
    return objective(one, np.clip(W.value, one.low, one.high), free)


def smoothed(one: Plain, W: Array, b: Array) -> float:
    """Return the objective that L-BFGS reaches from an answer to a smooth problem without sides."""
    from scipy.optimize import minimize

    p, k = W.shape

    def value(z: Array) -> tuple[float, Array]:
        V, shift = z[: p * k].reshape(p, k), z[p * k :] * one.intercept
        alpha = residual(one, margins(one, V, shift))
        gradient = 2.0 * one.l2 * V - one.X.T @ alpha
        return objective(one, V, shift), np.concatenate([gradient.ravel(), -alpha.sum(axis=0) * one.intercept])

    found = minimize(value, np.concatenate([W.ravel(), b]), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return float(found.fun)


def _loss(one: Plain, F):
    import cvxpy as cp

    if one.loss == "softmax":
        return one.s @ (cp.log_sum_exp(F, axis=1) - cp.sum(cp.multiply(one.y, F), axis=1))
    m, y = cp.multiply(one.y[:, 0], F[:, 0]), one.y[:, 0]
    if one.loss == "logistic":
        return one.s @ cp.logistic(-m)
    rest = cp.pos(1 - m) if one.loss == "squared_hinge" else np.sqrt(0.5) * (y - F[:, 0])
    return cp.sum_squares(cp.multiply(np.sqrt(one.s), rest))
