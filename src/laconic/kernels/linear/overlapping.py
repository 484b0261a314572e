"""Passes over groups that may overlap: smoothed norms, their derivatives, the dual's blocks; shrinkage and ADMM.

Group g is ``indices[indptr[g]:indptr[g + 1]]``, never empty, with radius ``radii[g]``: its dual variable ξ_g, one entry
a member, lives in the ball ‖ξ_g‖ ≤ radii[g]. All passes cost one visit of each member.
"""

import math

import numpy as np

from laconic.kernels._compile import kernel


@kernel
def smooth_groups(w, xi, sigma, radii, indptr, indices, out, bend, turn, slope):
    """Return Σ_g min_v radii[g]‖v‖ + σ_g/2 ‖w_g − v + ξ_g/σ_g‖² and add its gradient to ``slope``."""
    # The gradient is ξ_g + σ_g w_g brought into the ball (``out``), the curvature bend_g·I − turn_g·out outᵀ; turn 0 is
    # v = 0.
    value = 0.0
    for g in range(len(radii)):
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            z = xi[at] + sigma[g] * w[indices[at]]
            out[at] = z
            square += z * z
        radius = radii[g]
        if square <= radius * radius:
            value += 0.5 * square / sigma[g]
            bend[g] = sigma[g]
            turn[g] = 0.0
            for at in range(indptr[g], indptr[g + 1]):
                slope[indices[at]] += out[at]
        else:
            norm = math.sqrt(square)
            value += radius * (norm - 0.5 * radius) / sigma[g]
            kept = radius / norm
            bend[g] = sigma[g] * kept
            turn[g] = bend[g] / (radius * radius)
            for at in range(indptr[g], indptr[g + 1]):
                out[at] *= kept
                slope[indices[at]] += out[at]
    return value


@kernel
def bend_groups(d, xi, bend, turn, indptr, indices, out):
    """Add Σ_g (bend_g·I − turn_g·ξ_g ξ_gᵀ) d_g to ``out``."""
    for g in range(len(bend)):
        a = bend[g]
        if turn[g] == 0.0:
            for at in range(indptr[g], indptr[g + 1]):
                out[indices[at]] += a * d[indices[at]]
        else:
            along = 0.0
            for at in range(indptr[g], indptr[g + 1]):
                along += xi[at] * d[indices[at]]
            along *= turn[g]
            for at in range(indptr[g], indptr[g + 1]):
                out[indices[at]] += a * d[indices[at]] - along * xi[at]


@kernel
def bend_diagonal(xi, bend, turn, indptr, indices, out, group, member):
    """Add the diagonal of ``bend_groups`` to ``out``, and find every entry's strongest group of several members."""
    # It has the largest turn_g·ξ²: its number goes to ``group``, the entry of ξ_g to ``member``.
    most = np.zeros(len(out))
    for g in range(len(bend)):
        several = turn[g] > 0.0 and indptr[g + 1] - indptr[g] > 1
        for at in range(indptr[g], indptr[g + 1]):
            j = indices[at]
            turned = turn[g] * xi[at] * xi[at]
            out[j] += bend[g] - turned
            if several and turned > most[j]:
                most[j] = turned
                group[j] = g
                member[j] = xi[at]


@kernel
def group_norms(w, radii, indptr, indices):
    """Return Σ_g radii[g]‖w_g‖."""
    total = 0.0
    for g in range(len(radii)):
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            square += w[indices[at]] ** 2
        total += radii[g] * math.sqrt(square)
    return total


@kernel
def weigh_groups(w, radii, indptr, indices, epsilon, norms, out):
    """Return Σ_g radii[g]‖w_g‖ and add radii[g]/2c_g to ``out`` for every member of g, c_g² = ‖w_g‖² + ε²."""
    # ε is ``epsilon`` times the median of the norms that are not zero.
    total = 0.0
    for g in range(len(radii)):
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            square += w[indices[at]] ** 2
        norms[g] = math.sqrt(square)
        total += radii[g] * norms[g]
    alive = norms[norms > 0.0]
    least = (epsilon * np.median(alive)) ** 2 if len(alive) else 1.0
    for g in range(len(radii)):
        pull = 0.5 * radii[g] / math.sqrt(norms[g] * norms[g] + least)
        for at in range(indptr[g], indptr[g + 1]):
            out[indices[at]] += pull
    return total


