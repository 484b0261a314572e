r"""Coordinate descent on a quadratic model of the loss with an elastic net.

With working residual :math:`r = \alpha - H z`, where :math:`z = X\delta + \beta` is the change of the margins,
coordinate j sees slope :math:`x_j^\top r` and curvature :math:`a_j = x_j^\top H x_j`, and its best new weight is
:math:`S(a_j w_j + x_j^\top r,\ \lambda_1) / (a_j + 2\lambda_2)` with the soft threshold S. Columns come as in
``laconic.kernels.linear.columns``; ``w`` and ``r`` are changed in place. ``sides`` are as in
``laconic.core.sign_constraints``: a weight that may not take the side that its slope asks for is zero.
"""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.linear.columns import dot


@kernel
def descend(data, indices, start, stop, h, r, w, l1, l2, sides, a, hx, free, gained, theta, slack, max_sweeps):
    """Sweep until a sweep gains less than ``theta`` of all gained, or no slope is off by more than ``slack``."""
    # With ``free`` the intercept is minimised out: the residual in use is r − c·h with c = Σr/Σh, and a_j loses
    # hx_j²/Σh. Returns all gained, a lower bound on the model's decrease, and whether it came to rest.
    n_columns = len(w)
    h_total = h.sum()
    free = free and h_total > 0.0
    r_total = r.sum() if free else 0.0
    unit = len(data) == 0
    active = np.empty(n_columns, dtype=np.int32)
    n_active = 0
    sweeps = 0
    full = True
    while sweeps < max_sweeps:
        sweeps += 1
        count = n_columns if full else n_active
        gain, worst = 0.0, 0.0
        if full:
            n_active = 0
        for position in range(count):
            j = position if full else active[position]
            slope = dot(data, indices, start[j], stop[j], r)
            bend = a[j]
            if free:
                slope -= r_total / h_total * hx[j]
                bend -= hx[j] * hx[j] / h_total
            # Without any curvature the model is the penalty alone: its minimum, zero, must still be found.
            bend = max(bend, 1e-12 * a[j], 1e-30) + 2.0 * l2[j]
            old = w[j]
            target = bend * old + slope - 2.0 * l2[j] * old
            new = 0.0
            if target > l1[j] and (sides[j] == 0 or sides[j] == 1):
                new = (target - l1[j]) / bend
            elif target < -l1[j] and (sides[j] == 0 or sides[j] == -1):
                new = (target + l1[j]) / bend
            move = new - old
            if move != 0.0:
                w[j] = new
                if unit:
                    for p in range(start[j], stop[j]):
                        i = indices[p]
                        r[i] -= move * h[i]
                else:
                    for p in range(start[j], stop[j]):
                        i = indices[p]
                        r[i] -= move * h[i] * data[p]
                r_total -= move * hx[j]
                gain += 0.5 * bend * move * move
                worst = max(worst, bend * abs(move))
            if full and w[j] != 0.0:
                active[n_active] = j
                n_active += 1
        gained += gain
        if gain <= theta * gained or worst <= slack:
            if full:
                return gained, True
            full = True
        else:
            # A full sweep every tenth keeps columns that should enter from waiting.
            full = sweeps % 10 == 0
    return gained, False
