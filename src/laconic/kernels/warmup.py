"""Compile all kernels ahead of the first fit, for the argument types that the solvers and penalties use."""

import time
from pathlib import Path

import numpy as np

from laconic.kernels._compile import cache_folder
from laconic.kernels.columns import accumulate, column_curvatures, correlate
from laconic.kernels.coordinate import descend
from laconic.kernels.prox import ascend_groups, shrink_groups
from laconic.kernels.softmax import bend_softmax


def compile_all() -> tuple[float, Path]:
    """Call every kernel on tiny arrays, so that its machine code is in the cache.

    Returns
    -------
    seconds : float
        How long it took; almost nothing when the cache was full.
    folder : Path
        Where the machine code is kept.

    Examples
    --------
    >>> seconds, folder = compile_all()
    >>> folder.name.startswith("kernels-")
    True
    """
    started = time.perf_counter()
    one = np.ones(1)
    ends = np.array([0, 1], dtype=np.int32)
    for rows in (np.uint16, np.uint32):
        columns = one, np.zeros(1, dtype=rows), ends[:1], ends[1:]
        column_curvatures(*columns, one, one.copy(), one.copy())
        descend(*columns, one, one.copy(), one.copy(), one, 0.5, one, one, True, 0.0, 1e-3, 0.0, 1)
        accumulate(*columns, one, one.copy())
        correlate(*columns, one, one.copy())
    bend_softmax(np.ones((1, 1)), one, one, np.ones((1, 1)))
    # Groups are frozen: their arrays cannot be written to, and that is part of the type.
    first, ends = np.zeros(1, dtype=np.int32), ends.astype(np.int64)
    first.setflags(write=False)
    ends.setflags(write=False)
    weights, order = np.ones((1, 1)), np.zeros(1, dtype=np.int64)
    shrink_groups(weights, ends, first, one, order)
    ascend_groups(weights, weights.copy(), np.zeros(1, dtype=np.bool_), ends, first, one, order)
    return time.perf_counter() - started, cache_folder()
