r"""Coordinate descent on a quadratic model of the loss: an elastic net, or norms of disjoint blocks with l1 and ridge.

With working residual :math:`r = \alpha - H z`, where :math:`z = X\delta + \beta` is the change of the margins,
coordinate j sees slope :math:`x_j^\top r` and curvature :math:`a_j = x_j^\top H x_j`, and its best new weight is
:math:`S(a_j w_j + x_j^\top r,\ \lambda_1) / (a_j + 2\lambda_2)` with the soft threshold S. ``w`` and ``r`` are
changed in place.

Within block g the curvature is bounded by a diagonal, :math:`X_g^\top H X_g \preceq \mathrm{diag}(d)` with
:math:`d_j = \sum_i h_i |x_{ij}| \sum_{k\in g} |x_{ik}|` (Cauchy and Schwarz, document by document), nearly exact where
documents seldom hold two words of a block. The bound's minimum is
:math:`w_j = s_j\eta/((d_j + \kappa_j)\eta + \rho)` with the soft-thresholded slopes s, the ridge
:math:`\kappa_j w_j^2/2` of every weight, and the norm :math:`\eta` of w, the root of a concave function of one
variable; zero where :math:`\|s\| \le \rho`. Slopes towards a side that a weight may not take (``sides``, as in
``laconic.core.penalties.base``) count as zero.

Block b is ``ends[b]:ends[b + 1]`` of the columns, which come as in ``laconic.kernels.linear.columns``.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.columns import dot

ROOT_STEPS = 50


class Levels(NamedTuple):
    """What a penalty asks of blocks: λ_g d_g, what slopes are measured by, λ₁, sides (one row a column), and ridge."""

    ends: NDArray[np.int64]
    radii: NDArray[np.float64]
    levels: NDArray[np.float64]
    l1: NDArray[np.float64]
    sides: NDArray[np.int8]
    ridge: NDArray[np.float64]


class Curvatures(NamedTuple):
    """The curvature of every document, its bound for every column, and Σ h x."""

    h: NDArray[np.float64]
    d: NDArray[np.float64]
    hx: NDArray[np.float64]


@kernel
def bound_blocks(data, indices, start, stop, ends, h, curvature, weight, bound):
    """Fill ``curvature`` with Σ h x², ``weight`` with Σ h x and ``bound`` with the diagonal d, column by column."""
    unit = len(data) == 0
    row = np.zeros(len(h))
    for b in range(len(ends) - 1):
        first, last = ends[b], ends[b + 1]
        alone = last - first == 1
        if not alone:
            for j in range(first, last):
                for p in range(start[j], stop[j]):
                    row[indices[p]] += 1.0 if unit else abs(data[p])
        for j in range(first, last):
            s0, s1, s2 = 0.0, 0.0, 0.0
            for p in range(start[j], stop[j]):
                i, x = indices[p], 1.0 if unit else data[p]
                hx = h[i] * x
                s0 += hx
                s1 += hx * x
                s2 += abs(hx) * row[i]
            weight[j], curvature[j], bound[j] = s0, s1, s1 if alone else s2
        if not alone:
            for j in range(first, last):
                for p in range(start[j], stop[j]):
                    row[indices[p]] = 0.0


@kernel
def block_norm(s, d, radius):
    """Return the root η > 0 of Σ (s/(dη + radius))² = 1, or 0.0 where ‖s‖ ≤ radius."""
    square = 0.0
    for j in range(len(s)):
        square += s[j] * s[j]
    if square <= radius * radius:
        return 0.0
    if radius == 0.0:
        square = 0.0
        for j in range(len(s)):
            square += (s[j] / d[j]) ** 2
        return math.sqrt(square)
    # The inverse root of the sum is concave and grows: Newton's method climbs to the root from the left.
    eta = 0.0
    for _ in range(ROOT_STEPS):
        total, slope = 0.0, 0.0
        for j in range(len(s)):
            below = 1.0 / (d[j] * eta + radius)
            term = (s[j] * below) ** 2
            total += term
            slope += term * d[j] * below
        step = (math.sqrt(total) - 1.0) * total / slope
        eta += step
        if step <= 1e-14 * eta:
            break
    return eta


@kernel
def descend_blocks(data, indices, start, stop, blocks, curvatures, r, w, free, gained, theta, slack, max_sweeps):
    """Sweep until one gains less than ``theta`` of all gained, or all slopes are within ``slack`` of their level."""
    # Returns all gained, a lower bound on the model's decrease, and whether it came to rest; ``w`` and ``r`` change in
    # place.
    ends, radii, levels, l1, sides, ridge = blocks
    h, d, hx = curvatures
    n_blocks = len(radii)
    h_total = h.sum()
    free = free and h_total > 0.0
    r_total = r.sum() if free else 0.0
    unit = len(data) == 0
    largest = 1
    for b in range(n_blocks):
        largest = max(largest, ends[b + 1] - ends[b])
    soft, bends = np.empty(largest), np.empty(largest)
    active = np.empty(n_blocks, dtype=np.int32)
    n_active = 0
    sweeps = 0
    full = True
    while sweeps < max_sweeps:
        sweeps += 1
        count = n_blocks if full else n_active
        gain, worst = 0.0, 0.0
        if full:
            n_active = 0
        for position in range(count):
            b = position if full else active[position]
            first, size = ends[b], ends[b + 1] - ends[b]
            for at in range(size):
                j = first + at
                slope = dot(data, indices, start[j], stop[j], r)
                bend = d[j]
                if free:
                    slope -= r_total / h_total * hx[j]
                    if size == 1:
                        bend -= hx[j] * hx[j] / h_total
                bend = max(bend, 1e-12 * d[j], 1e-30)
                target = bend * w[j] + slope
                soft[at] = math.copysign(max(abs(target) - l1[j], 0.0), target)
                if sides[j] != 0 and (sides[j] == 2 or sides[j] * target < 0.0):
                    soft[at] = 0.0
                bends[at] = bend + ridge[j]
            eta = block_norm(soft[:size], bends[:size], radii[b])
            off, nonzero = 0.0, False
            for at in range(size):
                j = first + at
                new = soft[at] * eta / (bends[at] * eta + radii[b]) if eta > 0.0 else 0.0
                move = new - w[j]
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
                    gain += 0.5 * bends[at] * move * move
                    off += (bends[at] * move) ** 2
                nonzero = nonzero or new != 0.0
            worst = max(worst, math.sqrt(off) / levels[b])
            if full and nonzero:
                active[n_active] = b
                n_active += 1
        gained += gain
        if gain <= theta * gained or worst <= slack:
            if full:
                return gained, True
            full = True
        else:
            # A full sweep every tenth keeps blocks that should enter from waiting.
            full = sweeps % 10 == 0
    return gained, False


@kernel
def descend_rows(data, indices, start, stop, blocks, P, s, damping, d, R, W, max_sweeps):
    """Sweep over blocks of rows of ``W`` with the curvature of softmax; return at least what the last sweep gained."""
    # ``P`` holds probabilities, ``d`` bounds the curvature of a block's weights; ``W`` and the residual ``R`` change in
    # place.
    ends, radii, _, l1, sides, ridge = blocks
    unit = len(data) == 0
    K = W.shape[1]
    largest = 1
    for b in range(len(radii)):
        largest = max(largest, ends[b + 1] - ends[b])
    soft, bends = np.empty(largest * K), np.empty(largest * K)
    slopes, move = np.empty(K), np.empty(K)
    gain = 0.0
    for _ in range(max_sweeps):
        gain = 0.0
        for b in range(len(radii)):
            first, last = ends[b], ends[b + 1]
            for j in range(first, last):
                slopes[:] = 0.0
                for p in range(start[j], stop[j]):
                    i = indices[p]
                    x = 1.0 if unit else data[p]
                    for k in range(K):
                        slopes[k] += x * R[i, k]
                for k in range(K):
                    at = (j - first) * K + k
                    bend = max(d[j, k], 1e-30)
                    target = bend * W[j, k] + slopes[k]
                    soft[at] = math.copysign(max(abs(target) - l1[j], 0.0), target)
                    if sides[j, k] != 0 and (sides[j, k] == 2 or sides[j, k] * target < 0.0):
                        soft[at] = 0.0
                    bends[at] = bend + ridge[j]
            size = (last - first) * K
            eta = block_norm(soft[:size], bends[:size], radii[b])
            for j in range(first, last):
                moved = False
                for k in range(K):
                    at = (j - first) * K + k
                    new = soft[at] * eta / (bends[at] * eta + radii[b]) if eta > 0.0 else 0.0
                    move[k] = new - W[j, k]
                    W[j, k] = new
                    moved = moved or move[k] != 0.0
                    gain += 0.5 * bends[at] * move[k] * move[k]
                if moved:
                    for p in range(start[j], stop[j]):
                        i = indices[p]
                        mean = 0.0
                        for k in range(K):
                            mean += P[i, k] * move[k]
                        x = s[i] * (1.0 if unit else data[p])
                        for k in range(K):
                            R[i, k] -= x * (P[i, k] * (move[k] - mean) + damping[i] * move[k])
    return gain


@kernel
def bend_norms(indptr, indices, factors, u, d, out):
    """Add Σ_g factor_g (d_g − u_g (u_g·d_g)) to ``out``, the curvature of norms of groups that may share members."""
    for g in range(len(factors)):
        along = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            along += u[at] * d[indices[at]]
        for at in range(indptr[g], indptr[g + 1]):
            out[indices[at]] += factors[g] * (d[indices[at]] - along * u[at])


@kernel
def lift_norms(indptr, indices, factors, u, inverse, v, lifts):
    """Fill ``v`` and ``lifts`` so that (D − Σ_g factor_g u_g u_gᵀ)⁻¹ = D⁻¹ + Σ_g lift_g v_g v_gᵀ (``inverse``)."""
    # Children before parents (Sherman and Morrison): v_g is the inverse so far times u_g, with groups inside g alone.
    n_groups = len(factors)
    owner = np.full(len(inverse), -1, dtype=np.int64)
    child, sibling = np.full(n_groups, -1, dtype=np.int64), np.full(n_groups, -1, dtype=np.int64)
    inside = np.zeros(n_groups, dtype=np.bool_)
    stack = np.empty(n_groups, dtype=np.int64)
    here, image = np.zeros(len(inverse)), np.zeros(len(inverse))
    for g in range(n_groups):
        for at in range(indptr[g], indptr[g + 1]):
            e = indices[at]
            here[e] = u[at]
            image[e] = inverse[e] * u[at]
            c = owner[e]
            if c >= 0 and not inside[c]:
                inside[c] = True
                sibling[c] = child[g]
                child[g] = c
            owner[e] = g
        stack[0] = g
        height = 1
        while height > 0:
            height -= 1
            c = stack[height]
            if c != g:
                along = 0.0
                for at in range(indptr[c], indptr[c + 1]):
                    along += v[at] * here[indices[at]]
                along *= lifts[c]
                for at in range(indptr[c], indptr[c + 1]):
                    image[indices[at]] += along * v[at]
            c = child[c]
            while c >= 0:
                stack[height] = c
                height += 1
                c = sibling[c]
        left = 1.0
        for at in range(indptr[g], indptr[g + 1]):
            v[at] = image[indices[at]]
            left -= factors[g] * u[at] * v[at]
        # Any positive lift keeps the inverse positive, also where rounding leaves nothing.
        lifts[g] = factors[g] / max(left, 1e-12)


@kernel
def add_lifts(indptr, indices, v, lifts, r, z):
    """Add Σ_g lift_g v_g (v_g·r) to ``z``."""
    for g in range(len(lifts)):
        along = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            along += v[at] * r[indices[at]]
        along *= lifts[g]
        for at in range(indptr[g], indptr[g + 1]):
            z[indices[at]] += along * v[at]


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
