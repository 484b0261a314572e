r"""Weights of the columns that a pursuit has chosen so far, one for every class of a softmax.

.. math:: \min_{W, b} -\sum_i s_i \log p_{i, y_i} + \sum_j \rho_j \|w_j\|^2, \qquad p_i \propto \exp(W^\top x_i + b)

As for one output (`kernels.linear.refit`), every document keeps a list of its chosen words, a step of one word moves
its documents and through them the slopes of their words alone, and Newton's method finishes where this takes more looks
than some passes over the data. A step d of a word multiplies :math:`p_{ik}` by :math:`e^{x_{ij}d_k}`, the same factors
for all documents with the same cell, so that a move takes no exponential.

A step goes along the slope over the diagonal of the curvature. Its length minimises a bound of the loss along it: the
third derivative of a softmax is at most the range r of the change of the margins times the second, so that

.. math:: L(td) \le L - t\,g + \frac{h}{r^2}(e^{rt} - 1 - rt), \qquad t = \frac1r\log(1 + rg/h)

with slope g and curvature h along d: no step ever raises the objective. The intercepts move when no word is worth it.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.refit import CELLS, CHOSEN, HELD, LOSS, SQUARE, SURE, TOUCHED, dequeue, dismiss, enqueue
from laconic.kernels.linear.softmax_model import (
    FLAT,
    cells_of,
    descend_by_newton,
    left_to_gain,
    look_at_word,
    product,
    total_loss,
)

PATIENCE = 8.0  # passes over the data that cost about as much as a refit by Newton's method


class Step(NamedTuple):
    """A step of one word: change of its weights, factors of the probabilities, change of a document's residual."""

    d: NDArray[np.float64]
    factors: NDArray[np.float64]
    turn: NDArray[np.float64]


@kernel
def join(columns, target, feature, ridge, model):
    """Let a column join with weights zero."""
    words, documents = model.words, model.documents
    model.counts[CHOSEN] += 1
    c = model.counts[CHOSEN]
    words.order[c], words.ridge[c], words.reach[c] = feature, ridge, 0.0
    values, rows = cells_of(columns, target, words.order, c)
    for at in range(len(rows)):
        i, x = rows[at], 1.0 if len(values) == 0 else values[at]
        documents.place[documents.end[i]], documents.cell[documents.end[i]] = c, x
        documents.end[i] += 1
        words.reach[c] = max(words.reach[c], abs(x))
    model.counts[CELLS] += len(rows)
    look_at_word(columns, target, model, c)


@kernel
def worth_of(words, c):
    """Return twice what a step of word c gains, by its slope and curvature."""
    total = 0.0
    for k in range(words.slope.shape[1]):
        total += words.slope[c, k] ** 2 * words.inverse[c, k]
    return total


@kernel
def direction_of(words, c, d):
    """Fill d with a step of word c that sums to zero over the classes; return its range and the slope along it."""
    K = len(d)
    mean = 0.0
    for k in range(K):
        d[k] = words.slope[c, k] * words.inverse[c, k]
        mean += d[k]
    mean /= K
    low, high, along = 0.0, 0.0, 0.0
    for k in range(K):
        d[k] -= mean
        along += words.slope[c, k] * d[k]
        low, high = min(low, d[k]), max(high, d[k])
    return high - low, along


@kernel
def curvature_along(columns, target, model, c, d, squares):
    """Return the second derivative along a step of word c; keep its diagonal. Fills ``squares`` with d²."""
    words, P = model.words, model.documents.P
    K = len(d)
    inverse, ridge = words.inverse, 2.0 * words.ridge[c]
    values, rows = cells_of(columns, target, words.order, c)
    total = 0.0
    for k in range(K):
        inverse[c, k], squares[k] = ridge, d[k] * d[k]
        total += ridge * squares[k]
    for at in range(len(rows)):
        i, x = rows[at], 1.0 if len(values) == 0 else values[at]
        s = target.weight[i] * x * x
        total += s * (product(P, i, squares) - product(P, i, d) ** 2)
        for k in range(K):
            inverse[c, k] += s * P[i, k] * (1.0 - P[i, k])
    for k in range(K):
        inverse[c, k] = 1.0 / inverse[c, k] if inverse[c, k] > FLAT else 0.0
    return total


