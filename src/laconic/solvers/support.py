r"""A Newton step on the support, for when coordinate descent crawls.

Coordinate descent on a quadratic model soon finds which weights are nonzero and with which sign, but may need thousands
of sweeps for their values when columns are nearly dependent. With support A and signs held, the model is a quadratic
and its minimum one linear system,
:math:`(X_A^\top H X_A + 2\lambda_2 I)\,d = X_A^\top r - 2\lambda_2 w_A - \lambda_1 s_A` (H centred for a free b).
Weights that would change sign are set to zero if the model falls so; else the step ends where the first weight reaches
zero, that word leaves, and the rest is solved anew.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from laconic.core.losses import Array
from laconic.kernels.gram import weighted_gram

LARGEST = 2000
LEAVERS = 50
BLOCK = 1024
PAIR_COST = 25.0  # of a pair in the sparse kernel, in multiply-adds of a dense product


def step_on_support(columns: Any, h: Array, r: Array, w: Array, l1: Array, l2: float, free: bool) -> float:
    """Move ``w`` and the working residual ``r`` in place; return by how much the model fell, 0.0 for no step.

    Parameters are those of ``laconic.kernels.coordinate.descend``.
    """
    A = np.flatnonzero(w)
    if not 0 < len(A) <= LARGEST:
        return 0.0
    X = sp.csc_array(tuple(columns), shape=(len(h), len(w)))[:, A]
    total = float(h.sum())
    G = gram(X.tocsr(), h)
    if free:
        first = X.T @ h
        G -= np.outer(first, first) / total
    G[np.diag_indices_from(G)] += 2.0 * l2
    centred = r - h * (r.sum() / total) if free else r
    new, fallen = walk(G, X.T @ centred - 2.0 * l2 * w[A] - l1[A] * np.sign(w[A]), w[A])
    if fallen > 0.0:
        r -= h * (X @ (new - w[A]))
        w[A] = new
    return fallen


def gram(X: sp.csr_array, weight: Array) -> Array:
    """Return Xᵀ diag(weight) X, dense: by pairs of words that meet, or in dense blocks where that is less work."""
    n, p = X.shape
    G = np.zeros((p, p))
    pairs = float((np.diff(X.indptr).astype(np.float64) ** 2).sum())
    if PAIR_COST * pairs < float(n) * p * p:
        X.sort_indices()
        weighted_gram(X.data, X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False), weight, G)
        return G + np.triu(G, 1).T
    for start in range(0, n, BLOCK):
        block = X[start : start + BLOCK].toarray()
        block *= np.sqrt(weight[start : start + BLOCK, None])
        G += block.T @ block
    return G


def walk(G: Array, slope: Array, start: Array, unsigned: int = 0) -> tuple[Array, float]:
    """Minimise −slope·d + ½ dᵀGd over d with the signs of ``start`` + d held; return the end and the decrease.

    Weights that reach zero leave. The last ``unsigned`` unknowns are intercepts, whose sign is free.
    """
    here, slope, fallen = start.copy(), slope.copy(), 0.0
    signed = np.arange(len(here)) < len(here) - unsigned
    for _ in range(LEAVERS):
        live = np.flatnonzero((here != 0.0) | ~signed)
        d = np.zeros_like(here)
        step = _solved(G[np.ix_(live, live)], slope[live])
        if step is None:
            break
        d[live] = step
        crossing = signed & ((here + d) * here < 0.0)
        move = np.where(crossing, -here, d)
        fall = _fall(G, slope, move)
        ended = fall > 0.0
        if not ended and crossing.any():
            # Setting all crossing weights to zero overshoots: stop where the first one reaches zero.
            reach = np.divide(-here, d, out=np.full_like(here, np.inf), where=crossing)
            move = reach.min() * d
            crossing = reach == reach.min()
            fall = _fall(G, slope, move)
        if not fall > 0.0:
            break
        new = np.where(crossing, 0.0, here + move)
        slope -= G @ (new - here)
        here = new
        fallen += fall
        if ended:
            break
    return here, fallen


def _solved(G: Array, right: Array) -> Array | None:
    """Solve G d = right for a symmetric G that may be singular to rounding; None if even that fails."""
    G[np.diag_indices_from(G)] += 1e-11 * (G.diagonal().max(initial=0.0) + 1e-300)
    try:
        return cho_solve(cho_factor(G, lower=True, overwrite_a=True, check_finite=False), right, check_finite=False)
    except LinAlgError:
        return None


def _fall(G: Array, slope: Array, move: Array) -> float:
    """Return by how much the model falls along ``move``, signs held."""
    return float(slope @ move - 0.5 * (move @ (G @ move)))
