"""More than the best path: the n best paths of a sentence, and the marginals of all sentences."""

import numpy as np

from laconic.kernels._compile import kernel
from laconic.kernels.chains.chain import exponentials, forward_backward
from laconic.kernels.chains.tagging import longest_of, score_sentence

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
