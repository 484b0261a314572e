"""What the kernels of arcs take, without numba: constants and named tuples of arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

OF_HEAD, OF_MOD, OF_BOTH, OF_BETWEEN = range(4)
BINS = 8  # of distance: 1 to 5, 6–10, 11–20, more
COMBINATIONS = 2 * BINS
USED, CLOCK = range(2)


class ArcText(NamedTuple):
    """Sentences as the kernels see them: the root stands just before ``starts``."""

    atoms: NDArray[np.int32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]


class Bases(NamedTuple):
    """The program of all templates; cells of base b are ``cell_ends[b]`` to ``cell_ends[b + 1]``, parts likewise;
    ``plain``, ``direction``, ``distance`` and ``both`` say for each part which templates it stands for."""

    kind: NDArray[np.int64]
    cell_ends: NDArray[np.int64]
    cell_side: NDArray[np.int64]
    cell_column: NDArray[np.int64]
    cell_offset: NDArray[np.int64]
    cell_stride: NDArray[np.int64]
    between_column: NDArray[np.int64]
    between_stride: NDArray[np.int64]
    between_size: NDArray[np.int64]
    part_ends: NDArray[np.int64]
    part_start: NDArray[np.int64]
    by_direction: NDArray[np.int64]
    by_distance: NDArray[np.int64]
    plain: NDArray[np.int64]
    direction: NDArray[np.int64]
    distance: NDArray[np.int64]
    both: NDArray[np.int64]
    width: NDArray[np.int64]


class Blocks(NamedTuple):
    """Rows of bases that look between head and modifier, side by side for all values that may stand there."""

    # Where ``held[b]``, a slot of base b, found by head and modifier alone, holds the number of a block i, which begins
    # at ``places[i, 0]`` and has ``places[i, 1]`` numbers a column: a zero, and one at ``ranks[i, v]`` for each value
    # v.

    held: NDArray[np.bool_]
    places: NDArray[np.int64]
    ranks: NDArray[np.uint8]


class Lists(NamedTuple):
    """Scratch of a sentence: keys that are looked up together, the arcs they belong to, the slots that they found."""

    arcs: NDArray[np.int32]
    keys: NDArray[np.uint64]
    slots: NDArray[np.uint64]
    hits: NDArray[np.int32]
    others: NDArray[np.int32]
    mods: NDArray[np.int32]
    rests: NDArray[np.int64]


class Table(NamedTuple):
    """Rows of weights; ``sums`` may be empty, ``used`` has the floats in use and the examples seen."""

    first: NDArray[np.int64]
    mask: NDArray[np.int64]
    slots: NDArray[np.uint64]
    rest: NDArray[np.uint32]
    counts: NDArray[np.int64]
    weights: NDArray[np.float32]
    sums: NDArray[np.float32]
    used: NDArray[np.int64]
    blocks: Blocks


def no_blocks(n_bases: int) -> Blocks:
    """Return what says that all rows are found one by one."""
    return Blocks(np.zeros(n_bases, dtype=np.bool_), np.zeros((0, 2), dtype=np.int64), np.zeros((0, 0), dtype=np.uint8))
