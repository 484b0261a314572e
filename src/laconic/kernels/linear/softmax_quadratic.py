r"""The quadratic model of a softmax loss over the weights of some (word, class) pairs, class by class.

A change z of the margins costs :math:`-\alpha\cdot z + \tfrac12\sum_i s_i(\sum_k p_{ik}z_{ik}^2 - (\sum_k
p_{ik}z_{ik})^2 + \nu_i|z_i|^2)`. Most probabilities are next to nothing. Pairs of document and class below a
threshold are left out of these sums, but for a ridge on every weight that bends as much: the slopes at the beginning
are exact, and only the other pairs are held, with the cells of the columns between them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel

FIRST_CELLS = 1 << 16


class Pairs(NamedTuple):
    """The pairs of document and class that bend: those of class k from ``ends[k]`` to ``ends[k + 1]``."""

    ends: NDArray[np.int64]
    document: NDArray[np.uint32]
    p: NDArray[np.float64]
    s: NDArray[np.float64]
    damping: NDArray[np.float64]


class Cells(NamedTuple):
    """The cells of every weight's column at the pairs of its class, counted from the first; no ``value`` for ones."""

    ends: NDArray[np.int64]
    pair: NDArray[np.uint32]
    value: NDArray[np.float64]


class Weights(NamedTuple):
    """The weights, those of class k from ``ends[k]`` to ``ends[k + 1]``, and at the very end the intercepts."""

    # ``slope`` is x_jᵀα_k at the beginning, ``curvature`` and ``weight`` are Σ h x² and Σ h x over pairs, and ``rest``
    # is Σ h x² over all others.

    ends: NDArray[np.int64]
    slope: NDArray[np.float64]
    curvature: NDArray[np.float64]
    weight: NDArray[np.float64]
    rest: NDArray[np.float64]


class Quadratic(NamedTuple):
    """The model with all it needs."""

    pairs: Pairs
    cells: Cells
    weights: Weights


