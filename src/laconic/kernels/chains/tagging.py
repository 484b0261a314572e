"""Taggers over interned features: scores of a sentence, and one pass of each learner.

A feature is a template with what it found. Template t reads ``grams[place[t] + position]``, the number of a pattern at
a shifted position, and its features are ``base[t] + gram``. A feature gets a row of weights, one a label, when a
learner first touches it; ``row_of`` is −1 before that. Templates from ``first_real`` on carry numbers.

A learner stops before a sentence for which there might not be enough free rows and returns its place in the order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.chains.chain import best_path, exponentials, forward_backward, sequence_score

PERCEPTRON, SVM, MIRA = range(3)
SURE = np.float32(1e-3)  # gradients of a label at a token below this are left out
USED, CLOCK = range(2)
IMPOSSIBLE = np.float32(-1e30)


class Text(NamedTuple):
    """Sentences as the kernels see them."""

    grams: NDArray[np.int32]
    place: NDArray[np.int64]
    base: NDArray[np.int64]
    first_real: int
    values: NDArray[np.float32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]


class Weights(NamedTuple):
    """Weights with room to grow: ``counts`` has rows in use and examples seen, ``seen`` when each was last touched."""

    # ``sums`` hold Σ time · change, of AdaGrad Σ gradient²; ``allowed``, unless without rows, says which may change.

    row_of: NDArray[np.int32]
    rows: NDArray[np.float32]
    sums: NDArray[np.float32]
    feature_of: NDArray[np.int64]
    seen: NDArray[np.int32]
    allowed: NDArray[np.bool_]
    transitions: NDArray[np.float32]
    transition_sums: NDArray[np.float32]
    counts: NDArray[np.int64]


@kernel
def longest_of(lengths):
    """Return the largest length, at least 1."""
    longest = 1
    for length in lengths:
        longest = max(longest, length)
    return longest


@kernel
def score_sentence(text, row_of, rows, s, scores):
    """Write the scores of all labels at all tokens of sentence ``s`` into ``scores``."""
    start, n_labels = text.starts[s], scores.shape[1]
    for i in range(text.lengths[s]):
        for k in range(n_labels):
            scores[i, k] = 0.0
        for t in range(len(text.place)):
            gram = text.grams[text.place[t] + start + i]
            if gram < 0:
                continue
            row = row_of[text.base[t] + gram]
            if row < 0:
                continue
            if t < text.first_real:
                for k in range(n_labels):
                    scores[i, k] += rows[row, k]
            else:
                value = text.values[t - text.first_real, start + i]
                for k in range(n_labels):
                    scores[i, k] += value * rows[row, k]


@kernel
def decode_all(text, row_of, rows, transitions, given, out):
    """Write the best labels of all sentences into ``out``; ``given`` is empty or has each token's label, −1 for any."""
    longest, n_labels = longest_of(text.lengths), transitions.shape[1]
    scores = np.empty((longest, n_labels), dtype=np.float32)
    best = np.empty((longest, n_labels), dtype=np.float32)
    back = np.zeros((longest, n_labels), dtype=np.int32)
    at = 0
    for s in range(len(text.lengths)):
        n = text.lengths[s]
        if n == 0:
            continue
        score_sentence(text, row_of, rows, s, scores)
        if len(given) > 0:
            for i in range(n):
                if given[at + i] >= 0:
                    for k in range(n_labels):
                        if k != given[at + i]:
                            scores[i, k] = IMPOSSIBLE
        best_path(scores, transitions, n, best, back, out[at : at + n])
        at += n


@kernel
def new_row(weights, feature):
    """Return a new row for a feature that the caller knows to have none, or −1 if no weights may be added."""
    if len(weights.allowed) > 0:
        return -1
    row = weights.counts[USED]
    weights.counts[USED] += 1
    weights.row_of[feature] = row
    weights.feature_of[row] = feature
    return row


@kernel
def add_costs(scores, right, costs):
    """Add to the scores of all wrong labels what a wrong token costs, by its right label."""
    for i in range(len(right)):
        cost = costs[right[i]]
        for k in range(scores.shape[1]):
            if k != right[i]:
                scores[i, k] += cost


