"""Chains of labels: best sequence, and log-partition with marginals.

The score of labels y is Σᵢ scores[i, yᵢ] + transitions[L, y₀] + Σᵢ transitions[yᵢ₋₁, yᵢ]; the last row of
``transitions`` is what a label gets for coming first. Only the first ``n`` rows of the other arrays are used.
"""

import math

from laconic.kernels._compile import kernel


@kernel
def best_path(scores, transitions, n, best, back, path):
    """Write the labels of the highest score into ``path`` (the smallest labels of equal ones last) and return it."""
    n_labels = scores.shape[1]
    for b in range(n_labels):
        best[0, b] = scores[0, b] + transitions[n_labels, b]
    for i in range(1, n):
        for b in range(n_labels):
            best[i, b] = best[i - 1, 0] + transitions[0, b]
            back[i, b] = 0
        for a in range(1, n_labels):
            value = best[i - 1, a]
            for b in range(n_labels):
                if value + transitions[a, b] > best[i, b]:
                    best[i, b] = value + transitions[a, b]
                    back[i, b] = a
        for b in range(n_labels):
            best[i, b] += scores[i, b]
    last = 0
    for b in range(1, n_labels):
        if best[n - 1, b] > best[n - 1, last]:
            last = b
    top = best[n - 1, last]
    for i in range(n - 1, -1, -1):
        path[i] = last
        last = back[i, last]
    return top


@kernel
def exponentials(transitions, out):
    """Write exp(transitions − their largest) into ``out`` and return the largest."""
    top = transitions[0, 0]
    for a in range(transitions.shape[0]):
        for b in range(transitions.shape[1]):
            top = max(top, transitions[a, b])
    for a in range(transitions.shape[0]):
        for b in range(transitions.shape[1]):
            out[a, b] = math.exp(transitions[a, b] - top)
    return top


@kernel
def forward_backward(scores, powers, top, n, alpha, beta):
    """Return log Z; leave scaled forward values in ``alpha``, marginals in ``scores`` and messages in ``beta``."""
    # ``powers`` and ``top`` are of `exponentials`; beta[i, b] is exp(scores[i, b]) times the backward value, scaled so
    # that alpha[i − 1, a] · powers[a, b] · beta[i, b] is the marginal of the pair (a, b) at i − 1, i.
    n_labels = scores.shape[1]
    log_z = 0.0
    for i in range(n):
        high = scores[i, 0]
        for b in range(1, n_labels):
            high = max(high, scores[i, b])
        for b in range(n_labels):
            beta[i, b] = math.exp(scores[i, b] - high)
            alpha[i, b] = 0.0
        if i == 0:
            for b in range(n_labels):
                alpha[0, b] = powers[n_labels, b]
        else:
            for a in range(n_labels):
                value = alpha[i - 1, a]
                for b in range(n_labels):
                    alpha[i, b] += value * powers[a, b]
        total = alpha[i, 0] * beta[i, 0]
        for b in range(1, n_labels):
            total += alpha[i, b] * beta[i, b]
        for b in range(n_labels):
            alpha[i, b] *= beta[i, b] / total
            beta[i, b] /= total
        log_z += math.log(total) + high + top
    for b in range(n_labels):
        scores[n - 1, b] = alpha[n - 1, b]
    for i in range(n - 2, -1, -1):
        for a in range(n_labels):
            value = powers[a, 0] * beta[i + 1, 0]
            for b in range(1, n_labels):
                value += powers[a, b] * beta[i + 1, b]
            scores[i, a] = alpha[i, a] * value
            beta[i, a] *= value
    return log_z


@kernel
def sequence_score(scores, transitions, labels, n):
    """Return the score of given labels."""
    n_labels = scores.shape[1]
    total = scores[0, labels[0]] + transitions[n_labels, labels[0]]
    for i in range(1, n):
        total += scores[i, labels[i]] + transitions[labels[i - 1], labels[i]]
    return total
