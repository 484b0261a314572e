"""Weighted products between some columns of a sparse matrix, all at once: X_Jᵀ diag(h) X_J."""

import numpy as np

from laconic.kernels._compile import kernel


@kernel
def add_gram(data, indices, start, stop, h, G):
    """Add Σ_i h_i x_ia x_ib to ``G[a, b]`` for all a ≤ b, by rows, so that row a of ``G`` stays in cache."""
    n, unit = len(start), len(data) == 0
    ends = np.zeros(len(h) + 1, dtype=np.int64)
    for j in range(n):
        for p in range(start[j], stop[j]):
            ends[indices[p] + 1] += 1
    for i in range(len(h)):
        ends[i + 1] += ends[i]
    total = ends[len(h)]
    columns = np.empty(total, dtype=np.int32)
    values = np.empty(0 if unit else total)
    at = ends[:-1].copy()
    for j in range(n):
        for p in range(start[j], stop[j]):
            i = indices[p]
            columns[at[i]] = j
            if not unit:
                values[at[i]] = data[p]
            at[i] += 1
    # A row's cells stand in the order of their columns: its cells from column a on begin at ``first``.
    first = ends[:-1].copy()
    for a in range(n):
        line = G[a]
        for p in range(start[a], stop[a]):
            i = indices[p]
            if unit:
                for q in range(first[i], ends[i + 1]):
                    line[columns[q]] += h[i]
            else:
                factor = h[i] * data[p]
                for q in range(first[i], ends[i + 1]):
                    line[columns[q]] += factor * values[q]
            first[i] += 1
