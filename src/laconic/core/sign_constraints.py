r"""Which side of zero a weight may take: both, one, or none.

A sign that a user asks for, and a ban, are constraints :math:`w_j \ge 0`, :math:`w_j \le 0` and :math:`w_j = 0`. All
penalties here depend on :math:`|w|` alone and grow with it, so constraints change neither a prox nor a conjugate but
their argument: what pulls towards a forbidden side is cut off first,

.. math:: \operatorname{prox}_{\Omega + I}(v) = \operatorname{prox}_\Omega(\operatorname{cut} v), \qquad
   (\Omega + I)^*(c) = \Omega^*(\operatorname{cut} c).

(At the minimum over the whole space :math:`w_j` has the sign of :math:`v_j` or is zero, so with the cut argument it
satisfies the constraint by itself; and a pull towards the forbidden side is best answered by :math:`w_j = 0`.) In the
dual :math:`|x_j^\top\alpha| \le \lambda` becomes :math:`x_j^\top\alpha \le \lambda`, or no condition at all.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

BOTH, UP, DOWN, NEITHER = 0, 1, -1, 2

Sides = NDArray[np.int8]


def check_sides(sides: ArrayLike | None, n_features: int | None) -> Sides | None:
    """Return sides as a read-only array with one row per feature; None where no weight is constrained."""
    if sides is None:
        return None
    checked = np.array(sides, dtype=np.int8)
    if checked.ndim not in (1, 2) or (n_features is not None and len(checked) != n_features):
        wanted = "n_features" if n_features is None else n_features
        raise ValueError(f"sides has shape {checked.shape}; it must be ({wanted},) or ({wanted}, n_outputs).")
    if not np.isin(checked, (BOTH, UP, DOWN, NEITHER)).all():
        raise ValueError("sides may hold 0 (both), 1 (not below zero), -1 (not above zero) and 2 (zero) only.")
    if not checked.any():
        return None
    checked.flags.writeable = False
    return checked


def cut(c: NDArray[np.float64], sides: Sides | None) -> NDArray[np.float64]:
    """Return c without what points to a forbidden side; a new array where there is one."""
    if sides is None or not sides.any():
        return c
    if c.ndim == 2 and sides.ndim == 1:
        sides = sides[:, None]
    elif c.ndim == 1 and sides.ndim == 2:
        sides = sides[:, 0]
    return np.where((sides == BOTH) | (c * sides > 0.0) & (sides != NEITHER), c, 0.0)


def sides_of(sides: Sides | None, n_features: int, n_outputs: int) -> Sides:
    """Return the sides of all weights of a penalty, shape (n_features, n_outputs)."""
    if sides is None:
        return np.zeros((n_features, n_outputs), dtype=np.int8)
    sides = sides if sides.ndim == 2 else sides[:, None]
    return np.ascontiguousarray(np.broadcast_to(sides, (n_features, n_outputs)))
