"""Products with some columns of a sparse matrix, held as (``data``, ``indices``, ``start``, ``stop``).

Column j is ``indices[start[j]:stop[j]]`` with the values ``data`` at the same places; empty ``data`` means that all
values are one, as in a design of binary cells, which halves the memory to be read. Sums run over four accumulators,
because one would wait for its own last addition.
"""

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