@kernel
def learn_by_margin(text, tags, token_starts, order, begin, end, weights, costs, rule, step, cap):
    """Decode sentences ``order[begin:end]`` (a wrong label k adds ``costs[k]``) and, where wrong, move towards the
    right labels by ``step``, for MIRA by the violation over the squared length of the change, at most ``cap``."""
    n_labels = weights.transitions.shape[1]
    longest = longest_of(text.lengths[order[begin:end]])
    n_templates = len(text.place)
    scores = np.empty((longest, n_labels), dtype=np.float32)
    best = np.empty((longest, n_labels), dtype=np.float32)
    back = np.zeros((longest, n_labels), dtype=np.int32)
    path = np.empty(longest, dtype=np.int64)
    size = 64
    while size < 4 * n_templates * longest:
        size *= 2
    keys = np.full(size if rule == MIRA else 1, -1, dtype=np.int64)
    counts = np.zeros(len(keys), dtype=np.float32)
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
        top = best_path(scores, weights.transitions, n, best, back, path)
        wrong, cost = 0, 0.0
        for i in range(n):
            if path[i] != right[i]:
                wrong += 1
                cost += costs[right[i]]
        if wrong == 0:
            continue
        size_of_step = step
        if rule == MIRA:
            violation = top - sequence_score(scores, weights.transitions, right, n)
            if costs.max() == 0.0:
                violation += wrong
            length = squared_change(text, s, right, path, wrong, weights, keys, counts)
            if length == 0.0:
                continue
            size_of_step = min(cap, violation / length)
        clock = np.float32(weights.counts[CLOCK] - 1)
        move(text, s, right, path, weights, np.float32(size_of_step), clock)
    return end


@kernel
def mark_observed(text, tags, token_starts, weights):
    """Set the weights of all features with the labels they occur with to 1."""
    for s in range(len(text.lengths)):
        start = text.starts[s]
        for i in range(text.lengths[s]):
            for t in range(len(text.place)):
                gram = text.grams[text.place[t] + start + i]
                if gram < 0:
                    continue
                row = weights.row_of[text.base[t] + gram]
                if row < 0:
                    row = new_row(weights, text.base[t] + gram)
                weights.rows[row, tags[token_starts[s] + i]] = 1.0


@kernel
def move(text, s, right, path, weights, step, clock):
    """Add ``step`` times (features of the right labels − features of ``path``) to the weights."""
    start, n_labels = text.starts[s], weights.transitions.shape[1]
    frozen = len(weights.allowed) > 0
    for i in range(text.lengths[s]):
        good, bad = right[i], path[i]
        before_good = right[i - 1] if i else n_labels
        before_bad = path[i - 1] if i else n_labels
        if good != bad or before_good != before_bad:
            weights.transitions[before_good, good] += step
            weights.transition_sums[before_good, good] += clock * step
            weights.transitions[before_bad, bad] -= step
            weights.transition_sums[before_bad, bad] -= clock * step
        if good == bad:
            continue
        for t in range(len(text.place)):
            gram = text.grams[text.place[t] + start + i]
            if gram < 0:
                continue
            row = weights.row_of[text.base[t] + gram]
            if row < 0:
                row = new_row(weights, text.base[t] + gram)
                if row < 0:
                    continue
            change = step
            if t >= text.first_real:
                change *= text.values[t - text.first_real, start + i]
            if not frozen or weights.allowed[row, good]:
                weights.rows[row, good] += change
                weights.sums[row, good] += clock * change
            if not frozen or weights.allowed[row, bad]:
                weights.rows[row, bad] -= change
                weights.sums[row, bad] -= clock * change


