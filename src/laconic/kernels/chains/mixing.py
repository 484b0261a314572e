"""How atoms are mixed into 64-bit keys; with numpy alone here, compiled in `laconic.kernels.chains.intern`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FACTOR = np.uint64(0x9E3779B97F4A7C15)
SECOND = np.uint64(0xD6E8FEB86659FD93)
SHIFT = np.uint64(32)
NOTHING = np.uint64(0)


def mixed_keys(cells: Sequence[NDArray[np.int32]], size: int) -> NDArray[np.uint64]:
    """Return the keys of ``size`` grams, whose atoms are given cell by cell; 0 where an atom is unknown (−1)."""
    keys = np.full(size, FACTOR)
    known = np.ones(size, dtype=np.bool_)
    for atoms in cells:
        known &= atoms >= 0
        keys = (keys ^ (atoms.astype(np.int64) + 1).astype(np.uint64)) * FACTOR
        keys = (keys ^ (keys >> SHIFT)) * SECOND
        keys ^= keys >> SHIFT
    keys[~known] = NOTHING
    return keys
