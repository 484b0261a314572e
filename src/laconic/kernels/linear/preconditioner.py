"""Every entry with one group and one document: a curvature whose other parts are diagonal, and its inverse.

With G diagonal, the members of one group (``group[j]``; the last number stands for none) have the block
G − turn ξξᵀ, and the blocks of one document (``row[j]``) together gain bend x xᵀ. Both have inverses in closed form.
"""

import numpy as np

from laconic.kernels._compile import kernel


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
