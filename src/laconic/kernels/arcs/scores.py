"""Scores of arcs: features of all pairs of head and modifier, looked up in hash tables of weights.

A *base* is a conjunction of cells. Its key is a number in mixed radix, Σ atom · stride, hence the sum of a half that
only the head decides and a half that only the modifier does: n sums for n² pairs, exact and reversible. A base that
looks at one side only is scored n times.

Templates that share a base (plain, with direction, with distance, with both) share one look-up: a row holds the weights
of each *part* one after another, and an arc of direction d and distance bin k reads
``row[start + d · by_direction + k · by_distance]`` of every part. A *collapsed* base has one part, the sum of all its
templates, at most 16 numbers: a line of the cache.

Each base has a table of its own with open addressing. A key is multiplied by an odd number, which loses nothing; the
upper half of the product and where the row begins (plus 1; 0 is free) make up a slot of 8 bytes, so that a look-up
reads one place. The lower half is kept in ``rest``, for tables that are laid out anew. Two keys are taken for the same
if the upper halves and the places agree, which happens once in 10⁹ look-ups or more rarely.

Slots are read for a batch of keys before the first is compared: memory answers all at once.
"""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.arcs.shapes import BINS, COMBINATIONS, OF_BETWEEN, OF_HEAD, OF_MOD, USED, Lists

FACTOR = np.uint64(0x9E3779B97F4A7C15)
INVERSE = np.uint64(0xF1DE83E19937733D)  # FACTOR · INVERSE = 1 modulo 2⁶⁴
HALF = np.uint64(32)
LOWER = np.uint64(0xFFFFFFFF)
UPPER = np.uint64(0xFFFFFFFF00000000)
ONE, FREE = np.uint64(1), np.uint64(0)
MISSING = -1
BATCH = 1024  # keys looked up together: enough for memory to be busy, few enough to stay in the first cache


@kernel
def distance_bin(distance):
    """Return the bin of a distance from 1: 1 to 5, 6–10, 11–20, more."""
    if distance <= 5:
        return distance - 1
    return 5 if distance <= 10 else 6 if distance <= 20 else 7


@kernel
def half_keys(text, bases, b, s, head_keys, mod_keys):
    """Write the halves of the keys of base ``b`` for root and tokens of a sentence; `MISSING` where a value is new."""
    n = text.lengths[s]
    head_keys[: n + 1] = 0
    mod_keys[: n + 1] = 0
    for c in range(bases.cell_ends[b], bases.cell_ends[b + 1]):
        position = text.starts[s] - 1 + bases.cell_offset[c]
        column, stride = bases.cell_column[c], bases.cell_stride[c]
        keys = head_keys if bases.cell_side[c] == OF_HEAD else mod_keys
        for i in range(n + 1):
            atom = text.atoms[column, position + i]
            if atom < 0:
                keys[i] = MISSING
            elif keys[i] >= 0:
                keys[i] += atom * stride


@kernel
def follow(table, b, mixed, slot):
    """Return where the row of a key begins, or −1, if its first slot holds ``slot``."""
    if slot == FREE:
        return -1
    if (slot ^ mixed) & UPPER == FREE:
        return np.int64(slot & LOWER) - 1
    first, mask = np.uint64(table.first[b]), np.uint64(table.mask[b])
    place = (mixed ^ (mixed >> HALF)) & mask
    while True:
        place = (place + ONE) & mask
        slot = table.slots[first + place]
        if slot == FREE:
            return -1
        if (slot ^ mixed) & UPPER == FREE:
            return np.int64(slot & LOWER) - 1


@kernel
def row_for(table, b, width, key, grow):
    """Return where the row of a key begins; a new row of zeros if it has none and ``grow`` says so."""
    mixed, first, mask = np.uint64(key) * FACTOR, np.uint64(table.first[b]), np.uint64(table.mask[b])
    row = follow(table, b, mixed, table.slots[first + ((mixed ^ (mixed >> HALF)) & mask)])
    if row < 0 and grow:
        row = table.used[USED]
        take_slot(table, b, mixed, row)
        table.used[USED] += width
    return row


@kernel
def take_slot(table, b, mixed, row):
    """Give a key that has no slot the next free one."""
    first, mask = np.uint64(table.first[b]), np.uint64(table.mask[b])
    place = (mixed ^ (mixed >> HALF)) & mask
    while table.slots[first + place] != FREE:
        place = (place + ONE) & mask
    table.slots[first + place] = (mixed & UPPER) | np.uint64(row + 1)
    table.rest[first + place] = mixed & LOWER
    table.counts[b] += 1


