r"""One pass of each learner of arcs. A learner stops before a sentence whose new rows might not find room.

The learners return the place in the order at which they stopped; after the tables were enlarged they go on from there.

A change c of the counts of a collapsed row, one number for each direction and distance, moves the sum of the templates
that it stands for by Kc: entry (d, k) of K for (d', k') is the number of those templates that do not tell the two
apart, 1 for plain, [d = d'] with direction, [k = k'] with distance, both. The squared length of the change in the
weights of all these templates is :math:`c^\top Kc`. For a part of a single template K is the identity.
"""

import math

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.arcs.scores import distance_bin, half_keys, row_for, score_arcs, values_between
from laconic.kernels.arcs.shapes import CLOCK, COMBINATIONS, OF_BETWEEN, USED
from laconic.kernels.arcs.tables import part_width
from laconic.kernels.arcs.trees import add_costs, arc_marginals, best_projective_tree, best_tree, tree_score
from laconic.kernels.chains.tagging import MIRA, longest_of

SURE, NEW = 1e-2, 1e-1  # gradients of an arc below the first are left out, below the second give no new rows
TINY = np.float32(1e-8)


@kernel
def decode(scores, n, single, projective, heads):
    """Write the best tree, projective or any."""
    if projective:
        best_projective_tree(scores, n, single, heads)
    else:
        best_tree(scores, n, single, heads)


@kernel
def parse_all(text, bases, table, single, projective, out):
    """Write the heads of all tokens of all sentences into ``out``, one after another."""
    longest = longest_of(text.lengths)
    scores = np.empty((longest + 1, longest + 1))
    heads = np.empty(longest + 1, dtype=np.int64)
    at = 0
    for s in range(len(text.lengths)):
        n = text.lengths[s]
        if n == 0:
            continue
        score_arcs(text, bases, table, s, scores)
        decode(scores, n, single, projective, heads)
        out[at : at + n] = heads[1 : n + 1]
        at += n


@kernel
def has_room(bases, table, n_arcs, n):
    """Say whether there is room for the features of these arcs of a sentence if all of them are new."""
    floats = table.used[USED]
    for b in range(len(bases.kind)):
        new = n_arcs
        if bases.kind[b] == OF_BETWEEN:
            new *= min(n, bases.between_size[b])
        if 2 * (table.counts[b] + new) > table.mask[b] + 1:
            return False
        floats += new * bases.width[b]
    return floats <= len(table.weights)


@kernel
def learn_arcs_by_margin(
    text, heads, ends, order, begin, end, bases, table, grow, rule, costs, step, cap, single, projective
):
    """Decode sentences ``order[begin:end]`` (with ``costs`` a wrong head adds 1) and, where wrong, move towards the
    right tree by ``step``, for MIRA by the violation over the squared length of the change, at most ``cap``."""
    longest = longest_of(text.lengths[order[begin:end]])
    scores = np.empty((longest + 1, longest + 1))
    found, right = np.empty(longest + 1, dtype=np.int64), np.zeros(longest + 1, dtype=np.int64)
    for at in range(begin, end):
        s = order[at]
        n = text.lengths[s]
        if n == 0:
            continue
        right[1 : n + 1] = heads[ends[s] : ends[s] + n]
        score_arcs(text, bases, table, s, scores)
        if costs:
            add_costs(scores, n, right)
        decode(scores, n, single, projective, found)
        wrong = 0
        for m in range(1, n + 1):
            if found[m] != right[m]:
                wrong += 1
        if wrong and grow and not has_room(bases, table, 2 * wrong, n):
            return at
        table.used[CLOCK] += 1
        if wrong:
            violation = tree_score(scores, n, found) - tree_score(scores, n, right)
            if not costs:
                violation += wrong
            move_towards(text, bases, table, s, right, found, wrong, grow, rule == MIRA, violation, step, cap)
    return end


