"""Features of arcs on dictionaries, the slow twin of the kernels."""

from collections import Counter

import numpy as np

from laconic.structured.parsing.estimator import read_arcs
from laconic.structured.parsing.extraction import extract_arcs
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.templates import compile_arcs
from tests.structured.trees import planted_trees

TEMPLATES = [
    "head.pos", "head.pos & direction", "mod.word & direction & distance", "head.pos & mod.pos",
    "head.pos & mod.pos & distance", "head.pos & mod.pos & direction", "head.pos & mod.pos & direction & distance",
    "head.word & mod.pos[-1..0]", "head.pos[1] & mod.suffix3 & distance", "between.pos",
    "head.pos & mod.pos & between.pos & direction",
]  # fmt: skip


def planted_heads(n=12, seed=0):
    sentences, trees = planted_trees(n, seed)
    return sentences, read_arcs(trees, sentences)[0]


def arcs_of(sentences, heads, templates=TEMPLATES):
    return extract_arcs(sentences, compile_arcs(resolve_arcs(templates)), heads)


def features(sentence, h, m, templates):
    """(template, values) of an arc, as many times as they occur."""
    n = len(sentence["word"])
    cut = {"suffix3": ("word", lambda word: word[-3:])}

    def value(column, i):
        if not 0 <= i <= n:
            return "⊥"
        if i == 0:
            return "⊤"
        source, function = cut.get(column, (column, str))
        return function(sentence[source][i - 1])

    distance = abs(h - m)
    bin_ = next(k for k, top in enumerate([1, 2, 3, 4, 5, 10, 20, 10**9]) if distance <= top)
    for one in templates:
        values, many = [], [()]
        for cell in one.base:
            if cell.side == "between":
                many = [(x,) for x in sorted({value(cell.column, i) for i in range(min(h, m) + 1, max(h, m))})]
            else:
                values.append(value(cell.column, (h if cell.side == "head" else m) + cell.offset))
        flags = (m > h,) * one.direction + (bin_,) * one.distance
        for extra in many:
            yield str(one), (*values, *extra, *flags)


def tree_counts(sentence, heads, templates):
    found = Counter()
    for m, h in enumerate(heads.tolist(), 1):
        found.update(features(sentence, h, m, templates))
    return found


def slow_scores(sentence, weights, templates):
    n = len(sentence["word"])
    scores = np.zeros((n + 1, n + 1))
    for h in range(n + 1):
        for m in range(1, n + 1):
            if h != m:
                scores[h, m] = sum(weights.get(one, 0.0) for one in features(sentence, h, m, templates))
    return scores
