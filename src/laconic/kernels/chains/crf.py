r"""Conditional random fields: one pass of stochastic gradient steps, and value and gradient over all sentences.

The loss of a sentence is :math:`\log Z(x) - \theta\cdot\phi(x, y)`, its gradient expected minus observed features.
With costs it is the softmax margin: what a wrong token costs is added to the scores of its wrong labels before Z is
taken, :math:`\log\sum_{y'} e^{\theta\cdot\phi(x, y') + c(y', y)} - \theta\cdot\phi(x, y)`.
"""

import math

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.chains.chain import exponentials, forward_backward, sequence_score
from laconic.kernels.chains.tagging import CLOCK, SURE, USED, add_costs, longest_of, new_row, score_sentence

ONE = np.float32(1.0)


@kernel
def learn_by_likelihood(text, tags, token_starts, order, begin, end, weights, costs, adaptive, rate, l2, damping):
    """Go over sentences ``order[begin:end]`` with AdaGrad (``adaptive``) or plain steps of size ``rate``."""
    # A wrong token with label k costs ``costs[k]``. AdaGrad divides ``rate`` by the root of ``damping`` plus all
    # squared slopes of a weight; ``l2`` counts once for every sentence since a weight was last touched. Labels whose
    # gradient at a token is below a thousandth are left out there.
    n_labels = weights.transitions.shape[1]
    longest = longest_of(text.lengths[order[begin:end]])
    n_templates = len(text.place)
    scores = np.empty((longest, n_labels), dtype=np.float32)
    alpha = np.empty((longest, n_labels), dtype=np.float32)
    beta = np.empty((longest, n_labels), dtype=np.float32)
    powers = np.empty((n_labels + 1, n_labels), dtype=np.float32)
    pairs = np.empty((n_labels + 1, n_labels), dtype=np.float32)
    mine = np.empty(n_templates, dtype=np.int64)
    values = np.empty(n_templates, dtype=np.float32)
    for at in range(begin, end):
        s = order[at]
        n = text.lengths[s]
        if n == 0:
            continue
        if min(weights.counts[USED] + n * n_templates, len(weights.row_of)) > len(weights.rows):
            return at
        weights.counts[CLOCK] += 1
        right = tags[token_starts[s] : token_starts[s] + n]
        score_sentence(text, weights.row_of, weights.rows, s, scores)
        add_costs(scores, right, costs)
        top = exponentials(weights.transitions, powers)
        forward_backward(scores, powers, top, n, alpha, beta)
        surplus_pairs(scores, alpha, powers, beta, right, pairs)
        descend_tokens(text, s, right, scores, weights, adaptive, rate, l2, damping, mine, values)
        descend_pairs(pairs, weights, adaptive, rate, l2, damping)
    return end


@kernel
def surplus_pairs(marginals, alpha, powers, beta, right, pairs):
    """Write how often each pair of labels is expected, less the right pairs, into ``pairs``, first labels last."""
    n, n_labels = len(right), marginals.shape[1]
    pairs[:] = 0.0
    for b in range(n_labels):
        pairs[n_labels, b] = marginals[0, b]
    for i in range(1, n):
        for a in range(n_labels):
            value = alpha[i - 1, a]
            for b in range(n_labels):
                pairs[a, b] += value * beta[i, b]
    for a in range(n_labels):
        for b in range(n_labels):
            pairs[a, b] *= powers[a, b]
    pairs[n_labels, right[0]] -= ONE
    for i in range(1, n):
        pairs[right[i - 1], right[i]] -= ONE


