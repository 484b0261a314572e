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
TOGETHER = 32  # factors of at most two whose product is a number without doubt
LOSS, SQUARE, INTERCEPT, RESIDUALS, CURVATURES = range(5)
CHOSEN, CELLS = range(2)


class Target(NamedTuple):
    """What the margins are to meet: ``kind`` 0 is logistic loss, 1 squared."""

    y: NDArray[np.float64]
    weight: NDArray[np.float64]
    kind: int
    fit_intercept: bool


class Model(NamedTuple):
    """Weights, and all that must be known to move one of them: places of chosen words first, then documents.

    ``order`` holds the chosen features, ``slope`` :math:`x_j^\\top\\alpha - 2\\rho_jw_j` and ``bend`` the second
    derivative. ``one`` is :math:`1 + e^{-|f_i|}`. The chosen words of document i lie in ``place`` and
    ``cell`` between ``first[i]`` and ``end[i]``. ``sums`` and ``counts`` are addressed by the names in this module.
    """

    order: NDArray[np.int32]
    w: NDArray[np.float64]
    ridge: NDArray[np.float64]
    slope: NDArray[np.float64]
    bend: NDArray[np.float64]
    queue: NDArray[np.int32]
    queued: NDArray[np.bool_]
    F: NDArray[np.float64]
    alpha: NDArray[np.float64]
    h: NDArray[np.float64]
    one: NDArray[np.float64]
    first: NDArray[np.int32]
    end: NDArray[np.int32]
    touched: NDArray[np.int32]
    marked: NDArray[np.bool_]
    place: NDArray[np.int32]
    cell: NDArray[np.float64]
    sums: NDArray[np.float64]
    counts: NDArray[np.int64]


def new_model(row_sizes: NDArray[np.intp], n_words: int, intercept: float) -> Model:
    """Return a model without words, with room for ``n_words`` of them."""

    def reals(size: int) -> NDArray[np.float64]:
        return np.zeros(size)

    def whole(size: int) -> NDArray[np.int32]:
        return np.empty(size, dtype=np.int32)

    def flags(size: int) -> NDArray[np.bool_]:
        return np.zeros(size, dtype=np.bool_)

    n, k, n_cells = len(row_sizes), n_words, int(row_sizes.sum())
    first = (np.cumsum(row_sizes) - row_sizes).astype(np.int32)
    words = whole(k), reals(k), reals(k), reals(k), reals(k), whole(k), flags(k)
    model = Model(
        *words,
        F=reals(n) + intercept,
        alpha=reals(n),
        h=reals(n),
        one=reals(n),
        first=first,
        end=first.copy(),
        touched=whole(n),
        marked=flags(n),
        place=whole(n_cells),
        cell=np.empty(n_cells),
        sums=reals(5),
        counts=np.zeros(2, dtype=np.int64),
    )
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
    sums, k = model.sums, model.counts[CHOSEN]
    sums[LOSS] = look_at_loss(target, model.F, model.alpha, model.h, model.one)
    sums[RESIDUALS], sums[CURVATURES], sums[SQUARE] = 0.0, 0.0, 0.0
    for i in range(len(model.alpha)):
        sums[RESIDUALS] += model.alpha[i]
        sums[CURVATURES] += model.h[i]
    for c in range(k):
        j = model.order[c]
        sums[SQUARE] += model.ridge[c] * model.w[c] ** 2
        model.slope[c] = dot(data, indices, start[j], stop[j], model.alpha) - 2.0 * model.ridge[c] * model.w[c]
        bend = 2.0 * model.ridge[c]
        for at in range(start[j], stop[j]):
            x = 1.0 if len(data) == 0 else data[at]
            bend += model.h[indices[at]] * x * x
        model.bend[c] = bend


@kernel
def join(columns, feature, ridge, model):
    """Let a column join with weight zero."""
    data, indices, start, stop = columns
    c = model.counts[CHOSEN]
    slope, bend = 0.0, 2.0 * ridge
    for at in range(start[feature], stop[feature]):
        i, x = indices[at], 1.0 if len(data) == 0 else data[at]
        model.place[model.end[i]], model.cell[model.end[i]] = c, x
        model.end[i] += 1
        slope += model.alpha[i] * x
        bend += model.h[i] * x * x
    model.order[c], model.w[c], model.ridge[c] = feature, 0.0, ridge
    model.slope[c], model.bend[c] = slope, bend
    model.counts[CHOSEN] += 1
    model.counts[CELLS] += stop[feature] - start[feature]


@kernel
def move_document(i, change, y, s, kind, F, alpha, h, one, sums, first, end, place, cell, slope, bend):
    """Move one margin, and with it the slopes of the words in that document."""
    F[i] += change
    residual, curvature, one[i] = look_at_document(kind, y, F[i])
    residual *= s
    curvature *= s
    turn, tighten = residual - alpha[i], curvature - h[i]
    alpha[i], h[i] = residual, curvature
    sums[RESIDUALS] += turn
    sums[CURVATURES] += tighten
    for at in range(first[i], end[i]):
        c, x = place[at], cell[at]
        slope[c] += x * turn
        bend[c] += x * x * tighten


