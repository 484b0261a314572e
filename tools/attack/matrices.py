"""Random small matrices with what real ones have: equal, empty, constant and wildly scaled columns, repeated cells."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHAPES = ((2, 3), (2, 12), (5, 31), (7, 4), (20, 8), (40, 15), (60, 6), (25, 60), (30, 40))


class Matrix(NamedTuple):
    """What is given to an estimator, and the same cells as one dense array."""

    given: Any
    dense: Array


def random_matrix(rng: np.random.Generator) -> Matrix:
    """Return a matrix of one of several shapes and kinds, dense or sparse."""
    n, p = SHAPES[rng.integers(len(SHAPES))]
    counts = rng.poisson(rng.gamma(0.5, 1.0, p), (n, p)).astype(float)
    dense = [counts, (counts > 0).astype(float), rng.normal(size=(n, p))][rng.integers(3)]
    _spoil(rng, dense)
    return Matrix(_stored(rng, dense), dense)


def _spoil(rng: np.random.Generator, dense: Array) -> None:
    """Make some columns zero, constant, copies of others, or of another scale."""
    p = dense.shape[1]
    if rng.random() < 0.3:
        dense[:, rng.integers(p)] = 0.0
    if rng.random() < 0.3:
        dense[:, rng.integers(p)] = dense[:, rng.integers(p)]
    if rng.random() < 0.2:
        dense[:, rng.integers(p)] = rng.normal()
    if rng.random() < 0.15:
        dense *= 10.0 ** rng.integers(-4, 5, p)
    if rng.random() < 0.1:
        dense *= 10.0 ** rng.integers(-6, 7)


def _stored(rng: np.random.Generator, dense: Array) -> Any:
    kind = rng.integers(4)
    if kind == 0:
        return dense.copy()
    if kind == 1:
        return sp.csc_array(dense)
    return sp.csr_array(dense) if kind == 2 else _repeated(rng, dense)


def _repeated(rng: np.random.Generator, dense: Array) -> sp.csr_array:
    """Return the matrix with some cells stored in two exact halves, in any order within a row."""
    rows, columns = np.nonzero(dense)
    twice = rng.random(len(rows)) < 0.3
    values = np.where(twice, 0.5, 1.0) * dense[rows, columns]
    cells = (np.concatenate([part, part[twice]]) for part in (rows, columns, values))
    r, c, v = cells
    order = np.lexsort((rng.random(len(r)), r))
    ends = np.concatenate([[0], np.cumsum(np.bincount(r, minlength=len(dense)))])
    return sp.csr_array((v[order], c[order], ends), shape=dense.shape)