@kernel
def mixed_key(table, slot):
    """Return the key of a slot, multiplied as it is."""
    return (table.slots[slot] & UPPER) | np.uint64(table.rest[slot])


@kernel
def columns_of(bases, b, columns):
    """Write which number of a row each part of a base reads, by direction and distance; return how many parts."""
    first = bases.part_ends[b]
    for p in range(first, bases.part_ends[b + 1]):
        for k in range(COMBINATIONS):
            step = (k // BINS) * bases.by_direction[p] + (k % BINS) * bases.by_distance[p]
            columns[p - first, k] = bases.part_start[p] + step
    return bases.part_ends[b + 1] - first


@kernel
def score_side(table, b, n, keys, kind, columns, n_parts, sides):
    """Add what a base that looks at one side gives to each token, for every direction and distance."""
    for i in range(kind, n + 1):  # the root is no modifier
        if keys[i] < 0:
            continue
        row = row_for(table, b, 0, keys[i], False)
        if row >= 0:
            for p in range(n_parts):
                for k in range(COMBINATIONS):
                    sides[kind, i, k] += table.weights[row + columns[p, k]]


@kernel
def score_pairs(table, b, n, head_keys, mod_keys, columns, n_parts, bins, lists, scores):
    """Add what a base that looks at both sides gives to each arc."""
    arcs, keys, mods, rests = lists.arcs, lists.keys, lists.mods, lists.rests
    known, size = 0, 0
    for m in range(1, n + 1):
        mods[known], rests[known] = m, mod_keys[m]
        known += int(mod_keys[m] >= 0)
    for h in range(n + 1):
        if head_keys[h] >= 0:
            for j in range(known):
                arcs[size + j] = h * (n + 1) + mods[j]
                keys[size + j] = np.uint64(head_keys[h] + rests[j]) * FACTOR
            size += known
        if size >= BATCH or h == n:
            score_list(table, b, size, columns, n_parts, bins, lists, scores)
            size = 0


@kernel
def score_between(text, bases, table, column, s, columns, bins, lists, scores):
    """Add what the bases that look between head and modifier at one column give to each arc."""
    n, position = text.lengths[s], text.starts[s] - 1
    mine = np.flatnonzero(bases.between_column == column)
    head_keys, mod_keys = np.empty((len(mine), n + 1), dtype=np.int64), np.empty((len(mine), n + 1), dtype=np.int64)
    for i in range(len(mine)):
        half_keys(text, bases, mine[i], s, head_keys[i], mod_keys[i])
    # What stands between is found going outwards from the head: for every modifier it is the beginning of one list.
    inside, counts = np.empty((2, n + 1), dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    for h in range(n + 1):
        for right in range(2):
            different = 0
            m = h + 1 if right else h - 1
            while 1 <= m <= n:
                counts[m] = different
                different = note_value(text.atoms[column, position + m], inside[right], different)
                m += 1 if right else -1
        for i in range(len(mine)):
            b = mine[i]
            if head_keys[i, h] < 0:
                continue
            n_parts = columns_of(bases, b, columns)
            if table.blocks.held[b]:
                score_blocks(
                    table, b, h, n, head_keys[i, h], mod_keys[i], inside, counts, columns[0],
                    bins, lists, scores,
                )  # fmt: skip
                continue
            size, stride = 0, bases.between_stride[b]
            for m in range(1, n + 1):
                if m != h and mod_keys[i, m] >= 0:
                    values, both = inside[int(m > h)], head_keys[i, h] + mod_keys[i, m]
                    for j in range(counts[m]):
                        lists.arcs[size + j] = h * (n + 1) + m
                        lists.keys[size + j] = np.uint64(both + values[j] * stride) * FACTOR
                    size += counts[m]
            score_list(table, b, size, columns, n_parts, bins, lists, scores)


@kernel
def score_blocks(table, b, h, n, of_head, mod_keys, inside, counts, columns, bins, lists, scores):
    """Add what a base whose rows are in blocks gives to the arcs of one head; see `laconic.kernels.arcs.shapes`."""
    blocks, keys, slots = table.blocks, lists.keys, lists.slots
    first, mask = np.uint64(table.first[b]), np.uint64(table.mask[b])
    for m in range(1, n + 1):
        mixed = np.uint64(of_head + mod_keys[m]) * FACTOR
        keys[m] = mixed
        slots[m] = table.slots[first + ((mixed ^ (mixed >> HALF)) & mask)]
    for m in range(1, n + 1):
        if slots[m] == FREE or m == h or counts[m] == 0 or mod_keys[m] < 0:
            continue
        block = follow(table, b, keys[m], slots[m])
        if block < 0:
            continue
        arc = h * (n + 1) + m
        ranks = blocks.ranks[block]
        start = np.uint64(blocks.places[block, 0] + columns[bins[arc]] * blocks.places[block, 1])
        values, total = inside[int(m > h)], 0.0
        for j in range(counts[m]):
            total += table.weights[start + np.uint64(ranks[np.uint64(values[j])])]
        scores[arc] += total


@kernel
def score_list(table, b, size, columns, n_parts, bins, lists, scores):
    """Add the weights of the listed keys to their arcs: slots first, compared without branches, then rows."""
    arcs, keys, slots, hits, others = lists.arcs, lists.keys, lists.slots, lists.hits, lists.others
    first, mask = np.uint64(table.first[b]), np.uint64(table.mask[b])
    for j in range(size):
        slots[j] = table.slots[first + ((keys[j] ^ (keys[j] >> HALF)) & mask)]
    n_hits, n_others = 0, 0
    for j in range(size):
        same = (slots[j] ^ keys[j]) & UPPER == FREE
        taken = slots[j] != FREE
        hits[n_hits] = j
        others[n_others] = j
        n_hits += int(taken and same)
        n_others += int(taken and not same)
    for i in range(n_others):
        j = others[i]
        row = follow(table, b, keys[j], slots[j])
        if row >= 0:
            hits[n_hits] = j
            n_hits += 1
            slots[j] = np.uint64(row + 1)
    for i in range(n_hits):
        hit = np.uint64(hits[i])
        arc = np.uint64(arcs[hit])
        row = (slots[hit] & LOWER) - ONE
        k = np.uint64(bins[arc])
        for p in range(n_parts):
            scores[arc] += table.weights[row + np.uint64(columns[p, k])]


@kernel
def score_arcs(text, bases, table, s, out):
    """Write the scores of all arcs of a sentence."""
    n = text.lengths[s]
    sides = np.zeros((2, n + 1, COMBINATIONS))
    head_keys, mod_keys = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    columns = np.empty((4, COMBINATIONS), dtype=np.int64)
    scores = np.zeros((n + 1) * (n + 1))
    bins = np.empty((n + 1) * (n + 1), dtype=np.uint8)
    most = 1
    for b in range(len(bases.kind)):
        most = max(most, min(n, bases.between_size[b]))
    room = max(n * most, BATCH + n) + 1
    lists = Lists(
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.uint64),
        np.empty(room, dtype=np.uint64),
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.int32),
        np.empty(n + 1, dtype=np.int32),
        np.empty(n + 1, dtype=np.int64),
    )
    for h in range(n + 1):
        for m in range(n + 1):
            bins[h * (n + 1) + m] = (BINS if m > h else 0) + distance_bin(max(abs(h - m), 1))
    for b in range(len(bases.kind)):
        kind = bases.kind[b]
        if kind == OF_BETWEEN:
            if bases.between_column[b] not in bases.between_column[:b]:
                score_between(text, bases, table, bases.between_column[b], s, columns, bins, lists, scores)
            continue
        half_keys(text, bases, b, s, head_keys, mod_keys)
        n_parts = columns_of(bases, b, columns)
        if kind == OF_HEAD:
            score_side(table, b, n, head_keys, kind, columns, n_parts, sides)
        elif kind == OF_MOD:
            score_side(table, b, n, mod_keys, kind, columns, n_parts, sides)
        else:
            score_pairs(table, b, n, head_keys, mod_keys, columns, n_parts, bins, lists, scores)
    for h in range(n + 1):
        for m in range(1, n + 1):
            arc = h * (n + 1) + m
            k = bins[arc]
            out[h, m] = scores[arc] + sides[OF_HEAD, h, k] + sides[OF_MOD, m, k]


@kernel
def note_value(atom, inside, size):
    """Add a value to the different ones in ``inside`` and return how many there are."""
    if atom < 0:
        return size
    for j in range(size):
        if inside[j] == atom:
            return size
    inside[size] = atom
    return size + 1


@kernel
def values_between(text, bases, b, s, h, m, inside):
    """Write what base ``b`` adds to the key of an arc into ``inside``, mostly one number, and return how many."""
    if bases.kind[b] != OF_BETWEEN:
        inside[0] = 0
        return 1
    size, position = 0, text.starts[s] - 1
    for i in range(min(h, m) + 1, max(h, m)):
        size = note_value(text.atoms[bases.between_column[b], position + i], inside, size)
    for j in range(size):
        inside[j] *= bases.between_stride[b]
    return size
