"""Score against words: the best sparse model of at most 25, 50, … words, from the majority to a weight for every word.

Every point is compared with the model that was chosen, by the differences of their scores on the same folds (or parts
of a dev set): a fold that is hard for one is hard for the other, so that the interval of the difference is narrower
than those of the two scores.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from laconic.core.summaries.comparison import FrontierPoint
from laconic.data.corpus import Corpus
from laconic.evaluate.tuning.candidates import pick
from laconic.models.search.recipe import SPARSE, Recipe
from laconic.models.search.tried import OneLabel, Tried, gain, goodness

SIZES = (25, 50, 100, 200, 500, 1000)


def frontier(
    tried: Mapping[str, Sequence[Tried]], chosen: Tried, majority: Tried, metric: str
) -> tuple[FrontierPoint, ...]:
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


def _point(one: Tried, chosen: Tried, metric: str) -> FrontierPoint:
    return FrontierPoint(
        method=one.method,
        words=one.words,
        score=one.mean,
        error=one.standard_error,
        also=one.also,
        gain=goodness(metric, one.mean) - goodness(metric, chosen.mean),
        half=gain(one, chosen, metric).half,
        chosen=one is chosen,
    )