@kernel
def quadratic(data, indices, start, stop, ends, P, y, s, damping, least):
    """Return the model for columns, those of class k from ``ends[k]`` on; ``least`` is the threshold."""
    n, K = P.shape
    unit, size, count = len(data) == 0, len(start), 0
    for i in range(n):
        for k in range(K):
            if P[i, k] > least or damping[i] > 0.0:
                count += 1
    document, p = np.empty(count, dtype=np.uint32), np.empty(count)
    slope, curvature, weight, rest = np.zeros((4, size + K))
    pair_ends, cell_ends = np.zeros(K + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    pair = np.empty(FIRST_CELLS, dtype=np.uint32)
    value = np.empty(0 if unit else FIRST_CELLS)
    place, r, h = np.empty(n, dtype=np.int64), np.empty(n), np.empty(n)
    count, used = 0, 0
    for k in range(K):
        first = count
        for i in range(n):
            r[i] = s[i] * ((1.0 if y[i] == k else 0.0) - P[i, k])
            h[i] = s[i] * (P[i, k] * (1.0 - P[i, k]) + damping[i])
            slope[size + k] += r[i]
            place[i] = -1
            if P[i, k] > least or damping[i] > 0.0:
                place[i], document[count], p[count] = count - first, i, P[i, k]
                count += 1
                curvature[size + k] += h[i]
            else:
                rest[size + k] += h[i]
        pair_ends[k + 1] = count
        for c in range(ends[k], ends[k + 1]):
            if used + stop[c] - start[c] > len(pair):
                room = 2 * (used + stop[c] - start[c])
                pair = np.concatenate((pair[:used], np.empty(room - used, dtype=np.uint32)))
                if not unit:
                    value = np.concatenate((value[:used], np.empty(room - used)))
            for at in range(start[c], stop[c]):
                i, x = indices[at], 1.0 if unit else data[at]
                slope[c] += x * r[i]
                if place[i] >= 0:
                    curvature[c] += x * x * h[i]
                    weight[c] += x * h[i]
                    pair[used] = place[i]
                    if not unit:
                        value[used] = x
                    used += 1
                else:
                    rest[c] += x * x * h[i]
            cell_ends[c + 1] = used
    pairs = Pairs(pair_ends, document, p, s, damping)
    return Quadratic(pairs, Cells(cell_ends, pair, value), Weights(ends, slope, curvature, weight, rest))


@kernel
def dot(cells, c, R):
    """Return the column of a weight times the numbers of its class's pairs. Four sums, as in ``columns``."""
    pair, value, at, stop = cells.pair, cells.value, cells.ends[c], cells.ends[c + 1]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    if len(value) == 0:
        while at + 4 <= stop:
            s0 += R[pair[at]]
            s1 += R[pair[at + 1]]
            s2 += R[pair[at + 2]]
            s3 += R[pair[at + 3]]
            at += 4
        while at < stop:
            s0 += R[pair[at]]
            at += 1
    else:
        while at < stop:
            s0 += value[at] * R[pair[at]]
            at += 1
    return (s0 + s1) + (s2 + s3)


@kernel
def add(cells, c, move, Z):
    """Add the column of a weight times ``move`` to the numbers of its class's pairs."""
    pair, value = cells.pair, cells.value
    if len(value) == 0:
        for at in range(cells.ends[c], cells.ends[c + 1]):
            Z[pair[at]] += move
    else:
        for at in range(cells.ends[c], cells.ends[c + 1]):
            Z[pair[at]] += move * value[at]


@kernel
def spread(model, some, ends, move, Z):
    """Fill Z with the change of the margins of all pairs when ``some`` weights, and the intercepts, move."""
    for k in range(len(ends) - 1):
        first, last = model.pairs.ends[k], model.pairs.ends[k + 1]
        Z[first:last] = move[ends[-1] + k]
        for at in range(ends[k], ends[k + 1]):
            if move[at] != 0.0:
                add(model.cells, some[at], move[at], Z[first:last])


@kernel
def bend(pairs, Z, mean):
    """Turn a change Z of the margins into the change of the residuals, less its sign; ``mean`` becomes Σ p z."""
    mean[:] = 0.0
    for q in range(len(Z)):
        mean[pairs.document[q]] += pairs.p[q] * Z[q]
    for q in range(len(Z)):
        i = pairs.document[q]
        Z[q] = pairs.s[i] * (pairs.p[q] * (Z[q] - mean[i]) + pairs.damping[i] * Z[q])


@kernel
def collect(model, some, ends, R, out):
    """Fill ``out`` with the columns of ``some`` weights, and of the intercepts, times R."""
    for k in range(len(ends) - 1):
        r = R[model.pairs.ends[k] : model.pairs.ends[k + 1]]
        out[ends[-1] + k] = r.sum()
        for at in range(ends[k], ends[k + 1]):
            out[at] = dot(model.cells, some[at], r)


@kernel
def curvature_product(model, some, ends, move, Z, mean, out):
    """Fill ``out`` with the model's second derivatives in ``some`` weights, and in the intercepts, times ``move``."""
    spread(model, some, ends, move, Z)
    bend(model.pairs, Z, mean)
    collect(model, some, ends, Z, out)
    rest = model.weights.rest
    size = len(rest) - len(ends) + 1
    for at in range(len(some)):
        out[at] += rest[some[at]] * move[at]
    for k in range(len(ends) - 1):
        out[ends[-1] + k] += rest[size + k] * move[ends[-1] + k]


@kernel
def sweep(model, old, w, l1, l2, sides, Z, mean, free, slack, sweeps):
    """Sweep over the weights class by class; return by how much the model fell, and by how much slopes were off."""
    # ``old`` are the weights at the beginning; ``w`` and the margins' change ``Z`` of all pairs, with its ``mean``, are
    # changed in place.
    pairs, cells = model.pairs, model.cells
    ends, slope, curvature, weight, rest = model.weights
    K = len(ends) - 1
    size = ends[K]
    gained, off = 0.0, 0.0
    for k in range(K):
        first, last = pairs.ends[k], pairs.ends[k + 1]
        document, p, z = pairs.document[first:last], pairs.p[first:last], Z[first:last]
        r, h = np.empty(last - first), np.empty(last - first)
        for q in range(last - first):
            i = document[q]
            r[q] = -pairs.s[i] * (p[q] * (z[q] - mean[i]) + pairs.damping[i] * z[q])
            h[q] = pairs.s[i] * (p[q] * (1.0 - p[q]) + pairs.damping[i])
        total, bent = slope[size + k] - rest[size + k] * w[size + k] + r.sum(), curvature[size + k] + rest[size + k]
        centred = free and bent > 0.0
        before = w[ends[k] : ends[k + 1]].copy()
        for round in range(sweeps):
            worst = 0.0
            for c in range(ends[k], ends[k + 1]):
                if round > 0 and w[c] == 0.0:
                    continue
                pull = slope[c] - rest[c] * (w[c] - old[c]) + dot(cells, c, r)
                bow = curvature[c]
                if centred:
                    pull -= total / bent * weight[c]
                    bow -= weight[c] * weight[c] / bent
                bow = max(bow + rest[c], 1e-12 * (curvature[c] + rest[c]), 1e-30) + 2.0 * l2
                target = bow * w[c] + pull - 2.0 * l2 * w[c]
                new = 0.0
                if target > l1[c] and (sides[c] == 0 or sides[c] == 1):
                    new = (target - l1[c]) / bow
                elif target < -l1[c] and (sides[c] == 0 or sides[c] == -1):
                    new = (target + l1[c]) / bow
                move = new - w[c]
                if move != 0.0:
                    w[c] = new
                    if len(cells.value) == 0:
                        for at in range(cells.ends[c], cells.ends[c + 1]):
                            r[cells.pair[at]] -= move * h[cells.pair[at]]
                    else:
                        for at in range(cells.ends[c], cells.ends[c + 1]):
                            r[cells.pair[at]] -= move * h[cells.pair[at]] * cells.value[at]
                    total -= move * weight[c]
                    gained += 0.5 * bow * move * move
                    worst = max(worst, bow * abs(move))
            off = max(off, worst)
            if worst <= slack:
                break
        change = np.full(last - first, total / bent if centred else 0.0)
        w[size + k] += total / bent if centred else 0.0
        for c in range(ends[k], ends[k + 1]):
            if w[c] != before[c - ends[k]]:
                add(cells, c, w[c] - before[c - ends[k]], change)
        for q in range(last - first):
            z[q] += change[q]
            mean[document[q]] += p[q] * change[q]
    return gained, off


@kernel
def predicted_changes(P, y, s, Z, linear, quadratic):
    """Fill the linear and the quadratic part of the change of every document's loss when its margins change by Z."""
    n, K = P.shape
    for i in range(n):
        mean, square = 0.0, 0.0
        for k in range(K):
            mean += P[i, k] * Z[i, k]
            square += P[i, k] * Z[i, k] * Z[i, k]
        linear[i] = s[i] * (mean - Z[i, y[i]])
        quadratic[i] = 0.5 * s[i] * (square - mean * mean)