@kernel
def absorb(r, xi, radii, indptr, indices, slack, passes):
    """Let every ξ_g in turn take up what it can of the remainder ``r``, in place, until no move exceeds ``slack``."""
    for _ in range(passes):
        largest = 0.0
        for g in range(len(radii)):
            square = 0.0
            for at in range(indptr[g], indptr[g + 1]):
                square += (xi[at] + r[indices[at]]) ** 2
            kept = radii[g] / math.sqrt(square) if square > radii[g] * radii[g] else 1.0
            for at in range(indptr[g], indptr[g + 1]):
                whole = xi[at] + r[indices[at]]
                new = kept * whole
                largest = max(largest, abs(new - xi[at]))
                xi[at] = new
                r[indices[at]] = whole - new
        if largest <= slack:
            break


@kernel
def growth(spread, xi, radii, indptr, indices):
    """Return max_g ‖ξ_g + radii[g]·spread_g‖/radii[g]."""
    largest = 0.0
    for g in range(len(radii)):
        if radii[g] == 0.0:
            continue
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            square += (xi[at] + radii[g] * spread[indices[at]]) ** 2
        size = math.sqrt(square) / radii[g]
        # Not max(): a NaN must not pass for a small number in what a certificate rests on.
        if not size <= largest:
            largest = size
            if math.isnan(size):
                return math.inf
    return largest


@kernel
def adapt_damping(old, new, turn, radii, indptr, damping):
    """Raise the damping of groups whose ξ a full step has turned away, and lower that of the others."""
    for g in range(len(radii)):
        if turn[g] == 0.0:
            continue
        along = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            along += old[at] * new[at]
        along /= radii[g] * radii[g]
        if along < 0.7:
            damping[g] = min(1.0, max(8.0 * damping[g], 0.2))
        elif along > 0.95:
            damping[g] = max(0.2 * damping[g], 1e-6)


@kernel
def count_members(indptr, indices, number, counts):
    """Count the members of every group that a working set has (``number`` ≥ 0); return how many there are in all."""
    total = 0
    for g in range(len(counts)):
        count = 0
        for at in range(indptr[g], indptr[g + 1]):
            if number[indices[at]] >= 0:
                count += 1
        counts[g] = count
        total += count
    return total


@kernel
def gather_members(indptr, indices, number, places, seen):
    """Write where the members are that a working set has, and their numbers there."""
    k = 0
    for at in range(indptr[-1]):
        j = number[indices[at]]
        if j >= 0:
            places[k] = at
            seen[k] = j
            k += 1


@kernel
def pair_up(rest, group, member, turn, row, value, bend, inverse, v, lift, u, drop):
    """Fill ``inverse``, ``v``, ``lift``, ``u``, ``drop`` so that `divide_by_pairs` divides by all blocks at once."""
    # A group has the document of the member whose cell counts most, ``row`` of all members; other cells become
    # diagonal.
    most, place = np.zeros(len(turn)), np.full(len(turn), -1)
    last = len(turn) - 1
    for j in range(len(rest)):
        g = group[j]
        cell = bend[row[j]] * value[j] * value[j]
        if g != last and cell > most[g] * (cell + rest[j]):
            most[g] = cell / (cell + rest[j])
            place[g] = row[j]
    for j in range(len(rest)):
        g = group[j]
        whole = rest[j] + turn[g] * member[j] * member[j]
        if g != last and place[g] != row[j]:
            whole += bend[row[j]] * value[j] * value[j]
            value[j], row[j] = 0.0, max(place[g], 0)
        inverse[j] = 1.0 / whole if whole > 0.0 else 0.0
        v[j] = member[j] * inverse[j]
        lift[g] += member[j] * v[j]
        u[j] = inverse[j] * value[j]
    along = np.zeros(len(turn))
    for j in range(len(rest)):
        along[group[j]] += v[j] * value[j]
    for g in range(len(turn)):
        # turn ξξᵀ is at most 1 − damping of what the group itself adds to G, so that this is above zero.
        lift[g] = turn[g] / (1.0 - turn[g] * lift[g])
    for j in range(len(rest)):
        u[j] += v[j] * lift[group[j]] * along[group[j]]
        drop[row[j]] += value[j] * u[j]
    for i in range(len(bend)):
        drop[i] = bend[i] / (1.0 + bend[i] * drop[i])