@kernel
def descend_tokens(text, s, right, gradient, weights, adaptive, rate, l2, damping, mine, values):
    """Take a step for the features of a sentence; ``gradient`` has the marginals and is overwritten."""
    # Labels come before rows, which are far away in memory: so the processor fetches many of them at once.
    start, n_labels = text.starts[s], gradient.shape[1]
    rows, sums, seen, allowed, row_of = weights.rows, weights.sums, weights.seen, weights.allowed, weights.row_of
    frozen, clock = len(allowed) > 0, weights.counts[CLOCK]
    for i in range(text.lengths[s]):
        gradient[i, right[i]] -= ONE
        largest = np.float32(0.0)
        for k in range(n_labels):
            largest = max(largest, abs(gradient[i, k]))
        if largest < SURE:
            continue
        size = 0
        for t in range(len(text.place)):
            gram = text.grams[text.place[t] + start + i]
            if gram < 0:
                continue
            row = row_of[text.base[t] + gram]
            if row < 0:
                row = new_row(weights, text.base[t] + gram)
                if row < 0:
                    continue
            mine[size] = row
            values[size] = ONE if t < text.first_real else text.values[t - text.first_real, start + i]
            size += 1
        for k in range(n_labels):
            if abs(gradient[i, k]) < SURE:
                continue
            for j in range(size):
                row = mine[j]
                if frozen and not allowed[row, k]:
                    continue
                slope = values[j] * gradient[i, k]
                decay = np.float32(0.0)
                if l2 > 0.0:
                    decay = l2 * np.float32(clock - seen[row, k])
                    seen[row, k] = clock
                if adaptive:
                    sums[row, k] += slope * slope
                    step = rate / math.sqrt(sums[row, k] + damping)
                    rows[row, k] -= step * slope + min(step * decay, ONE) * rows[row, k]
                else:
                    change = -rate * slope - min(rate * decay, ONE) * rows[row, k]
                    rows[row, k] += change
                    sums[row, k] += np.float32(clock - 1) * change


@kernel
def descend_pairs(pairs, weights, adaptive, rate, l2, damping):
    """Take a step for pairs of labels, along the gradient ``pairs``."""
    for a in range(pairs.shape[0]):
        for b in range(pairs.shape[1]):
            slope = pairs[a, b] + l2 * weights.transitions[a, b]
            if adaptive:
                weights.transition_sums[a, b] += slope * slope
                weights.transitions[a, b] -= rate * slope / math.sqrt(weights.transition_sums[a, b] + damping)
            else:
                weights.transitions[a, b] -= rate * slope
                weights.transition_sums[a, b] -= np.float32(weights.counts[CLOCK] - 1) * rate * slope


@kernel
def likelihood_gradient(text, tags, token_starts, row_of, rows, transitions, costs, gradient, pair_gradient):
    """Return the summed loss of all sentences; add its gradient to the arrays (double precision)."""
    n_labels = transitions.shape[1]
    longest = longest_of(text.lengths)
    scores = np.empty((longest, n_labels))
    alpha = np.empty((longest, n_labels))
    beta = np.empty((longest, n_labels))
    powers = np.empty((n_labels + 1, n_labels))
    pairs = np.empty((n_labels + 1, n_labels))
    top = exponentials(transitions, powers)
    loss = 0.0
    for s in range(len(text.lengths)):
        n, start = text.lengths[s], text.starts[s]
        if n == 0:
            continue
        right = tags[token_starts[s] : token_starts[s] + n]
        score_sentence(text, row_of, rows, s, scores)
        add_costs(scores, right, costs)
        loss -= sequence_score(scores, transitions, right, n)
        loss += forward_backward(scores, powers, top, n, alpha, beta)
        surplus_pairs(scores, alpha, powers, beta, right, pairs)
        pair_gradient += pairs
        for i in range(n):
            scores[i, right[i]] -= 1.0
            for t in range(len(text.place)):
                gram = text.grams[text.place[t] + start + i]
                if gram < 0:
                    continue
                row = row_of[text.base[t] + gram]
                if row < 0:
                    continue
                value = 1.0
                if t >= text.first_real:
                    value = text.values[t - text.first_real, start + i]
                for k in range(n_labels):
                    gradient[row, k] += value * scores[i, k]
    return loss
