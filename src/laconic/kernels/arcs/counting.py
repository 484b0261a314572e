"""Counts of what a base finds on arcs: on those of the training trees, or on all that a tree could have."""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.arcs.scores import FACTOR, HALF, distance_bin, half_keys, values_between
from laconic.kernels.arcs.shapes import BINS, COMBINATIONS, OF_BETWEEN


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
            size, stride = 1, 0
            inside[0] = 0
            if bases.kind[b] == OF_BETWEEN:
                size, stride = values_between(text, bases.between_column[b], s, h, m, inside), bases.between_stride[b]
            if used + size > room:
                room = 2 * (room + size)
                more, others = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
                more[:used], others[:used] = keys[:used], combinations[:used]
                keys, combinations = more, others
            for j in range(size):
                keys[used] = head_keys[h] + mod_keys[m] + inside[j] * stride
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
                size, stride = 1, 0
                inside[0] = 0
                if bases.kind[b] == OF_BETWEEN:
                    size = values_between(text, bases.between_column[b], s, h, m, inside)
                    stride = bases.between_stride[b]
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
                    key = head_keys[h] + mod_keys[m] + inside[j] * stride
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