@kernel
def move_word(columns, target, model, c, step):
    """Add d to the weights of word c, and follow it in its documents."""
    words, documents = model.words, model.documents
    d, factors, turn = step
    P, first, end, place, cell = documents
    slope = words.slope
    K = len(d)
    ridge, square = words.ridge[c], 0.0
    for k in range(K):
        square += d[k] * (2.0 * words.W[c, k] + d[k])
        words.W[c, k] += d[k]
        slope[c, k] -= 2.0 * ridge * d[k]
    model.sums[SQUARE] += ridge * square
    values, rows = cells_of(columns, target, words.order, c)
    marked, touched, n_touched = model.waiting.marked, model.waiting.touched, model.counts[TOUCHED]
    before = math.nan
    for at in range(len(rows)):
        i, x = rows[at], 1.0 if len(values) == 0 else values[at]
        if x != before:
            for k in range(K):
                factors[k] = math.exp(x * d[k])
            before = x
        share, s = 1.0 / product(P, i, factors), target.weight[i]
        for k in range(K):
            p = P[i, k] * factors[k] * share
            turn[k] = s * (P[i, k] - p)
            P[i, k] = p
            slope[0, k] += turn[k]
        for at_word in range(first[i], end[i]):
            other, x_other = place[at_word], cell[at_word]
            for k in range(K):
                slope[other, k] += x_other * turn[k]
            if not marked[other]:
                marked[other] = True
                touched[n_touched] = other
                n_touched += 1
    model.counts[TOUCHED] = n_touched


@kernel
def rows_of(columns, target, words, c):
    """Return the number of documents of word c."""
    return len(target.y) if c == 0 else columns[3][words.order[c]] - columns[2][words.order[c]]


@kernel
def call_up(columns, target, model, worth):
    """Let the intercepts wait if they are worth it, else all touched words that are."""
    words, waiting, counts = model.words, model.waiting, model.counts
    if target.fit_intercept and worth_of(words, 0) > worth * len(target.y):
        enqueue(waiting, counts, 0)
        return
    for at in range(counts[TOUCHED]):
        c = waiting.touched[at]
        waiting.marked[c] = False
        if worth_of(words, c) > worth * rows_of(columns, target, words, c):
            enqueue(waiting, counts, c)
    counts[TOUCHED] = 0


@kernel
def step_word(columns, target, model, c, step):
    """Move word c along its slope."""
    words, d = model.words, step.d
    reach, along = direction_of(words, c, d)
    reach *= words.reach[c]
    curvature = curvature_along(columns, target, model, c, d, step.factors)
    if along <= 0.0 or curvature <= 0.0:
        return
    length = math.log1p(reach * along / curvature) / reach
    for k in range(len(d)):
        d[k] *= length
    move_word(columns, target, model, c, step)


@kernel
def descend_nearby(columns, target, model, new, tol):
    """Move words, the ``new`` last ones first, while any is worth it; return whether they are as good as optimal."""
    # Worth it is a gain ½Σ_k slope²/curvature > tol·P·n_j/2(n + Σn), n_j documents; what is left sums to about tol·P.
    words, waiting, counts, sums = model.words, model.waiting, model.counts, model.sums
    one_pass = len(target.y) + counts[CELLS]
    worth = tol * (sums[LOSS] + sums[SQUARE]) / one_pass
    scratch = np.empty((3, words.W.shape[1]))
    step = Step(scratch[0], scratch[1], scratch[2])
    looks, settled = 0, False
    for c in range(counts[CHOSEN] + 1 - new, counts[CHOSEN] + 1):
        enqueue(waiting, counts, c)
    while looks <= PATIENCE * one_pass and not settled:
        if counts[HELD] == 0:
            call_up(columns, target, model, worth)
        settled = counts[HELD] == 0
        if not settled:
            c = dequeue(waiting, counts)
            n_rows = rows_of(columns, target, words, c)
            if worth_of(words, c) > worth * n_rows:
                step_word(columns, target, model, c, step)
                looks += n_rows
    dismiss(waiting, counts)
    sums[LOSS] = total_loss(target, model.documents.P)
    return settled and left_to_gain(words, counts[CHOSEN] + 1) <= SURE * tol * (sums[LOSS] + sums[SQUARE])


@kernel
def refit(columns, target, features, ridge, model, tol):
    """Let columns join, and minimise over all that have joined, to about ``tol`` times the objective."""
    for at in range(len(features)):
        join(columns, target, features[at], ridge[features[at]], model)
    if not descend_nearby(columns, target, model, len(features), tol):
        descend_by_newton(columns, target, model, tol)
