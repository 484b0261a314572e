"""Tables of arc weights as a whole: fewer rows, norms and factors of templates; and counts of what bases find."""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.arcs.scores import (
    FACTOR,
    FREE,
    HALF,
    INVERSE,
    LOWER,
    distance_bin,
    half_keys,
    mixed_key,
    take_slot,
    values_between,
)
from laconic.kernels.arcs.shapes import BINS, COMBINATIONS, USED


@kernel
def move_rows(bases, old, new):
    """Put all rows of ``old`` that hold a nonzero weight into ``new``, an empty table with weights of its own."""
    for b in range(len(old.first)):
        width = bases.width[b]
        for slot in range(old.first[b], old.first[b] + old.mask[b] + 1):
            if old.slots[slot] == FREE:
                continue
            row, alive = np.int64(old.slots[slot] & LOWER) - 1, False
            for j in range(width):
                alive |= old.weights[row + j] != 0.0
            if alive:
                start = new.used[USED]
                take_slot(new, b, mixed_key(old, slot), start)
                for j in range(width):
                    new.weights[start + j] = old.weights[row + j]
                new.used[USED] += width


@kernel
def place_rows(table, b, keys, rows):
    """Give slots of an empty base to keys whose rows stand at given places."""
    for i in range(len(keys)):
        take_slot(table, b, np.uint64(keys[i]) * FACTOR, rows[i])


@kernel
def list_rows(table, b, keys, rows):
    """Write the keys of a base and where their rows begin, in no order; return how many there are."""
    size = 0
    for slot in range(table.first[b], table.first[b] + table.mask[b] + 1):
        if table.slots[slot] != FREE:
            keys[size] = np.int64(mixed_key(table, slot) * INVERSE)
            rows[size] = np.int64(table.slots[slot] & LOWER) - 1
            size += 1
    return size


@kernel
def part_width(bases, p):
    """Return how many numbers a part has."""
    if bases.by_direction[p] > 0:
        return 2 * bases.by_direction[p]
    return 8 if bases.by_distance[p] > 0 else 1


@kernel
def part_squares(bases, table, out):
    """Write the squared norm of every part's weights."""
    out[:] = 0.0
    for b in range(len(table.first)):
        for slot in range(table.first[b], table.first[b] + table.mask[b] + 1):
            if table.slots[slot] == FREE:
                continue
            row = np.int64(table.slots[slot] & LOWER) - 1
            for p in range(bases.part_ends[b], bases.part_ends[b + 1]):
                start = row + bases.part_start[p]
                for j in range(start, start + part_width(bases, p)):
                    out[p] += np.float64(table.weights[j]) ** 2


@kernel
def scale_parts(bases, table, factors):
    """Multiply the weights of every part."""
    for b in range(len(table.first)):
        for slot in range(table.first[b], table.first[b] + table.mask[b] + 1):
            if table.slots[slot] == FREE:
                continue
            row = np.int64(table.slots[slot] & LOWER) - 1
            for p in range(bases.part_ends[b], bases.part_ends[b + 1]):
                start = row + bases.part_start[p]
                for j in range(start, start + part_width(bases, p)):
                    table.weights[j] *= factors[p]


@kernel
def list_arcs(text, heads, ends, bases, b):
    """Return keys and combinations of direction and distance that base ``b`` finds on the arcs of all trees."""
    room, used = 1024, 0
    keys, combinations = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    for s in range(len(text.lengths)):
        n = text.lengths[s]
        head_keys, mod_keys = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
        inside = np.empty(n + 1, dtype=np.int64)
        half_keys(text, bases, b, s, head_keys, mod_keys)
        for m in range(1, n + 1):
            h = heads[ends[s] + m - 1]
            size = values_between(text, bases, b, s, h, m, inside)
            if used + size > room:
                room = 2 * (room + size)
                more, others = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
                more[:used], others[:used] = keys[:used], combinations[:used]
                keys, combinations = more, others
            for j in range(size):
                keys[used] = head_keys[h] + mod_keys[m] + inside[j]
                combinations[used] = (BINS if m > h else 0) + distance_bin(abs(h - m))
                used += 1
    return keys[:used], combinations[:used]


@kernel
def count_arcs(text, heads, ends, bases, b):
    """Return for each key of base ``b`` how often it occurs on wrong and on right arcs, by direction and distance."""
    slots = 1 << 12
    table = np.full(slots, -1, dtype=np.int64)
    numbers = np.zeros(slots, dtype=np.int64)
    room, used = 1024, 0
    counts = np.zeros((room, 2 * COMBINATIONS), dtype=np.int32)
    for s in range(len(text.lengths)):
        n = text.lengths[s]
        head_keys, mod_keys = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
        inside = np.empty(n + 1, dtype=np.int64)
        half_keys(text, bases, b, s, head_keys, mod_keys)
        for h in range(n + 1):
            for m in range(1, n + 1):
                if h == m:
                    continue
                size = values_between(text, bases, b, s, h, m, inside)
                if used + size > room:
                    room = 2 * (room + size)
                    more = np.zeros((room, 2 * COMBINATIONS), dtype=np.int32)
                    more[:used] = counts[:used]
                    counts = more
                if 2 * (used + size) > slots:
                    while 2 * (used + size) > slots:
                        slots *= 4
                    old, old_numbers = table, numbers
                    table, numbers = np.full(slots, -1, dtype=np.int64), np.zeros(slots, dtype=np.int64)
                    for i in range(len(old)):
                        if old[i] >= 0:
                            place = find_place(table, old[i])
                            table[place], numbers[place] = old[i], old_numbers[i]
                column = (BINS if m > h else 0) + distance_bin(abs(h - m))
                if heads[ends[s] + m - 1] == h:
                    column += COMBINATIONS
                for j in range(size):
                    key = head_keys[h] + mod_keys[m] + inside[j]
                    place = find_place(table, key)
                    if table[place] < 0:
                        table[place], numbers[place] = key, used
                        used += 1
                    counts[numbers[place], column] += 1
    return counts[:used]


@kernel
def find_place(table, key):
    """Return the slot that holds a key, or the free one where it belongs."""
    mixed = np.uint64(key) * FACTOR
    mask = len(table) - 1
    place = np.int64(mixed ^ (mixed >> HALF)) & mask
    while table[place] >= 0 and table[place] != key:
        place = (place + 1) & mask
    return place
