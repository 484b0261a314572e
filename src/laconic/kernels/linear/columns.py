"""Products with some columns of a sparse matrix, held as (``data``, ``indices``, ``start``, ``stop``).

Column j is ``indices[start[j]:stop[j]]`` with the values ``data`` at the same places; empty ``data`` means that all
values are one, as in a design of binary cells, which halves the memory to be read. Sums run over four accumulators,
because one would wait for its own last addition.

Row i is ``words[ends[i]:ends[i + 1]]`` with ``values``. The weights of a word, or what is summed for it, are one row
with a number per output. Most cells belong to few words, whose rows stay in the fastest memory; products by columns
would read the outputs of all documents once per word. ``place`` numbers the words that count; others are below zero.
"""

import numpy as np

from laconic.kernels._compile import kernel

SHORT = 16


@kernel
def dot(data, indices, start, stop, r):
    """Return the column between ``start`` and ``stop`` times ``r``."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    p = start
    if len(data) == 0:
        while p + 4 <= stop:
            s0 += r[indices[p]]
            s1 += r[indices[p + 1]]
            s2 += r[indices[p + 2]]
            s3 += r[indices[p + 3]]
            p += 4
        while p < stop:
            s0 += r[indices[p]]
            p += 1
    else:
        while p + 4 <= stop:
            s0 += data[p] * r[indices[p]]
            s1 += data[p + 1] * r[indices[p + 1]]
            s2 += data[p + 2] * r[indices[p + 2]]
            s3 += data[p + 3] * r[indices[p + 3]]
            p += 4
        while p < stop:
            s0 += data[p] * r[indices[p]]
            p += 1
    return (s0 + s1) + (s2 + s3)


@kernel
def correlate(data, indices, start, stop, r, out):
    """Write every column times ``r`` into ``out``."""
    unit = len(data) == 0
    for j in range(len(start)):
        first, last = start[j], stop[j]
        # Most words are rare: for a column this short the call of ``dot`` costs more than its sum.
        if last - first > SHORT:
            out[j] = dot(data, indices, first, last, r)
        else:
            total = 0.0
            if unit:
                for p in range(first, last):
                    total += r[indices[p]]
            else:
                for p in range(first, last):
                    total += data[p] * r[indices[p]]
            out[j] = total


@kernel
def accumulate(data, indices, start, stop, w, z):
    """Add the columns times ``w`` to ``z``."""
    unit = len(data) == 0
    for j in range(len(w)):
        factor = w[j]
        if factor == 0.0:
            continue
        if unit:
            for p in range(start[j], stop[j]):
                z[indices[p]] += factor
        else:
            for p in range(start[j], stop[j]):
                z[indices[p]] += factor * data[p]


@kernel
def column_curvatures(data, indices, start, stop, h, curvature, weight):
    """Fill ``curvature`` with Σ h x² and ``weight`` with Σ h x, column by column."""
    unit = len(data) == 0
    for j in range(len(start)):
        first = dot(data, indices, start[j], stop[j], h)
        weight[j] = first
        if unit:
            curvature[j] = first
        else:
            total = 0.0
            for p in range(start[j], stop[j]):
                total += h[indices[p]] * data[p] * data[p]
            curvature[j] = total


@kernel
def strongest_cells(data, indices, start, stop, h, spread, row, value, rest):
    """Find the cell of every column that counts most by h x², others go to ``rest``; ``spread`` is 1/Σh or zero."""
    unit = len(data) == 0
    for j in range(len(start)):
        most, squares, sums = 0.0, 0.0, 0.0
        for p in range(start[j], stop[j]):
            i = indices[p]
            x = 1.0 if unit else data[p]
            square = h[i] * x * x
            if square > most:
                squares += most
                sums += h[row[j]] * value[j]
                most, row[j], value[j] = square, i, x
            else:
                squares += square
                sums += h[i] * x
        rest[j] = max(squares - sums * sums * spread, 1e-12 * squares)


@kernel
def accumulate_rows(values, words, ends, place, W, F):
    """Add to every row of F the rows of W of its words."""
    K = F.shape[1]
    unit = len(values) == 0
    for i in range(len(F)):
        f = F[i]
        for at in range(ends[i], ends[i + 1]):
            j = place[words[at]]
            if j >= 0:
                w, x = W[j], 1.0 if unit else values[at]
                for k in range(K):
                    f[k] += x * w[k]


@kernel
def correlate_rows(values, words, ends, place, A, C):
    """Add to the rows of C the rows of A of the documents with that word."""
    K = A.shape[1]
    unit = len(values) == 0
    for i in range(len(A)):
        a = A[i]
        for at in range(ends[i], ends[i + 1]):
            j = place[words[at]]
            if j >= 0:
                c, x = C[j], 1.0 if unit else values[at]
                for k in range(K):
                    c[k] += x * a[k]


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