@kernel
def divide_by_pairs(r, inverse, group, v, lift, row, u, drop, along, down, out):
    """Write the inverse of all blocks times ``r`` into ``out``; ``along`` and ``down`` are room for sums."""
    along[:] = 0.0
    down[:] = 0.0
    for j in range(len(r)):
        along[group[j]] += v[j] * r[j]
        down[row[j]] += u[j] * r[j]
    for g in range(len(lift)):
        along[g] *= lift[g]
    for i in range(len(drop)):
        down[i] *= drop[i]
    for j in range(len(r)):
        out[j] = inverse[j] * r[j] + v[j] * along[group[j]] - u[j] * down[row[j]]


@kernel
def shrink_groups(w, indptr, indices, radii, order):
    """Replace w_g by max(0, 1 − radii[g]/‖w_g‖)·w_g, one group after another in the given order, in place."""
    outputs = w.shape[1]
    for g in order:
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                square += w[indices[at], k] ** 2
        norm = math.sqrt(square)
        kept = 1.0 - radii[g] / norm if norm > radii[g] else 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                w[indices[at], k] *= kept


@kernel
def ascend_groups(r, xi, inside, indptr, indices, radii, order):
    """Set every ξ_g in turn to the point of its ball ‖ξ_g‖ ≤ radii[g] that leaves the least of ``r``, in place."""
    # ``inside[g]`` becomes whether ξ_g could take all of its part of the remainder.
    outputs = r.shape[1]
    for g in order:
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                xi[at, k] += r[indices[at], k]
                square += xi[at, k] ** 2
        norm = math.sqrt(square)
        inside[g] = norm <= radii[g]
        kept = 1.0 if norm <= radii[g] else radii[g] / norm
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                whole = xi[at, k]
                xi[at, k] = kept * whole
                r[indices[at], k] = whole - xi[at, k]


@kernel
def update_copies(w, v, u, pull, rho, relax, radii, indptr, indices, order, parent, zero, moved):
    """Shrink the copies ``v`` of the groups in ``order``, move their multipliers ``u``, and add ρv + u to ``pull``."""
    # With x = relax·w + (1 − relax)·v the new v is x − u/ρ shrunk by radii[g]/ρ, and the new u is u + ρ(v − x). A group
    # whose ``parent`` is zero becomes zero unseen. ``moved`` gets ‖v − w‖² and ‖v − old v‖².
    outputs = w.shape[1]
    for g in order:
        first, last = indptr[g], indptr[g + 1]
        kept = 0.0
        if parent[g] < 0 or not zero[parent[g]]:
            square = 0.0
            for at in range(first, last):
                for k in range(outputs):
                    z = relax * w[indices[at], k] + (1.0 - relax) * v[at, k] - u[at, k] / rho
                    square += z * z
            norm = math.sqrt(square)
            if norm > radii[g] / rho:
                kept = 1.0 - radii[g] / (rho * norm)
        zero[g] = kept == 0.0
        for at in range(first, last):
            j = indices[at]
            for k in range(outputs):
                x = relax * w[j, k] + (1.0 - relax) * v[at, k]
                new = kept * (x - u[at, k] / rho)
                moved[0] += (new - w[j, k]) ** 2
                moved[1] += (new - v[at, k]) ** 2
                v[at, k] = new
                u[at, k] += rho * (new - x)
                pull[j, k] += rho * new + u[at, k]