@kernel
def descend_nearby(columns, target, model, new, tol):
    """Move weights, the ``new`` last ones first, while any is worth it; return whether none was left.

    A step of weight j is worth it when it gains slope²/(2·bend) > tol·P·n_j/(n + Σn), n_j being its documents: what is
    left undone then sums to at most about tol·P.
    """
    # Arrays are taken out of their tuples once: a call with a whole tuple would copy it for every document.
    data, indices, start, stop = columns
    (
        order,
        w,
        ridge,
        slope,
        bend,
        queue,
        queued,
        F,
        alpha,
        h,
        one,
        first,
        end,
        touched,
        marked,
        place,
        cell,
        sums,
        _,
    ) = model
    y, weight, kind, free = target
    n, k = len(y), model.counts[CHOSEN]
    patience = n + model.counts[CELLS]
    worth = 4.0 * tol * (sums[LOSS] + sums[SQUARE]) / patience
    room = len(queue)
    n_touched, looks, settled = 0, 0, False
    front, held = 0, new
    for at in range(new):
        queue[at] = k - new + at
        queued[k - new + at] = True
    back = new if new < room else 0
    while looks <= patience:
        if held == 0:
            if free and sums[RESIDUALS] ** 2 > worth * sums[CURVATURES] * n:
                step = sums[RESIDUALS] / sums[CURVATURES]
                step = min(max(step, -TRUSTED), TRUSTED) if kind == 0 else step
                sums[INTERCEPT] += step
                looks += n
                for i in range(n):
                    move_document(
                        i,
                        step,
                        y[i],
                        weight[i],
                        kind,
                        F,
                        alpha,
                        h,
                        one,
                        sums,
                        first,
                        end,
                        place,
                        cell,
                        slope,
                        bend,
                    )
                    marked[i] = True
                    touched[i] = i
                n_touched = n
            for t in range(n_touched):
                i = touched[t]
                marked[i] = False
                for at in range(first[i], end[i]):
                    c = place[at]
                    if slope[c] ** 2 > worth * bend[c] * (stop[order[c]] - start[order[c]]) and not queued[c]:
                        queue[back] = c
                        queued[c] = True
                        back = back + 1 if back + 1 < room else 0
                        held += 1
            n_touched = 0
            if held == 0:
                settled = True
                break
        c = queue[front]
        front = front + 1 if front + 1 < room else 0
        held -= 1
        queued[c] = False
        j = order[c]
        if slope[c] ** 2 <= worth * bend[c] * (stop[j] - start[j]):
            continue
        step = slope[c] / bend[c]
        step = min(max(step, -TRUSTED), TRUSTED) if kind == 0 else step
        sums[SQUARE] += ridge[c] * step * (2.0 * w[c] + step)
        w[c] += step
        slope[c] -= 2.0 * ridge[c] * step
        looks += stop[j] - start[j]
        for at in range(start[j], stop[j]):
            x = 1.0 if len(data) == 0 else data[at]
            i = indices[at]
            move_document(
                i, step * x, y[i], weight[i], kind, F, alpha, h, one, sums, first, end, place, cell, slope, bend
            )
            if not marked[i]:
                marked[i] = True
                touched[n_touched] = i
                n_touched += 1
    for t in range(n_touched):
        marked[touched[t]] = False
    while held > 0:
        queued[queue[front]] = False
        front = front + 1 if front + 1 < room else 0
        held -= 1
    sums[LOSS] = total_loss(target, F, one)
    return settled


@kernel
def descend_by_newton(columns, target, model, tol):
    """Move all weights by Newton's method, until a step is foretold to gain at most ``tol`` times the objective.

    Steps are solved by conjugate gradients, preconditioned by the diagonal.
    """
    data, indices, start, stop = columns
    n, k = len(target.y), model.counts[CHOSEN]
    order, w, ridge, slope, h, sums = model.order, model.w, model.ridge, model.slope, model.h, model.sums
    per_document, per_word = np.empty((6, n)), np.zeros((5, k + 1))
    z, hz, there, alpha_there, h_there, one_there = per_document
    # The last unknown is the intercept. Loops, where numpy has a word for it: they compile in a fraction of the time.
    d, r, p, q, inverse = per_word
    for _ in range(NEWTON_STEPS):
        look_at_all(columns, target, model)
        objective = sums[LOSS] + sums[SQUARE]
        begun = 0.0
        for j in range(k + 1):
            bend = sums[CURVATURES] if j == k else model.bend[j]
            inverse[j] = 1.0 / bend if bend > 0.0 and (j < k or target.fit_intercept) else 0.0
            d[j], r[j] = 0.0, sums[RESIDUALS] if j == k else slope[j]
            p[j] = inverse[j] * r[j]
            begun += r[j] * p[j]
        size = begun
        for i in range(n):
            z[i] = 0.0
        # z follows X d + d₀, the change of the margins.
        for _ in range(2 * k + 20):
            if size <= 0.01 * begun or size <= 0.02 * tol * objective or size <= 1e-300:
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
                there[i] = model.F[i] + t * z[i]
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
            model.F[i] = there[i]
        if t == 1.0 and 0.5 * gain <= tol * value:
            break
    look_at_all(columns, target, model)


@kernel
def refit(columns, target, features, ridge, model, tol):
    """Let columns join, and minimise over all that have joined, to about ``tol`` times the objective."""
    for at in range(len(features)):
        join(columns, features[at], ridge[features[at]], model)
    if not descend_nearby(columns, target, model, len(features), tol):
        descend_by_newton(columns, target, model, tol)
