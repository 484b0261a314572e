"""Tables of arc weights as a whole: larger slots, fewer rows, norms and factors of templates."""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.arcs.scores import FACTOR, FREE, INVERSE, LOWER, mixed_key, row_for, take_slot
from laconic.kernels.arcs.shapes import USED


@kernel
def lay_out_slots(old, new):
    """Put all keys of ``old`` into the larger, empty slots of ``new``; rows stay where they are."""
    for b in range(len(old.first)):
        for slot in range(old.first[b], old.first[b] + old.mask[b] + 1):
            if old.slots[slot] != FREE:
                take_slot(new, b, mixed_key(old, slot), np.int64(old.slots[slot] & LOWER) - 1)


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
def add_rows(bases, table, ends, keys):
    """Give rows to keys: those of base b are ``keys[ends[b]:ends[b + 1]]``, and rows follow their order."""
    for b in range(len(bases.kind)):
        for key in keys[ends[b] : ends[b + 1]]:
            row_for(table, b, bases.width[b], key, True)


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
def part_end(bases, b, p):
    """Return where a part of a row ends."""
    return bases.part_start[p + 1] if p + 1 < bases.part_ends[b + 1] else bases.width[b]


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
                for j in range(row + bases.part_start[p], row + part_end(bases, b, p)):
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
                for j in range(row + bases.part_start[p], row + part_end(bases, b, p)):
                    table.weights[j] *= factors[p]
