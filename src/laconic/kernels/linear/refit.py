r"""Weights of the columns that a pursuit has chosen so far, for one output.

.. math:: \min_{w, b} \sum_i s_i\,\ell(y_i, x_i^\top w + b) + \sum_j \rho_j w_j^2

A new word stands in a handful of documents, and only words in the same documents have anything to answer it. Every
document therefore keeps a list of its chosen words; a step of one weight moves the margins of its documents, and
through them the slopes of their words alone. A weight is worth a step when it gains enough for each document to be
looked at; the intercept is a word of all documents. Where this takes more looks than a pass over the data, Newton's
method finishes.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.columns import dot

TRUSTED = 1.0  # length of a step of one weight; beyond it a quadratic says little about a logistic loss
NEWTON_STEPS = 100
SURE = 1000.0  # times the tolerance is the most that single steps may leave; on texts they leave less than it
TOGETHER = 32  # factors of at most two whose product is a number without doubt
LOSS, SQUARE, INTERCEPT, RESIDUALS, CURVATURES = range(5)
CHOSEN, CELLS, FRONT, HELD, TOUCHED = range(5)


class Target(NamedTuple):
    """What the margins are to meet: ``kind`` 0 is logistic loss, 1 squared."""

    y: NDArray[np.float64]
    weight: NDArray[np.float64]
    kind: int
    fit_intercept: bool


class Words(NamedTuple):
    """The chosen words in their order: ``slope`` is :math:`x_j^\\top\\alpha - 2\\rho_jw_j`, ``bend`` its derivative."""

    order: NDArray[np.int32]
    w: NDArray[np.float64]
    ridge: NDArray[np.float64]
    slope: NDArray[np.float64]
    bend: NDArray[np.float64]


class Documents(NamedTuple):
    """Margins F, residual α, curvature h, 1 + e^{-|f|} and the chosen words, ``first[i]`` to ``end[i]``, of i."""

    F: NDArray[np.float64]
    alpha: NDArray[np.float64]
    h: NDArray[np.float64]
    one: NDArray[np.float64]
    first: NDArray[np.int32]
    end: NDArray[np.int32]
    place: NDArray[np.int32]
    cell: NDArray[np.float64]


class Waiting(NamedTuple):
    """Words to be moved: a ring of ``HELD`` from ``FRONT`` on; and what was ``TOUCHED``, documents or words."""

    queue: NDArray[np.int32]
    queued: NDArray[np.bool_]
    touched: NDArray[np.int32]
    marked: NDArray[np.bool_]


class Model(NamedTuple):
    """All that must be known to move a weight; ``sums`` and ``counts`` are addressed by the names in this module."""

    words: Words
    documents: Documents
    waiting: Waiting
    sums: NDArray[np.float64]
    counts: NDArray[np.int64]


def new_model(row_sizes: NDArray[np.intp], n_words: int, intercept: float) -> Model:
    """Return a model without words, with room for ``n_words`` of them."""
    n, k, n_cells = len(row_sizes), n_words, int(row_sizes.sum())
    first = (np.cumsum(row_sizes) - row_sizes).astype(np.int32)
    words = Words(np.empty(k, dtype=np.int32), np.zeros(k), np.zeros(k), np.zeros(k), np.zeros(k))
    lists = first, first.copy(), np.empty(n_cells, dtype=np.int32), np.empty(n_cells)
    documents = Documents(np.full(n, intercept), np.zeros(n), np.zeros(n), np.zeros(n), *lists)
    ring = np.empty(k, dtype=np.int32), np.zeros(k, dtype=np.bool_)
    waiting = Waiting(*ring, np.empty(n, dtype=np.int32), np.zeros(n, dtype=np.bool_))
    model = Model(words, documents, waiting, np.zeros(5), np.zeros(5, dtype=np.int64))
    model.sums[INTERCEPT] = intercept
    return model


@kernel
def look_at_document(kind, y, f):
    """Return residual and curvature of one document of weight one, and 1 + exp(−|f|)."""
    if kind == 1:
        return y - f, 1.0, 1.0
    e = math.exp(-abs(f))
    share = 1.0 / (1.0 + e)
    return y * (e * share if y * f > 0.0 else share), e * share * share, 1.0 + e


@kernel
def look_at_loss(target, F, alpha, h, one):
    """Fill residual α = −∂ℓ/∂f, curvature h and ``one``; return the loss."""
    y, s = target.y, target.weight
    for i in range(len(y)):
        residual, curvature, one[i] = look_at_document(target.kind, y[i], F[i])
        alpha[i] = s[i] * residual
        h[i] = s[i] * curvature
    return total_loss(target, F, one)


@kernel
def total_loss(target, F, one):
    """Return Σ s·ℓ. A logarithm is dear, and a sum of them is one of a product."""
    y, s = target.y, target.weight
    n, total = len(y), 0.0
    if target.kind == 1:
        for i in range(n):
            total += 0.5 * s[i] * (y[i] - F[i]) ** 2
        return total
    for first in range(0, n, TOGETHER):
        product, even = 1.0, True
        last = min(first + TOGETHER, n)
        for i in range(first, last):
            total += s[i] * max(-y[i] * F[i], 0.0)
            product *= one[i]
            even = even and s[i] == s[first]
        if even:
            total += s[first] * math.log(product)
        else:
            for i in range(first, last):
                total += s[i] * math.log(one[i])
    return total


@kernel
def look_at_all(columns, target, model):
    """Fill everything that follows from the weights and the margins."""
    data, indices, start, stop = columns
    words, documents, sums = model.words, model.documents, model.sums
    sums[LOSS] = look_at_loss(target, documents.F, documents.alpha, documents.h, documents.one)
    sums[RESIDUALS], sums[CURVATURES], sums[SQUARE] = 0.0, 0.0, 0.0
    for i in range(len(documents.alpha)):
        sums[RESIDUALS] += documents.alpha[i]
        sums[CURVATURES] += documents.h[i]
    for c in range(model.counts[CHOSEN]):
        j, ridge = words.order[c], words.ridge[c]
        sums[SQUARE] += ridge * words.w[c] ** 2
        words.slope[c] = dot(data, indices, start[j], stop[j], documents.alpha) - 2.0 * ridge * words.w[c]
        bend = 2.0 * ridge
        for at in range(start[j], stop[j]):
            x = 1.0 if len(data) == 0 else data[at]
            bend += documents.h[indices[at]] * x * x
        words.bend[c] = bend


@kernel
def join(columns, feature, ridge, model):
    """Let a column join with weight zero."""
    data, indices, start, stop = columns
    words, documents, c = model.words, model.documents, model.counts[CHOSEN]
    slope, bend = 0.0, 2.0 * ridge
    for at in range(start[feature], stop[feature]):
        i, x = indices[at], 1.0 if len(data) == 0 else data[at]
        documents.place[documents.end[i]], documents.cell[documents.end[i]] = c, x
        documents.end[i] += 1
        slope += documents.alpha[i] * x
        bend += documents.h[i] * x * x
    words.order[c], words.w[c], words.ridge[c] = feature, 0.0, ridge
    words.slope[c], words.bend[c] = slope, bend
    model.counts[CHOSEN] += 1
    model.counts[CELLS] += stop[feature] - start[feature]


@kernel
def move_document(i, change, target, documents, words, sums):
    """Move one margin, and with it the slopes of the words in that document."""
    F, alpha, h, one, first, end, place, cell = documents
    F[i] += change
    residual, curvature, one[i] = look_at_document(target.kind, target.y[i], F[i])
    residual *= target.weight[i]
    curvature *= target.weight[i]
    turn, tighten = residual - alpha[i], curvature - h[i]
    alpha[i], h[i] = residual, curvature
    sums[RESIDUALS] += turn
    sums[CURVATURES] += tighten
    for at in range(first[i], end[i]):
        c, x = place[at], cell[at]
        words.slope[c] += x * turn
        words.bend[c] += x * x * tighten


@kernel
def trusted(slope, bend, kind):
    """Return a step of one weight, no longer than a quadratic is to be believed."""
    return min(max(slope / bend, -TRUSTED), TRUSTED) if kind == 0 else slope / bend


@kernel
def move_intercept(target, model):
    """Move the intercept, and with it all documents."""
    sums, waiting = model.sums, model.waiting
    step = trusted(sums[RESIDUALS], sums[CURVATURES], target.kind)
    sums[INTERCEPT] += step
    for i in range(len(target.y)):
        move_document(i, step, target, model.documents, model.words, sums)
        waiting.marked[i] = True
        waiting.touched[i] = i
    model.counts[TOUCHED] = len(target.y)


@kernel
def move_word(columns, target, model, c):
    """Move the weight of word c, and with it its documents."""
    data, indices, start, stop = columns
    words, sums, waiting = model.words, model.sums, model.waiting
    j, n_touched = words.order[c], model.counts[TOUCHED]
    step = trusted(words.slope[c], words.bend[c], target.kind)
    sums[SQUARE] += words.ridge[c] * step * (2.0 * words.w[c] + step)
    words.w[c] += step
    words.slope[c] -= 2.0 * words.ridge[c] * step
    for at in range(start[j], stop[j]):
        i, x = indices[at], 1.0 if len(data) == 0 else data[at]
        move_document(i, step * x, target, model.documents, words, sums)
        if not waiting.marked[i]:
            waiting.marked[i] = True
            waiting.touched[n_touched] = i
            n_touched += 1
    model.counts[TOUCHED] = n_touched


@kernel
def worth_it(columns, words, c, worth):
    """Return whether word c is worth a step."""
    j = words.order[c]
    return words.slope[c] ** 2 > worth * words.bend[c] * (columns[3][j] - columns[2][j])


@kernel
def enqueue(waiting, counts, c):
    """Let word c wait for its turn, if it does not."""
    if not waiting.queued[c]:
        waiting.queued[c] = True
        at, room = counts[FRONT] + counts[HELD], len(waiting.queue)
        waiting.queue[at if at < room else at - room] = c
        counts[HELD] += 1


@kernel
def dequeue(waiting, counts):
    """Return the word whose turn it is."""
    c = waiting.queue[counts[FRONT]]
    counts[FRONT] = counts[FRONT] + 1 if counts[FRONT] + 1 < len(waiting.queue) else 0
    counts[HELD] -= 1
    waiting.queued[c] = False
    return c


@kernel
def call_up(columns, model, worth):
    """Let all words of the touched documents wait that are worth a step."""
    words, documents, waiting, counts = model.words, model.documents, model.waiting, model.counts
    for t in range(counts[TOUCHED]):
        i = waiting.touched[t]
        waiting.marked[i] = False
        for at in range(documents.first[i], documents.end[i]):
            if worth_it(columns, words, documents.place[at], worth):
                enqueue(waiting, counts, documents.place[at])
    counts[TOUCHED] = 0


@kernel
def dismiss(waiting, counts):
    """Let no word wait any more, and forget what was touched."""
    while counts[HELD] > 0:
        dequeue(waiting, counts)
    for t in range(counts[TOUCHED]):
        waiting.marked[waiting.touched[t]] = False
    counts[TOUCHED] = 0


@kernel
def descend_nearby(columns, target, model, new, tol):
    """Move weights, the ``new`` last ones first, while any is worth it; return whether they are as good as optimal."""
    # Worth it is a gain slope²/(2·bend) > tol·P·n_j/(n + Σn), n_j documents: what is left sums to at most about tol·P.
    words, waiting, sums, counts = model.words, model.waiting, model.sums, model.counts
    n = len(target.y)
    patience = n + counts[CELLS]
    worth = 4.0 * tol * (sums[LOSS] + sums[SQUARE]) / patience
    looks, settled = 0, False
    for c in range(counts[CHOSEN] - new, counts[CHOSEN]):
        enqueue(waiting, counts, c)
    while looks <= patience and not settled:
        if counts[HELD] == 0:
            if target.fit_intercept and sums[RESIDUALS] ** 2 > worth * sums[CURVATURES] * n:
                move_intercept(target, model)
                looks += n
            call_up(columns, model, worth)
            settled = counts[HELD] == 0
        if counts[HELD] > 0:
            c = dequeue(waiting, counts)
            if worth_it(columns, words, c, worth):
                looks += columns[3][words.order[c]] - columns[2][words.order[c]]
                move_word(columns, target, model, c)
    dismiss(waiting, counts)
    sums[LOSS] = total_loss(target, model.documents.F, model.documents.one)
    return settled and left_to_gain(words, counts[CHOSEN]) <= SURE * tol * (sums[LOSS] + sums[SQUARE])


@kernel
def left_to_gain(words, n_words):
    """Return a bound on what all weights with a ridge may still gain together, however alike their columns are."""
    gain = 0.0
    for c in range(n_words):
        if words.ridge[c] > 0.0:
            gain += words.slope[c] ** 2 / (4.0 * words.ridge[c])
    return gain


@kernel
def descend_by_newton(columns, target, model, tol):
    """Move all weights by Newton's method until a step is predicted to gain at most ``tol`` times the objective."""
    data, indices, start, stop = columns
    n, k = len(target.y), model.counts[CHOSEN]
    order, w, ridge, slope, bends = model.words
    F, h, sums = model.documents.F, model.documents.h, model.sums
    per_document, per_word = np.empty((6, n)), np.zeros((5, k + 1))
    z, hz, there, alpha_there, h_there, one_there = per_document
    # The last unknown is the intercept. Loops, where numpy has a word for it: they compile in a fraction of the time.
    d, r, p, q, inverse = per_word
    settled = False
    for _ in range(NEWTON_STEPS):
        look_at_all(columns, target, model)
        objective = sums[LOSS] + sums[SQUARE]
        # What an inexact step predicts may be far less than what there is to gain.
        if settled and left_to_gain(model.words, k) <= SURE * tol * objective:
            return
        begun = 0.0
        for j in range(k + 1):
            bend = sums[CURVATURES] if j == k else bends[j]
            inverse[j] = 1.0 / bend if bend > 0.0 and (j < k or target.fit_intercept) else 0.0
            d[j], r[j] = 0.0, sums[RESIDUALS] if j == k else slope[j]
            p[j] = inverse[j] * r[j]
            begun += r[j] * p[j]
        size = begun
        for i in range(n):
            z[i] = 0.0
        # z follows X d + d₀, the change of the margins.
        for _ in range(2 * k + 20):
            if size <= 0.01 * begun or size <= 1e-300:
                break
            for i in range(n):
                there[i] = p[k]
            for j in range(k):
                for at in range(start[order[j]], stop[order[j]]):
                    there[indices[at]] += p[j] if len(data) == 0 else p[j] * data[at]
            q[k] = 0.0
            for i in range(n):
                hz[i] = h[i] * there[i]
                q[k] += hz[i]
            bend = p[k] * q[k]
            for j in range(k):
                q[j] = dot(data, indices, start[order[j]], stop[order[j]], hz) + 2.0 * ridge[j] * p[j]
                bend += p[j] * q[j]
            if bend <= 0.0:
                break
            t = size / bend
            for j in range(k + 1):
                d[j] += t * p[j]
                r[j] -= t * q[j]
            for i in range(n):
                z[i] += t * there[i]
            previous = size
            size = 0.0
            for j in range(k + 1):
                size += r[j] * r[j] * inverse[j]
            for j in range(k + 1):
                p[j] = inverse[j] * r[j] + (size / previous) * p[j]
        gain = sums[RESIDUALS] * d[k]
        for j in range(k):
            gain += slope[j] * d[j]
        if gain <= 0.0:
            return
        t = 1.0
        while True:
            for i in range(n):
                there[i] = F[i] + t * z[i]
            square = 0.0
            for j in range(k):
                square += ridge[j] * (w[j] + t * d[j]) ** 2
            value = look_at_loss(target, there, alpha_there, h_there, one_there) + square
            if value <= objective - 1e-4 * t * gain or t < 1e-10:
                break
            t *= 0.5
        if value > objective:
            # No decrease can be seen in floating point.
            return
        for j in range(k):
            w[j] += t * d[j]
        sums[INTERCEPT] += t * d[k]
        for i in range(n):
            F[i] = there[i]
        settled = t == 1.0 and 0.5 * gain <= tol * value
    look_at_all(columns, target, model)


@kernel
def refit(columns, target, features, ridge, model, tol):
    """Let columns join, and minimise over all that have joined, to about ``tol`` times the objective."""
    for at in range(len(features)):
        join(columns, features[at], ridge[features[at]], model)
    if not descend_nearby(columns, target, model, len(features), tol):
        descend_by_newton(columns, target, model, tol)