@kernel
def move_towards(text, bases, table, s, right, found, wrong, grow, by_violation, violation, step, cap):
    """Add (features of the right tree − features of the found one), times a step, to the weights."""
    n = text.lengths[s]
    head_keys, mod_keys = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    inside = np.empty(n + 1, dtype=np.int64)
    most = 0
    for b in range(len(bases.kind)):
        new = 2 * wrong * (bases.part_ends[b + 1] - bases.part_ends[b])
        most += new * min(n, bases.between_size[b]) if bases.kind[b] == OF_BETWEEN else new
    size = 64
    while size < 2 * most:
        size *= 2
    places = np.full(size, -1, dtype=np.int64)  # where a part of a row begins, by a hash of it
    number = np.empty(size, dtype=np.int64)
    starts, parts = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    counts = np.zeros((most, COMBINATIONS), dtype=np.float32)
    used, mask = 0, size - 1
    for b in range(len(bases.kind)):
        half_keys(text, bases, b, s, head_keys, mod_keys)
        for m in range(1, n + 1):
            if right[m] == found[m]:
                continue
            for side in range(2):
                h = right[m] if side == 0 else found[m]
                if head_keys[h] < 0 or mod_keys[m] < 0:
                    continue
                direction, distance = (1 if m > h else 0), distance_bin(abs(h - m))
                for j in range(values_between(text, bases, b, s, h, m, inside)):
                    row = row_for(table, b, bases.width[b], head_keys[h] + mod_keys[m] + inside[j], grow)
                    if row < 0:
                        continue
                    for p in range(bases.part_ends[b], bases.part_ends[b + 1]):
                        start = row + bases.part_start[p]
                        slot = (start * 0x9E3779B97F4A7 >> 17) & mask
                        while places[slot] != -1 and places[slot] != start:
                            slot = (slot + 1) & mask
                        if places[slot] == -1:
                            places[slot], number[slot] = start, used
                            starts[used], parts[used] = start, p
                            used += 1
                        cell = direction * bases.by_direction[p] + distance * bases.by_distance[p]
                        counts[number[slot], cell] += np.float32(1.0 - 2.0 * side)
    length = 0.0
    for i in range(used):
        length += spread(bases, parts[i], counts[i])
    if by_violation:
        if length <= 0.0:
            return
        step = min(cap, violation / length)
    clock, averages = np.float32(table.used[CLOCK] - 1), len(table.sums) > 0
    for i in range(used):
        for k in range(part_width(bases, parts[i])):
            change = np.float32(step) * counts[i, k]
            table.weights[starts[i] + k] += change
            if averages:
                table.sums[starts[i] + k] += clock * change


@kernel
def spread(bases, p, counts):
    """Replace counts c by Kc and return cᵀKc."""
    rows = 2 if bases.by_direction[p] > 0 else 1
    columns = 8 if bases.by_distance[p] > 0 else 1
    plain, direction = np.float32(bases.plain[p]), np.float32(bases.direction[p])
    distance, both = np.float32(bases.distance[p]), np.float32(bases.both[p])
    total = np.float32(0.0)
    by_row, by_column = np.zeros(2, dtype=np.float32), np.zeros(8, dtype=np.float32)
    for d in range(rows):
        for k in range(columns):
            count = counts[d * columns + k]
            total += count
            by_row[d] += count
            by_column[k] += count
    length = 0.0
    for d in range(rows):
        for k in range(columns):
            count = counts[d * columns + k]
            value = plain * total + direction * by_row[d] + distance * by_column[k] + both * count
            length += count * value
            counts[d * columns + k] = value
    return length


@kernel
def learn_arcs_by_likelihood(text, heads, ends, order, begin, end, bases, table, grow, adaptive, rate, single):
    """Take stochastic steps on log Z − score of the right tree, AdaGrad's (squared gradients in ``sums``) or plain."""
    # Arcs below a hundredth are left out, those below a tenth move only weights that there are, or memory would have to
    # hold all that can be said. Parts must be of single templates.
    longest = longest_of(text.lengths[order[begin:end]])
    scores = np.empty((longest + 1, longest + 1))
    gradient = np.empty((longest + 1, longest + 1))
    head_keys, mod_keys = np.empty(longest + 1, dtype=np.int64), np.empty(longest + 1, dtype=np.int64)
    inside = np.empty(longest + 1, dtype=np.int64)
    averages = len(table.sums) > 0
    for at in range(begin, end):
        s = order[at]
        n = text.lengths[s]
        if n == 0:
            continue
        score_arcs(text, bases, table, s, scores)
        arc_marginals(scores, n, single, gradient)
        n_arcs = 0
        for m in range(1, n + 1):
            gradient[heads[ends[s] + m - 1], m] -= 1.0
            for h in range(n + 1):
                if abs(gradient[h, m]) >= NEW:
                    n_arcs += 1
        if n_arcs and grow and not has_room(bases, table, n_arcs, n):
            return at
        table.used[CLOCK] += 1
        clock = np.float32(table.used[CLOCK] - 1)
        for b in range(len(bases.kind)):
            half_keys(text, bases, b, s, head_keys, mod_keys)
            for h in range(n + 1):
                for m in range(1, n + 1):
                    slope = np.float32(gradient[h, m])
                    if h == m or abs(slope) < SURE or head_keys[h] < 0 or mod_keys[m] < 0:
                        continue
                    direction, distance = (1 if m > h else 0), distance_bin(abs(h - m))
                    for j in range(values_between(text, bases, b, s, h, m, inside)):
                        key = head_keys[h] + mod_keys[m] + inside[j]
                        row = row_for(table, b, bases.width[b], key, grow and abs(slope) >= NEW)
                        if row < 0:
                            continue
                        for p in range(bases.part_ends[b], bases.part_ends[b + 1]):
                            place = row + bases.part_start[p]
                            place += direction * bases.by_direction[p] + distance * bases.by_distance[p]
                            if adaptive:
                                table.sums[place] += slope * slope
                                table.weights[place] -= rate * slope / math.sqrt(table.sums[place] + TINY)
                            else:
                                table.weights[place] -= rate * slope
                                if averages:
                                    table.sums[place] -= clock * rate * slope
    return end
