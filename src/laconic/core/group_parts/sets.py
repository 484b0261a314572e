"""Questions about many sets at once, in time near linear in the number of members.

Sets are compressed: set g is ``indices[indptr[g]:indptr[g + 1]]``, ascending and never empty.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def frozen(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """Return an array of a type, contiguous and read-only."""
    fixed = np.ascontiguousarray(array, dtype=kind)
    fixed.flags.writeable = False
    return fixed


def first_shared(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[int, int, int] | None:
    """Return two sets and an element of both; None when no two sets meet."""
    twice = np.flatnonzero(np.bincount(indices) > 1) if indices.size else indices
    if not twice.size:
        return None
    first, second = np.searchsorted(indptr, np.flatnonzero(indices == twice[0])[:2], side="right") - 1
    return int(first), int(second), int(twice[0])


def first_crossing(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[int, int, int] | None:
    """Return two sets that meet though neither holds the other, and an element of both; None for a laminar family."""
    # In a laminar family all elements of a set, from the largest on, were last seen in the same larger set.
    if not indices.size:
        return None
    sizes = np.diff(indptr)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    ranks = np.repeat(rank, sizes)
    order = np.lexsort((ranks, indices))
    last = np.full(len(indices), -1)
    again = indices[order[1:]] == indices[order[:-1]]
    last[order[1:][again]] = ranks[order[:-1][again]]
    highest = np.maximum.reduceat(last, indptr[:-1])
    torn = np.flatnonzero(highest != np.minimum.reduceat(last, indptr[:-1]))
    if not torn.size:
        return None
    g = int(torn[0])
    element = indices[indptr[g] + np.argmax(last[indptr[g] : indptr[g + 1]])]
    return g, int(np.flatnonzero(rank == highest[g])[0]), int(element)


def merge_equal(
    indptr: NDArray[Any], indices: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the class of every set, classes numbered by their first sets; these sets; and one set per class."""
    twin, first = _classes(indptr, indices)
    kept = np.zeros(len(twin), dtype=bool)
    kept[first] = True
    sizes = np.diff(indptr)
    return twin, first, np.concatenate([[0], np.cumsum(sizes[first])]), indices[np.repeat(kept, sizes)]


def _classes(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    sizes = np.diff(indptr)
    if not sizes.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    salt = 0
    while True:
        hashes = np.add.reduceat(_scramble(indices.astype(np.uint64), salt), indptr[:-1])
        _, first, twin = np.unique(hashes, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(first), dtype=np.int64)
        number[order] = np.arange(len(first))
        twin, first = number[twin], first[order]
        other = first[twin]
        there = np.arange(len(indices)) + np.repeat(indptr[other] - indptr[:-1], sizes)
        if np.array_equal(sizes, sizes[other]) and np.array_equal(indices, indices[there]):
            return twin, first
        salt += 1  # two different sets had one 64-bit hash


def _scramble(values: NDArray[np.uint64], salt: int) -> NDArray[np.uint64]:
    # The finaliser of splitmix64: a bijection that makes sums of its values good hashes of sets.
    z = values + np.uint64((0x9E3779B97F4A7C15 * (salt + 1)) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
