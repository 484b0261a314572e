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

LARGEST = 2000
LEAVERS = 50


def step_on_support(columns: Any, h: Array, r: Array, w: Array, l1: Array, l2: float, free: bool) -> float:
    """Move ``w`` and the working residual ``r`` in place; return by how much the model fell, 0.0 for no step.

    Parameters are those of ``laconic.kernels.coordinate.descend``.
    """
    A = np.flatnonzero(w)
    if not 0 < len(A) <= LARGEST:
        return 0.0
    X = sp.csc_array(tuple(columns), shape=(len(h), len(w)))[:, A]
    total = float(h.sum())
    HX = X.multiply(h[:, None]).tocsc()
    G = (X.T @ HX).toarray()
    if free:
        first = np.asarray(HX.sum(axis=0)).ravel()
        G -= np.outer(first, first) / total
    G[np.diag_indices_from(G)] += 2.0 * l2
    centred = r - h * (r.sum() / total) if free else r
    here, level = w[A], l1[A]
    slope = X.T @ centred - 2.0 * l2 * here - level * np.sign(here)
    fallen = 0.0
    for _ in range(LEAVERS):
        live = np.flatnonzero(here)
        d = _solved(G[np.ix_(live, live)], slope[live])
        if d is None:
            break
        move = np.zeros_like(here)
        move[live] = np.where((here[live] + d) * here[live] < 0.0, -here[live], d)
        fall = _fall(G, slope, move)
        crossing = d * here[live] < 0.0
        reach = np.min(-here[live][crossing] / d[crossing], initial=np.inf)
        clipped = reach < 1.0 and fall <= 0.0
        if clipped:
            move[live] = reach * d
            fall = _fall(G, slope, move)
        if not fall > 0.0:
            break
        new = here + move
        if clipped:
            new[live[np.argmin(np.where(crossing, -here[live] / np.where(crossing, d, 1.0), np.inf))]] = 0.0
        else:
            new[live[(here[live] + d) * here[live] < 0.0]] = 0.0
        slope -= G @ (new - here)
        here = new
        fallen += fall
        if not clipped:
            break
    if fallen > 0.0:
        r -= h * (X @ (here - w[A]))
        w[A] = here
    return fallen


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