@kernel
def squared_change(text, s, right, path, wrong, weights, keys, counts):
    """Return the squared length of (features of the right labels − features of ``path``), scratch left clean."""
    # Only as much scratch is used as ``wrong`` labels ask for, which stays close to the processor.
    start, n_labels = text.starts[s], weights.transitions.shape[1]
    frozen = len(weights.allowed) > 0
    size = 64
    while size < 4 * len(text.place) * wrong:
        size *= 2
    mask = size - 1
    total = 0.0
    used = np.empty(size // 2, dtype=np.int64)
    n_used = 0
    for i in range(text.lengths[s]):
        good, bad = right[i], path[i]
        if good == bad:
            continue
        for t in range(len(text.place)):
            gram = text.grams[text.place[t] + start + i]
            if gram < 0:
                continue
            feature = text.base[t] + gram
            row = weights.row_of[feature]
            if frozen and row < 0:
                continue
            value = np.float32(1.0)
            if t >= text.first_real:
                value = text.values[t - text.first_real, start + i]
            for side in range(2):
                label = good if side == 0 else bad
                if frozen and not weights.allowed[row, label]:
                    continue
                key = feature * n_labels + label
                slot = (key * 0x9E3779B97F4A7 >> 17) & mask
                while keys[slot] != -1 and keys[slot] != key:
                    slot = (slot + 1) & mask
                if keys[slot] == -1:
                    keys[slot] = key
                    used[n_used] = slot
                    n_used += 1
                counts[slot] += value if side == 0 else -value
    for j in range(n_used):
        total += counts[used[j]] ** 2
        counts[used[j]] = 0.0
        keys[used[j]] = -1
    return total + squared_transitions(right, path, text.lengths[s], n_labels)


@kernel
def squared_transitions(right, path, n, n_labels):
    """Return the squared length of the change in counts of label pairs."""
    pairs = np.zeros((n_labels + 1, n_labels), dtype=np.float32)
    total = 0.0
    for i in range(n):
        pairs[right[i - 1] if i else n_labels, right[i]] += 1
        pairs[path[i - 1] if i else n_labels, path[i]] -= 1
    for i in range(n):
        for labels in (right, path):
            a, b = (labels[i - 1] if i else n_labels), labels[i]
            total += pairs[a, b] ** 2
            pairs[a, b] = 0.0
    return total


LOWEST = np.float32(-3e38)


@kernel
def marginals_all(text, row_of, rows, transitions, out):
    """Write the probability of each label at each token into ``out``, sentences one after another."""
    longest, n_labels = longest_of(text.lengths), transitions.shape[1]
    scores = np.empty((longest, n_labels), dtype=np.float32)
    alpha = np.empty((longest, n_labels), dtype=np.float32)
    beta = np.empty((longest, n_labels), dtype=np.float32)
    powers = np.empty((n_labels + 1, n_labels), dtype=np.float32)
    top = exponentials(transitions, powers)
    at = 0
    for s in range(len(text.lengths)):
        n = text.lengths[s]
        if n == 0:
            continue
        score_sentence(text, row_of, rows, s, scores)
        forward_backward(scores, powers, top, n, alpha, beta)
        out[at : at + n] = scores[:n]
        at += n


@kernel
def n_best_paths(scores, transitions, paths, totals):
    """Write the best paths of a sentence, one a row of ``paths``, and their scores; return how many there are."""
    n, n_labels = scores.shape
    size = len(paths)
    best = np.full((n, n_labels, size), LOWEST, dtype=np.float32)
    back = np.zeros((n, n_labels, size), dtype=np.int32)
    rank = np.zeros((n, n_labels, size), dtype=np.int32)
    for b in range(n_labels):
        best[0, b, 0] = scores[0, b] + transitions[n_labels, b]
    used = np.zeros(n_labels, dtype=np.int32)
    for i in range(1, n):
        for b in range(n_labels):
            used[:] = 0
            for k in range(size):  # the lists of all labels before are sorted: merge them
                from_label = -1
                highest = LOWEST
                for a in range(n_labels):
                    if used[a] < size and best[i - 1, a, used[a]] > LOWEST:
                        value = best[i - 1, a, used[a]] + transitions[a, b]
                        if from_label < 0 or value > highest:
                            from_label, highest = a, value
                if from_label < 0:
                    break
                best[i, b, k] = highest + scores[i, b]
                back[i, b, k] = from_label
                rank[i, b, k] = used[from_label]
                used[from_label] += 1
    used[:] = 0
    for k in range(size):
        label = -1
        for b in range(n_labels):
            if used[b] == size or best[n - 1, b, used[b]] == LOWEST:
                continue
            if label < 0 or best[n - 1, b, used[b]] > best[n - 1, label, used[label]]:
                label = b
        if label < 0:
            return k
        at = used[label]
        used[label] += 1
        totals[k] = best[n - 1, label, at]
        for i in range(n - 1, -1, -1):
            paths[k, i] = label
            label, at = back[i, label, at], rank[i, label, at]
    return size
