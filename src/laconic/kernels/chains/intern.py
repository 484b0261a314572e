"""Patterns of cells as 64-bit keys, and keys as dense numbers by an open-addressing table.

A pattern is a few (column, offset) cells; its key at a position mixes the atoms (numbers from 0) found there. Key 0
means nothing: a cell whose atom is unknown (−1), or a position that no template asks for.
"""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.chains.mixing import FACTOR, NOTHING, SECOND, SHIFT


@kernel
def mix_keys(atoms, columns, offsets, wanted, out):
    """Write the key of a pattern at every wanted position into ``out``; ``atoms`` has one row a column."""
    n = len(out)
    for p in range(n):
        out[p] = NOTHING
        if not wanted[p]:
            continue
        key = FACTOR
        for c in range(len(columns)):
            atom = atoms[columns[c], p + offsets[c]]
            if atom < 0:
                key = NOTHING
                break
            key = (key ^ np.uint64(atom + 1)) * FACTOR
            key = (key ^ (key >> SHIFT)) * SECOND
            key ^= key >> SHIFT
        out[p] = key


@kernel
def intern_keys(keys, table, numbers, ids, firsts):
    """Number the keys in the order in which they first occur, −1 for nothing; return how many there are."""
    # ``table`` and ``numbers`` are zeros, a power of two at least twice as long as ``keys``, left as `find_keys` needs
    # them.
    mask = np.uint64(len(table) - 1)
    count = 0
    for p in range(len(keys)):
        key = keys[p]
        if key == NOTHING:
            ids[p] = -1
            continue
        slot = key & mask
        while table[slot] != NOTHING and table[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] == NOTHING:
            table[slot] = key
            numbers[slot] = count
            firsts[count] = p
            count += 1
        ids[p] = numbers[slot]
    return count


@kernel
def find_keys(keys, table, numbers, ids):
    """Write the number of every key into ``ids``, −1 for a key that is not in the table."""
    mask = np.uint64(len(table) - 1)
    for p in range(len(keys)):
        key = keys[p]
        ids[p] = -1
        if key == NOTHING:
            continue
        slot = key & mask
        while table[slot] != NOTHING and table[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] == key:
            ids[p] = numbers[slot]
