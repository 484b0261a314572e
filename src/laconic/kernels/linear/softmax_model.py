"""The state of a softmax over chosen columns: probabilities of the documents, weights and slopes of the words.

Only probabilities are kept, never margins: a step d of a word multiplies :math:`p_{ik}` by :math:`e^{x_{ij}d_k}`. The
intercepts are word 0, of all documents. `descend_by_newton` moves all weights at once, by conjugate gradients.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.refit import CHOSEN, LOSS, NEWTON_STEPS, SQUARE, SURE, Waiting

SMALL = 1e-100  # a product of probabilities is turned into a logarithm before it gets smaller than its square
FLAT = 1e-100  # second derivatives up to this are none


class Target(NamedTuple):
    """The classes and the weights of the documents; ``everyone`` holds the numbers of all documents."""

    y: NDArray[np.int64]
    weight: NDArray[np.float64]
    everyone: NDArray[np.uint32]
    fit_intercept: bool


class Words(NamedTuple):
    """The intercepts, then the chosen words in their order: one row each, one column per class."""

    # ``slope`` is x_jᵀA − 2ρ_jw_j, ``inverse`` one over the second derivatives last looked at, ``reach`` the largest
    # |x_ij|.

    order: NDArray[np.int32]
    W: NDArray[np.float64]
    ridge: NDArray[np.float64]
    slope: NDArray[np.float64]
    inverse: NDArray[np.float64]
    reach: NDArray[np.float64]


class Documents(NamedTuple):
    """Probabilities, and the chosen words of document i: ``place`` and ``cell`` from ``first[i]`` to ``end[i]``."""

    P: NDArray[np.float64]
    first: NDArray[np.int32]
    end: NDArray[np.int32]
    place: NDArray[np.int32]
    cell: NDArray[np.float64]


class Model(NamedTuple):
    """All that must be known to move a word; ``sums`` and ``counts`` are addressed by the names in this module."""

    words: Words
    waiting: Waiting
    documents: Documents
    sums: NDArray[np.float64]
    counts: NDArray[np.int64]


def new_model(row_sizes: NDArray[np.intp], n_words: int, intercept: NDArray[np.float64]) -> Model:
    """Return a model without words, with room for ``n_words`` of them."""
    n, k, K = len(row_sizes), n_words + 1, len(intercept)
    n_cells = int(row_sizes.sum())
    first = (np.cumsum(row_sizes) - row_sizes).astype(np.int32)
    words = Words(
        np.zeros(k, dtype=np.int32), np.zeros((k, K)), np.zeros(k), np.zeros((k, K)), np.ones((k, K)), np.ones(k)
    )
    words.W[0] = intercept
    waiting = Waiting(
        np.empty(k, dtype=np.int32), np.zeros(k, dtype=bool), np.empty(k, dtype=np.int32), np.zeros(k, dtype=bool)
    )
    lists = first, first.copy(), np.empty(n_cells, dtype=np.int32), np.empty(n_cells)
    return Model(words, waiting, Documents(np.empty((n, K)), *lists), np.zeros(2), np.zeros(5, dtype=np.int64))


@kernel
def cells_of(columns, target, order, c):
    """Return the cells of word c, none where all are one, and its documents."""
    data, indices, start, stop = columns
    if c == 0:
        return data[:0], target.everyone
    j = order[c]
    return (data[:0] if len(data) == 0 else data[start[j] : stop[j]]), indices[start[j] : stop[j]]


@kernel
def product(P, i, e):
    """Return row i of P times e. Four sums, because one would wait for its own last addition."""
    K = len(e)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    k = 0
    while k + 4 <= K:
        s0 += P[i, k] * e[k]
        s1 += P[i, k + 1] * e[k + 1]
        s2 += P[i, k + 2] * e[k + 2]
        s3 += P[i, k + 3] * e[k + 3]
        k += 4
    while k < K:
        s0 += P[i, k] * e[k]
        k += 1
    return (s0 + s1) + (s2 + s3)


@kernel
def total_loss(target, P):
    """Return −Σ s·log p_y. A logarithm is dear, and a sum of them is one of a product."""
    y, s = target.y, target.weight
    total, likelihood, common = 0.0, 1.0, 1.0
    for i in range(len(y)):
        if s[i] != common or likelihood < SMALL:
            total -= common * math.log(likelihood)
            likelihood, common = 1.0, s[i]
        likelihood *= max(P[i, y[i]], SMALL)
    return total - common * math.log(likelihood)


@kernel
def scale_to_one(P, i):
    """Divide a row by its sum."""
    K = P.shape[1]
    total = 0.0
    for k in range(K):
        total += P[i, k]
    share = 1.0 / total
    for k in range(K):
        P[i, k] *= share


@kernel
def exponentials(F, P):
    """Fill P with the probabilities of the margins F."""
    n, K = F.shape
    for i in range(n):
        top = F[i, 0]
        for k in range(1, K):
            top = max(top, F[i, k])
        for k in range(K):
            P[i, k] = math.exp(F[i, k] - top)
        scale_to_one(P, i)


@kernel
def add_words(columns, target, words, n_words, V, Z):
    """Fill Z with XV for the weights V of the intercepts and the chosen words."""
    K = V.shape[1]
    for i in range(len(Z)):
        for k in range(K):
            Z[i, k] = V[0, k]
    for c in range(1, n_words):
        values, rows = cells_of(columns, target, words.order, c)
        for at in range(len(rows)):
            i, x = rows[at], 1.0 if len(values) == 0 else values[at]
            for k in range(K):
                Z[i, k] += x * V[c, k]


@kernel
def look_at_word(columns, target, model, c):
    """Fill slope and curvature of word c, from the probabilities."""
    words, P = model.words, model.documents.P
    K = P.shape[1]
    slope, inverse, ridge = words.slope, words.inverse, 2.0 * words.ridge[c]
    values, rows = cells_of(columns, target, words.order, c)
    for k in range(K):
        slope[c, k], inverse[c, k] = -ridge * words.W[c, k], ridge
    for at in range(len(rows)):
        i, x = rows[at], 1.0 if len(values) == 0 else values[at]
        s = target.weight[i] * x
        slope[c, target.y[i]] += s
        for k in range(K):
            p = P[i, k]
            slope[c, k] -= s * p
            inverse[c, k] += s * x * p * (1.0 - p)
    for k in range(K):
        inverse[c, k] = 1.0 / inverse[c, k] if inverse[c, k] > FLAT else 0.0


@kernel
def look_at_all(columns, target, model):
    """Fill everything that follows from the weights."""
    words, n_words = model.words, model.counts[CHOSEN] + 1
    F = np.empty(model.documents.P.shape)
    add_words(columns, target, words, n_words, words.W, F)
    exponentials(F, model.documents.P)
    model.sums[LOSS], model.sums[SQUARE] = total_loss(target, model.documents.P), 0.0
    for c in range(n_words):
        look_at_word(columns, target, model, c)
        for k in range(words.W.shape[1]):
            model.sums[SQUARE] += words.ridge[c] * words.W[c, k] ** 2


@kernel
def correlate_words(columns, target, words, n_words, R, out):
    """Fill ``out`` with XᵀR for the intercepts and the chosen words."""
    K = R.shape[1]
    for c in range(n_words):
        values, rows = cells_of(columns, target, words.order, c)
        for k in range(K):
            out[c, k] = 0.0
        for at in range(len(rows)):
            i, x = rows[at], 1.0 if len(values) == 0 else values[at]
            for k in range(K):
                out[c, k] += x * R[i, k]


@kernel
def apply_curvature(P, s, Z):
    """Multiply Z in place by the curvature s(diag p − ppᵀ) of every document."""
    n, K = Z.shape
    for i in range(n):
        mean = 0.0
        for k in range(K):
            mean += P[i, k] * Z[i, k]
        for k in range(K):
            Z[i, k] = s[i] * P[i, k] * (Z[i, k] - mean)


@kernel
def vdot(A, B, n_words):
    """Return the sum of the products of the first rows."""
    total = 0.0
    for c in range(n_words):
        for k in range(A.shape[1]):
            total += A[c, k] * B[c, k]
    return total


@kernel
def precondition(R, inverse, share, V, c):
    """Turn row c of V into R·inverse, summing to zero over the classes, and a share of what it was."""
    K, mean = R.shape[1], 0.0
    for k in range(K):
        mean += R[c, k] * inverse[c, k] / K
    for k in range(K):
        V[c, k] = R[c, k] * inverse[c, k] - mean + share * V[c, k]


@kernel
def newton_direction(columns, target, model, D, Z):
    """Fill D with a Newton step, by conjugate gradients preconditioned by the diagonal, and Z with XD."""
    words, P = model.words, model.documents.P
    n_words, K = model.counts[CHOSEN] + 1, P.shape[1]
    R, V, Q = np.zeros((3, n_words, K))
    there = np.empty(P.shape)
    size = 0.0
    for c in range(n_words):
        for k in range(K):
            D[c, k] = 0.0
            if c > 0 or target.fit_intercept:
                R[c, k] = words.slope[c, k]
                size += R[c, k] ** 2 * words.inverse[c, k]
        precondition(R, words.inverse, 0.0, V, c)
    for i in range(len(Z)):
        for k in range(K):
            Z[i, k] = 0.0
    begun = size
    for _ in range(2 * n_words + 20):
        if size <= 0.01 * begun or size <= 1e-300:
            break
        add_words(columns, target, words, n_words, V, there)
        move = there.copy()
        apply_curvature(P, target.weight, there)
        correlate_words(columns, target, words, n_words, there, Q)
        for c in range(n_words):
            for k in range(K):
                Q[c, k] = (Q[c, k] + 2.0 * words.ridge[c] * V[c, k]) if c > 0 or target.fit_intercept else 0.0
        curvature = vdot(V, Q, n_words)
        if curvature <= 0.0:
            break
        t, previous, size = size / curvature, size, 0.0
        for c in range(n_words):
            for k in range(K):
                D[c, k] += t * V[c, k]
                R[c, k] -= t * Q[c, k]
                size += R[c, k] * R[c, k] * words.inverse[c, k]
        for i in range(len(Z)):
            for k in range(K):
                Z[i, k] += t * move[i, k]
        for c in range(n_words):
            precondition(R, words.inverse, size / previous, V, c)


@kernel
def probabilities_along(P, Z, t, there):
    """Fill ``there`` with the probabilities after a change tZ of the margins."""
    n, K = P.shape
    for i in range(n):
        for k in range(K):
            there[i, k] = P[i, k] * math.exp(t * Z[i, k])
        scale_to_one(there, i)


@kernel
def left_to_gain(words, n_words):
    """Return a bound on what all words with a ridge may still gain together, however alike their columns are."""
    gain = 0.0
    for c in range(1, n_words):
        if words.ridge[c] > 0.0:
            for k in range(words.slope.shape[1]):
                gain += words.slope[c, k] ** 2 / (4.0 * words.ridge[c])
    return gain


@kernel
def descend_by_newton(columns, target, model, tol):
    """Move all weights by Newton's method, until a step is predicted to gain at most ``tol`` times the objective."""
    words, P, sums = model.words, model.documents.P, model.sums
    n_words, K = model.counts[CHOSEN] + 1, P.shape[1]
    D, Z, there = np.empty((n_words, K)), np.empty(P.shape), np.empty(P.shape)
    settled = False
    for _ in range(NEWTON_STEPS):
        look_at_all(columns, target, model)
        objective = sums[LOSS] + sums[SQUARE]
        # What an inexact step predicts may be far less than what there is to gain.
        if settled and left_to_gain(words, n_words) <= SURE * tol * objective:
            return
        newton_direction(columns, target, model, D, Z)
        gain = vdot(words.slope, D, n_words)
        if gain <= 0.0:
            return
        t = 1.0
        while True:
            probabilities_along(P, Z, t, there)
            square = 0.0
            for c in range(1, n_words):
                for k in range(K):
                    square += words.ridge[c] * (words.W[c, k] + t * D[c, k]) ** 2
            value = total_loss(target, there) + square
            if value <= objective - 1e-4 * t * gain or t < 1e-10:
                break
            t *= 0.5
        if value > objective:
            # No decrease can be seen in floating point.
            return
        for c in range(n_words):
            for k in range(K):
                words.W[c, k] += t * D[c, k]
        settled = t == 1.0 and 0.5 * gain <= tol * value
    look_at_all(columns, target, model)
