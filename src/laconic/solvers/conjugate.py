"""Conjugate gradients with a diagonal preconditioner: linear systems that are only known by their products."""

from collections.abc import Callable

import numpy as np
from scipy.linalg.blas import daxpy

from laconic.core.losses import Array

FLAT = 1e-13


def conjugate_gradients(
    product: Callable[[Array, Array], None],
    right: Array,
    inverse: Array,
    enough: float,
    max_steps: int,
    start: Array | None = None,
    slack: float = 0.0,
    short: float = 0.0,
) -> tuple[Array, Array]:
    """Solve A x = right for a positive semidefinite A; return x and the residual right − A x.

    Parameters
    ----------
    product : callable
        ``product(x, out)`` writes A x into ``out``.
    right : ndarray
        Any shape, contiguous; left as it is.
    inverse : ndarray of the same shape
        The inverse of A's diagonal. Unknowns with zero stay where they start.
    enough : float
        Stops when Σ inverse·(right − A x)² is at most this.
    max_steps : int
    start : ndarray, optional
        Where to start; zero without it.
    slack : float
        Stops as well when no unknown that may move has a residual above this.
    short : float
        Stops as well when the residual has at most this square.
    """
    r, q = right.copy(), np.empty_like(right)
    if start is None:
        x = np.zeros_like(right)
    else:
        x = start.copy()
        product(x, q)
        r -= q
    z = inverse * r
    p = z.copy()
    moves = inverse > 0.0
    size = length = float(np.vdot(r, z))
    for _ in range(max_steps):
        if size <= enough or (slack > 0.0 and np.abs(r[moves]).max(initial=0.0) <= slack):
            break
        if short > 0.0 and np.vdot(r, r) <= short:
            break
        product(p, q)
        bend = float(np.vdot(p, q))
        # ``length`` is p's own by A's diagonal: where A bends p by nothing but rounding, p leads nowhere.
        if bend <= FLAT * length:
            break
        # The vectors may have one entry a word and class: passes over them are worth saving.
        step = size / bend
        daxpy(p.ravel(), x.ravel(), a=step)
        daxpy(q.ravel(), r.ravel(), a=-step)
        np.multiply(inverse, r, out=z)
        previous, size = size, float(np.vdot(r, z))
        share = size / previous
        length = size + share * share * length
        p *= share
        p += z
    return x, r
