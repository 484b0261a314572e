"""Newton's method for the weights of a softmax over chosen columns, by conjugate gradients."""

import math

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.linear.refit import CHOSEN, LOSS, SQUARE, SURE
from laconic.kernels.linear.softmax_model import add_words, cells_of, look_at_all, scale_to_one, total_loss

NEWTON_STEPS = 100


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
