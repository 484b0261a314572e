"""Conjugate gradients with a preconditioner: linear systems that are only known by their products."""

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
    slack: float | Array = 0.0,
    short: float = 0.0,
    precondition: Callable[[Array], Array] | None = None,
    flat: Array | None = None,
) -> tuple[Array, Array]:
    """Solve A x = right for a positive semidefinite A; return x and the residual right − A x."""
    # ``product(x, out)`` writes A x into ``out``. ``inverse`` is that of A's diagonal: unknowns with zero stay where
    # they start. It stops when Σ inverse·(right − A x)² is at most ``enough``, when no unknown that may move has a
    # residual above ``slack`` (one number for all, or one for each), or when the residual's square is at most
    # ``short``. ``precondition`` returns a better inverse of A times a vector; it must keep to the unknowns that move,
    # and its norm of the residual takes the place of the first. Where a direction without curvature is met, along which
    # the quadratic falls without end, it is written into ``flat``.
    r, q = right.copy(), np.empty_like(right)
    if start is None:
        x = np.zeros_like(right)
    else:
        x = start.copy()
        product(x, q)
        r -= q
    z = inverse * r if precondition is None else precondition(r)
    p = z.copy()
    bounded = bool(np.any(slack))
    limit = np.where(inverse > 0.0, slack, np.inf)
    size = length = float(np.vdot(r, z))
    for _ in range(max_steps):
        if size <= enough or (bounded and bool(np.all(np.abs(r) <= limit))):
            break
        if short > 0.0 and np.vdot(r, r) <= short:
            break
        product(p, q)
        curvature = float(np.vdot(p, q))
        # ``length`` is p's own by A's diagonal: where the curvature along p is but rounding, p leads nowhere.
        if curvature <= FLAT * length:
            if flat is not None:
                flat[:] = p
            break
        # The vectors may have one entry a word and class: passes over them are worth saving.
        step = size / curvature
        daxpy(p.ravel(), x.ravel(), a=step)
        daxpy(q.ravel(), r.ravel(), a=-step)
        if precondition is None:
            np.multiply(inverse, r, out=z)
        else:
            z = precondition(r)
        previous, size = size, float(np.vdot(r, z))
        share = size / previous
        length = size + share * share * length
        p *= share
        p += z
    return x, r
