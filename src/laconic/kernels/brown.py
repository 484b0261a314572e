r"""Greedy merging of word clusters: Brown et al. (1992) with a window of C clusters, as in Liang (2005).

Let n_ab count how often a word of cluster a stands right before one of cluster b, c_a how often words of a occur, and N
all words of the text. Of the clusters in the window the mutual information, as Liang's program has it, is

.. math:: \sum_{ab} \frac{n_{ab}}{N}\log\frac{n_{ab} N}{c_a c_b}

With φ(x) = x log x and ψ(x, y) = φ(x + y) − φ(x) − φ(y) ≥ 0, merging a and b costs, times N,

.. math:: (D_a + D_b)\log(c_a + c_b) - D_a\log c_a - D_b\log c_b - B_{ab}

where D_a is the sum of row and column a of n and
B_ab = Σ_k [ψ(n_ak, n_bk) + ψ(n_ka, n_kb)] over all other k, and φ of the sum of n_aa, n_ab, n_ba, n_bb less that of
each. Two clusters without a common neighbour have B = 0, so that counts, which are sparse, are all that B ever needs:

- ψ is concave and homogeneous, so it only grows when two clusters k become one: merging makes other losses smaller,
  and by looking at the neighbours of the smaller cluster every one that changes is found;
- a new word only makes losses larger (by a Kullback-Leibler divergence), so that old losses are bounds below new ones.

Each row i keeps the best of its pairs (i, j), j < i, with its loss, and a bound below all others. It is searched anew
only where that bound is the smallest of all. A step thus costs C times the neighbours of the cluster that goes, in
place of C².

Losses that differ by less than TIE are equal: the pair of the first row, and in it of the first j, is taken. The merged
cluster stays in the slot of the one with more neighbours, then of the lower slot; the next word enters the other.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel

TIE = 1e-7


class Window(NamedTuple):
    """The clusters at work, one slot each; slots without a cluster have the value ``inf``."""

    n: NDArray[np.int32]  # how often slot i stands before slot j
    t: NDArray[np.int32]  # the same, transposed
    benefit: NDArray[np.float64]  # B, symmetric
    often: NDArray[np.int64]  # c
    ends: NDArray[np.int64]  # D, the ends of pairs that are in the cluster
    own: NDArray[np.float64]  # D log c, what of a loss depends on one cluster
    value: NDArray[np.float64]  # of each row the loss of the pair with its partner, the best when it was last computed
    second: NDArray[np.float64]  # a bound below the losses of its other pairs
    partner: NDArray[np.int64]
    active: NDArray[np.bool_]
    root: NDArray[np.int64]  # the word that stands for the cluster
    log: NDArray[np.float64]  # of whole numbers from 0, the first being of no use


def new_window(clusters: int, log: NDArray[np.float64]) -> Window:
    """Return an empty window with room for one cluster more than that number."""
    size = clusters + 1
    return Window(
        n=np.zeros((size, size), dtype=np.int32),
        t=np.zeros((size, size), dtype=np.int32),
        benefit=np.zeros((size, size)),
        often=np.zeros(size, dtype=np.int64),
        ends=np.zeros(size, dtype=np.int64),
        own=np.zeros(size),
        value=np.full(size, np.inf),
        second=np.full(size, np.inf),
        partner=np.full(size, -1, dtype=np.int64),
        active=np.zeros(size, dtype=np.bool_),
        root=np.zeros(size, dtype=np.int64),
        log=log,
    )


class Words(NamedTuple):
    """Pairs of words in compressed rows, by first and by second word, and the forest that clusters are."""

    after: NDArray[np.int64]  # where the words behind each word start
    next: NDArray[np.int32]
    next_count: NDArray[np.int32]
    before: NDArray[np.int64]
    last: NDArray[np.int32]
    last_count: NDArray[np.int32]
    often: NDArray[np.int64]
    parent: NDArray[np.int64]  # of each word; roots are their own
    slot: NDArray[np.int64]  # of each root; -1 before a word has entered


@kernel
def phi(x, log):
    """Return x log x."""
    return x * log[x] if x < len(log) else x * math.log(x)


@kernel
def gain(x, y, log):
    """Return ψ(x, y)."""
    if x == 0 or y == 0:
        return 0.0
    return phi(x + y, log) - phi(x, log) - phi(y, log)


@kernel
def logarithm(x, log):
    """Return log x."""
    return log[x] if x < len(log) else math.log(x)


@kernel
def corner(aa, ab, ba, bb, log):
    """Return the part of B that comes from the four counts within a pair of clusters."""
    if ab == 0 and ba == 0:
        return gain(aa, bb, log)
    return phi(aa + ab + ba + bb, log) - phi(aa, log) - phi(ab, log) - phi(ba, log) - phi(bb, log)


@kernel
def loss_of(i, j, w):
    """Return what merging two clusters costs."""
    together = (w.ends[i] + w.ends[j]) * logarithm(w.often[i] + w.often[j], w.log)
    return together - w.own[i] - w.own[j] - w.benefit[i, j]


@kernel
def scan_row(i, w):
    """Find the smallest loss of a row, and of the others."""
    value, second, partner = np.inf, np.inf, -1
    for j in range(i):
        if w.active[j]:
            loss = loss_of(i, j, w)
            if loss < value - TIE:
                value, second, partner = loss, min(value, second), j
            elif loss < second:
                second = loss
    w.value[i], w.second[i], w.partner[i] = value, second, partner


@kernel
def offer(i, j, w):
    """Take in the loss of a pair that may have changed."""
    row, other = (i, j) if i > j else (j, i)
    loss = loss_of(row, other, w)
    if other == w.partner[row]:
        w.value[row] = loss
    elif loss < w.value[row]:
        w.second[row] = min(w.second[row], w.value[row])
        w.value[row], w.partner[row] = loss, other
    else:
        w.second[row] = min(w.second[row], loss)


@kernel
def enter(b, w):
    """Bring in the cluster whose counts already stand in row and column b."""
    size = len(w.active)
    w.active[b] = True
    w.ends[b] = 0
    for k in range(size):
        w.ends[b] += w.n[b, k] + w.t[b, k]
        if k != b:
            w.ends[k] += w.n[b, k] + w.t[b, k]
    w.own[b] = w.ends[b] * logarithm(w.often[b], w.log)
    row = w.benefit[b]
    row[:] = 0.0
    for k in range(size):
        if not w.active[k] or k == b:
            continue
        row[k] += corner(w.n[b, b], w.n[b, k], w.t[b, k], w.n[k, k], w.log)
    for counts, others in ((w.n, w.t), (w.t, w.n)):
        for k in range(size):
            x = counts[b, k]
            if x == 0 or k == b:
                continue
            w.own[k] = w.ends[k] * logarithm(w.often[k], w.log)
            for j in range(size):
                y = others[k, j]
                if y > 0 and j != b and j != k:
                    row[j] += gain(x, y, w.log)
        spread(counts[b], b, w)
    for j in range(size):
        w.benefit[j, b] = row[j]
    for j in range(size):
        p = w.partner[j]
        if p >= 0 and (w.n[b, p] > 0 or w.t[b, p] > 0 or w.n[b, j] > 0 or w.t[b, j] > 0):
            offer(j, p, w)
    scan_row(b, w)
    for i in range(b + 1, size):
        if w.active[i]:
            offer(i, b, w)


@kernel
def spread(counts, b, w):
    """Let a new word, of which all counts in one direction are given, be a common neighbour of its neighbours."""
    size = len(counts)
    found = np.empty(size, dtype=np.int64)
    m = 0
    for i in range(size):
        if counts[i] > 0 and i != b:
            found[m] = i
            m += 1
    for p in range(m):
        i = found[p]
        for q in range(p):
            j = found[q]
            more = gain(counts[i], counts[j], w.log)
            w.benefit[i, j] += more
            w.benefit[j, i] += more


@kernel
def join_neighbours(kept, gone, a, b, w):
    """Let a and b, with counts of one direction, be one neighbour of all others; losses can only shrink."""
    size = len(kept)
    others = np.empty(size, dtype=np.int64)
    m = 0
    for j in range(size):
        if (kept[j] > 0 or gone[j] > 0) and j != a and j != b:
            others[m] = j
            m += 1
    for p in range(m):
        i = others[p]
        y = gone[i]
        if y == 0:
            continue
        x = kept[i]
        for q in range(m):
            j = others[q]
            if j == i or (gone[j] > 0 and j > i):
                continue  # such a pair comes once, with the larger one in front
            more = gain(x + y, kept[j] + gone[j], w.log) - gain(x, kept[j], w.log) - gain(y, gone[j], w.log)
            if more != 0.0:
                w.benefit[i, j] += more
                w.benefit[j, i] += more
                offer(i, j, w)


@kernel
def merge(a, b, w):
    """Merge cluster b into a."""
    size = len(w.active)
    join_neighbours(w.t[a], w.t[b], a, b, w)
    join_neighbours(w.n[a], w.n[b], a, b, w)
    row = w.benefit[a]
    together = w.n[a, a] + w.n[a, b] + w.n[b, a] + w.n[b, b]
    for j in range(size):
        if not w.active[j] or j in (a, b):
            continue
        row[j] -= corner(w.n[a, a], w.n[a, j], w.t[a, j], w.n[j, j], w.log)
        row[j] -= gain(w.n[a, b], w.t[b, j], w.log) + gain(w.t[a, b], w.n[b, j], w.log)
        row[j] += corner(together, w.n[a, j] + w.n[b, j], w.t[a, j] + w.t[b, j], w.n[j, j], w.log)
    for counts, others in ((w.n, w.t), (w.t, w.n)):
        for k in range(size):
            y = counts[b, k]
            if y == 0 or k in (a, b):
                continue
            x = counts[a, k]
            for j in range(size):
                z = others[k, j]
                if z > 0 and j != a and j != b and j != k:
                    row[j] += gain(x + y, z, w.log) - gain(x, z, w.log)
    for counts in (w.n, w.t):
        for k in range(size):
            counts[a, k] += counts[b, k]
            counts[b, k] = 0
        for k in range(size):
            counts[k, a] += counts[k, b]
            counts[k, b] = 0
    w.often[a] += w.often[b]
    w.ends[a] += w.ends[b]
    w.active[b], w.value[b], w.second[b], w.partner[b] = False, np.inf, np.inf, -1
    w.own[a] = w.ends[a] * logarithm(w.often[a], w.log)
    for j in range(size):
        w.benefit[j, a] = row[j]
        if w.partner[j] == b:
            w.value[j], w.partner[j] = np.inf, -1
    scan_row(a, w)
    for i in range(a + 1, size):
        if w.active[i]:
            offer(i, a, w)


@kernel
def merge_best(w):
    """Merge the pair of the smallest loss and return the slot that is kept and the one that is free now."""
    size = len(w.active)
    while True:
        i, least = -1, np.inf
        for row in range(size):
            bound = min(w.value[row], w.second[row])
            if bound < least - TIE:
                i, least = row, bound
        if w.value[i] <= w.second[i] + TIE:
            break
        scan_row(i, w)
    scan_row(i, w)  # of equal pairs the first, whichever was offered first
    j = w.partner[i]
    more = 0
    for k in range(size):
        more += (w.n[i, k] > 0) + (w.t[i, k] > 0) - (w.n[j, k] > 0) - (w.t[j, k] > 0)
    a, b = (i, j) if more > 0 else (j, i)
    merge(a, b, w)
    return a, b


@kernel
def slot_of(word, words):
    """Return the slot of the cluster of a word, or -1."""
    parent = words.parent
    while parent[word] != word:
        parent[word] = parent[parent[word]]
        word = parent[word]
    return words.slot[word]


@kernel
def cluster_words(first, last, free, w, words):
    """Let words ``first`` to ``last`` − 1 enter at slot ``free``, merging when all are full; return the free slot."""
    for word in range(first, last):
        words.slot[word] = free
        w.root[free] = word
        w.often[free] = words.often[word]
        for e in range(words.after[word], words.after[word + 1]):
            k = slot_of(words.next[e], words)
            if k >= 0:
                w.n[free, k] += words.next_count[e]
                w.t[k, free] += words.next_count[e]
        for e in range(words.before[word], words.before[word + 1]):
            k = slot_of(words.last[e], words)
            if k >= 0 and k != free:  # a word behind itself was counted above
                w.n[k, free] += words.last_count[e]
                w.t[free, k] += words.last_count[e]
        enter(free, w)
        if word + 1 < len(w.active):
            free = word + 1
            continue
        a, free = merge_best(w)
        words.parent[w.root[free]] = w.root[a]
        words.slot[w.root[free]] = -1
    return free


@kernel
def merge_rest(first, last, pairs, w):
    """Write into some rows of `pairs` which slots are merged next, the kept one first."""
    for step in range(first, last):
        pairs[step, 0], pairs[step, 1] = merge_best(w)
