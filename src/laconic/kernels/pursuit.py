r"""The two steps of a greedy pursuit: find the best atom, refit the chosen columns.

Atoms are groups of columns, ``members[ends[a]:ends[a + 1]]``; their score is :math:`\sqrt{\sum_j (x_j^\top R)^2 q_j^2}`
over the members not yet chosen, times a power of their number, with one scale q a column. As a function of the
residual R it changes by at most a constant times the length of the change: from one step to the next only the documents
whose residual moved much are followed exactly, and only the few atoms that may win are looked at in full.
"""

import math

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.columns import accumulate, dot

ALONE = 3
TRUSTED = 1.0  # length of a step up to which a single weight goes without a check


@kernel
def follow_rows(data, indices, ends, which, change, C):
    """Add the rows ``which`` of a matrix times the rows of ``change`` to ``C``: XᵀR follows R on some documents."""
    n_outputs = C.shape[1]
    unit = len(data) == 0
    for at in range(len(which)):
        i = which[at]
        for p in range(ends[i], ends[i + 1]):
            x = 1.0 if unit else data[p]
            for k in range(n_outputs):
                C[indices[p], k] += x * change[at, k]


@kernel
def score_atoms(squares, members, ends, gone, power, out):
    """Write the score of every atom into ``out``: the root of the sum of its members' ``squares``, times |G|^power.

    Members that are gone do not count; an atom without any has −1.
    """
    for a in range(len(ends) - 1):
        total, count = 0.0, 0
        for at in range(ends[a], ends[a + 1]):
            j = members[at]
            if not gone[j]:
                count += 1
                total += squares[j]
        # Most atoms are single columns, and a power is the dearest part of a score.
        if count == 0:
            out[a] = -1.0
        else:
            out[a] = math.sqrt(total) if count == 1 else math.sqrt(total) * count**power


@kernel
def look_at_loss(kind, y, s, F, alpha, h):
    """Fill residual α = −∂ℓ/∂f and curvature h; return the loss. ``kind`` 0 is logistic, 1 squared."""
    total = 0.0
    if kind == 0:
        for i in range(len(y)):
            m = y[i] * F[i]
            e = math.exp(-abs(m))
            share = 1.0 / (1.0 + e)
            total += s[i] * (math.log1p(e) + max(-m, 0.0))
            alpha[i] = s[i] * y[i] * (e * share if m > 0.0 else share)
            h[i] = s[i] * e * share * share
    else:
        for i in range(len(y)):
            rest = y[i] - F[i]
            total += 0.5 * s[i] * rest * rest
            alpha[i] = s[i] * rest
            h[i] = s[i]
    return total


@kernel
def look_at_document(kind, y, f):
    """Return residual and curvature of one document of weight one."""
    if kind == 1:
        return y - f, 1.0
    e = math.exp(-abs(f))
    share = 1.0 / (1.0 + e)
    return y * (e * share if y * f > 0.0 else share), e * share * share


@kernel
def refit(data, indices, start, stop, y, s, kind, ridge, free, w, b, F, alpha, tol, max_steps):
    """Minimise Σ s·ℓ(y, Xw + b) + Σ ridge·w² over some columns by Newton's method, in place.

    ``w``, ``b``, the margins ``F`` and the residual ``alpha`` change; the last column is the newest.
    Steps are solved by conjugate gradients, preconditioned by the diagonal. It ends after a step that was foretold to
    gain at most ``tol`` times the objective. Returns the objective and the number of steps, negative when they ran out.
    """
    k, n = len(w), len(y)
    h, z, hz = np.empty(n), np.empty(n), np.empty(n)
    there, alpha_there, h_there = np.empty(n), np.empty(n), np.empty(n)
    # The last unknown is the intercept.
    g, d, r, p, q, inverse = (
        np.zeros(k + 1),
        np.zeros(k + 1),
        np.zeros(k + 1),
        np.zeros(k + 1),
        np.zeros(k + 1),
        np.zeros(k + 1),
    )
    move = np.empty(1)
    for _ in range(ALONE):
        # The newest column first goes its own way: only its documents need a look, and most of the gain is there.
        slope, bend = -2.0 * ridge[k - 1] * w[k - 1], 2.0 * ridge[k - 1]
        for at in range(start[k - 1], stop[k - 1]):
            i, x = indices[at], 1.0 if len(data) == 0 else data[at]
            residual, curvature = look_at_document(kind, y[i], F[i])
            slope += s[i] * residual * x
            bend += s[i] * curvature * x * x
        if bend <= 0.0 or abs(slope) > TRUSTED * bend:
            break
        move[0] = slope / bend
        w[k - 1] += move[0]
        accumulate(data, indices, start[k - 1 :], stop[k - 1 :], move, F)
    square = 0.0
    for j in range(k):
        square += ridge[j] * w[j] * w[j]
    objective = look_at_loss(kind, y, s, F, alpha, h) + square
    for step in range(max_steps):
        for j in range(k):
            g[j] = dot(data, indices, start[j], stop[j], alpha) - 2.0 * ridge[j] * w[j]
            bend = 2.0 * ridge[j]
            if len(data) == 0:
                bend += dot(data, indices, start[j], stop[j], h)
            else:
                for at in range(start[j], stop[j]):
                    bend += h[indices[at]] * data[at] * data[at]
            inverse[j] = 1.0 / bend if bend > 0.0 else 0.0
        if free:
            total = h.sum()
            g[k] = alpha.sum()
            inverse[k] = 1.0 / total if total > 0.0 else 0.0
        d[:] = 0.0
        r[:] = g
        p[:] = inverse * r
        size = np.dot(r, p)
        first = size
        z[:] = 0.0
        # Conjugate gradients; z follows X d + d₀, the change of the margins.
        for _ in range(2 * k + 20):
            if size <= 0.01 * first or size <= 0.02 * tol * objective or size <= 1e-300:
                break
            hz[:] = p[k]
            accumulate(data, indices, start, stop, p[:k], hz)
            there[:] = hz
            for i in range(n):
                hz[i] *= h[i]
            for j in range(k):
                q[j] = dot(data, indices, start[j], stop[j], hz) + 2.0 * ridge[j] * p[j]
            q[k] = hz.sum() if free else 0.0
            bend = np.dot(p, q)
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
        slope = np.dot(g, d)
        if slope <= 0.0:
            return objective, step
        t = 1.0
        while True:
            for i in range(n):
                there[i] = F[i] + t * z[i]
            square = 0.0
            for j in range(k):
                square += ridge[j] * (w[j] + t * d[j]) ** 2
            value = look_at_loss(kind, y, s, there, alpha_there, h_there) + square
            if value <= objective - 1e-4 * t * slope or t < 1e-10:
                break
            t *= 0.5
        if value > objective:
            # No decrease can be seen in floating point.
            return objective, step
        for j in range(k):
            w[j] += t * d[j]
        b[0] += t * d[k]
        F[:], alpha[:], h[:] = there, alpha_there, h_there
        objective = value
        if t == 1.0 and 0.5 * slope <= tol * objective:
            return objective, step + 1
    return objective, -max_steps
