"""Products with some columns of a sparse matrix, held as (``data``, ``indices``, ``start``, ``stop``).

Column j is ``indices[start[j]:stop[j]]`` with the values ``data`` at the same places; empty ``data`` means that all
values are one, as in a design of binary cells, which halves the memory to be read. Sums run over four accumulators,
because one would wait for its own last addition.
"""

from laconic.kernels._compile import kernel


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
def add_column(data, indices, start, stop, factor, z):
    """Add ``factor`` times the column between ``start`` and ``stop`` to ``z``."""
    if len(data) == 0:
        for p in range(start, stop):
            z[indices[p]] += factor
    else:
        for p in range(start, stop):
            z[indices[p]] += factor * data[p]


@kernel
def correlate(data, indices, start, stop, r, out):
    """Write every column times ``r`` into ``out``."""
    for j in range(len(start)):
        out[j] = dot(data, indices, start[j], stop[j], r)


@kernel
def accumulate(data, indices, start, stop, w, z):
    """Add the columns times ``w`` to ``z``."""
    for j in range(len(w)):
        if w[j] != 0.0:
            add_column(data, indices, start[j], stop[j], w[j], z)


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
