"""Folds of documents that may have several labels: each has about the same share of every label.

The rarest label that is left is dealt out first, each of its documents to the fold that lacks most of that label, and
among such folds to the one with most room (iterative stratification: Sechidis, Tsoumakas & Vlahavas 2011). Having no
label counts as a label here.
"""

import numpy as np
from numpy.typing import NDArray


def label_folds(has: NDArray[np.bool_], folds: int, seed: int) -> NDArray[np.intp]:
    """Return the number of each document's fold, from which document has which label."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([has, ~has.any(axis=1)])
    room = np.full(folds, len(table) / folds)
    lacking = np.tile(table.sum(axis=0) / folds, (folds, 1))
    found = np.full(len(table), -1, dtype=np.intp)
    while (left := found < 0).any():
        counts = table[left].sum(axis=0)
        rarest = int(np.where(counts > 0, counts, len(table) + 1).argmin())
        rows = rng.permutation(np.flatnonzero(left & table[:, rarest]))
        found[rows] = _dealt(lacking[:, rarest], room, len(rows), rng)
        np.subtract.at(room, found[rows], 1.0)
        np.subtract.at(lacking, found[rows], table[rows].astype(np.float64))
    return found


def _dealt(lacking: NDArray, room: NDArray, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the folds of n documents in turn: each goes where most is lacking, then to most room, then by chance."""
    given = np.arange(n)[:, None]
    chance = np.broadcast_to(rng.permutation(len(room)), (n, len(room)))
    order = np.lexsort((chance.ravel(), (given - room).ravel(), (given - lacking).ravel()))
    return order[:n] % len(room)
