"""Score against words: the best sparse model of at most 25, 50, … words, from the majority to a weight for every word.

Every point is compared with the model that was chosen, by the differences of their scores on the same folds (or parts
of a dev set): a fold that is hard for one is hard for the other, so that the interval of the difference is narrower
than those of the two scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from laconic.core.summaries.comparison import Contender
from laconic.data.corpus import Corpus
from laconic.evaluate.tuning.candidates import pick
from laconic.models.folder.estimator import finite
from laconic.models.search.contenders import contender
from laconic.models.search.recipe import SPARSE, Recipe
from laconic.models.search.tried import OneLabel, Tried, gain, goodness

SIZES = (25, 50, 100, 200, 500, 1000)


def frontier(
    tried: Mapping[str, Sequence[Tried]], chosen: Tried, majority: Tried, metric: str
) -> tuple[Contender, ...]:
    """Return the majority, the best sparse model of each size, the chosen one, and the best of each other method."""
    sparse = [one for one in chain.from_iterable(tried[method] for method in tried if method in SPARSE) if one.words]
    limits = [limit for limit in SIZES if any(one.words <= limit for one in sparse)]
    best = [sparse[pick(sparse, metric, "best", limit).best] for limit in [*limits, *[None] * bool(sparse)]]
    ceilings = [own[pick(own, metric, "best").best] for method, own in tried.items() if method not in SPARSE]
    different = {id(one): one for one in (*best, chosen, *ceilings)}
    ordered = [majority, *sorted(different.values(), key=lambda one: one.words)]
    return tuple(_point(one, chosen, metric) for one in ordered)


def majority_on(test: Corpus, counts: Mapping[Any, int], recipe: Recipe) -> float:
    """Return the score on test documents of always answering the most frequent class of the training documents."""
    codes = np.searchsorted(np.array(list(counts)), np.array(test.labels))
    return OneLabel(recipe, codes, len(counts), np.zeros_like(codes), on_dev=True).majority(counts).mean


def _point(one: Tried, chosen: Tried, metric: str) -> Contender:
    difference = goodness(metric, one.mean) - goodness(metric, chosen.mean)
    return replace(contender(one), gain=difference, half=finite(gain(one, chosen, metric).half), chosen=one is chosen)
