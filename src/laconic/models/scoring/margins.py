"""From the features of one document to its margins, looking only at the words the model kept.

Two classes need one number per document: a sum of look-ups, exactly rounded (``math.fsum``), so that neither the order
of a set nor the Python version matters. More classes add rows of the weight matrix, in the order of the columns or of
the text. tf-idf first weighs every known word, because the length of the row depends on all of them.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from operator import mul

import numpy as np
from numpy.typing import NDArray

from laconic.models.scoring.linear_text import LinearText

Margins = Callable[[Sequence[str]], float | NDArray[np.float64]]


def margin_function(model: LinearText) -> Margins:
    """Return a function from a document's features to its margins: a float for one output, else an array."""
    if model.cells == "tfidf":
        return _tfidf(model)
    return _sum(model) if len(model.outputs) == 1 else _rows(model)


def cells(model: LinearText, features: Sequence[str]) -> dict[str, float]:
    """Return the feature values of a document: each word of the model's vocabulary in it, sorted, and its value."""
    counts = Counter(filter(model.vocabulary.index.__contains__, features))
    words = sorted(counts)
    if model.cells == "binary":
        return dict.fromkeys(words, 1.0)
    if model.cells == "count":
        return {word: float(counts[word]) for word in words}
    idf = model.vocabulary.inverse_document_frequency
    index = model.vocabulary.index
    values = [counts[word] * idf[index[word]] for word in words]
    length = math.sqrt(math.fsum(value * value for value in values))
    return {word: float(value / length) for word, value in zip(words, values, strict=True)}


def _sum(model: LinearText) -> Margins:
    weight = dict(zip(model.words, model.weights[:, 0].tolist(), strict=True))
    known, look_up = frozenset(weight), weight.__getitem__
    intercept, fsum = float(model.intercept[0]), math.fsum
    if model.cells == "binary":
        return lambda features: intercept + fsum(map(look_up, known.intersection(features)))
    return lambda features: intercept + fsum(map(look_up, filter(known.__contains__, features)))


def _rows(model: LinearText) -> Margins:
    index = {word: row for row, word in enumerate(model.words)}
    known, look_up = frozenset(index), index.__getitem__
    intercept, take = model.intercept, model.weights.take
    if model.cells == "binary":
        return lambda features: intercept + _added(take, sorted(map(look_up, known.intersection(features))))
    return lambda features: intercept + _added(take, list(map(look_up, filter(known.__contains__, features))))


def _added(take: Callable, rows: list[int]) -> NDArray[np.float64] | float:
    return take(rows, axis=0).sum(axis=0) if rows else 0.0


def _tfidf(model: LinearText) -> Margins:
    """Divide once by the length of the row: Σ_j count_j · idf_j · w_j / ‖count · idf‖."""
    idf = dict(zip(model.vocabulary.words, model.vocabulary.inverse_document_frequency.tolist(), strict=True))
    row = {word: number for number, word in enumerate(model.words)}
    known, intercept, weights = frozenset(idf), model.intercept, model.weights

    def margins(features: Sequence[str]) -> float | NDArray[np.float64]:
        counts = Counter(filter(known.__contains__, features))
        values = dict(zip(counts, map(mul, counts.values(), map(idf.__getitem__, counts)), strict=True))
        length = math.sqrt(math.fsum(map(mul, values.values(), values.values()))) or 1.0  # no known word: no row
        kept = list(filter(row.__contains__, values))
        cells = np.array([values[word] for word in kept]) / length
        rows = np.array([row[word] for word in kept], dtype=np.intp)
        found = intercept + (cells[:, None] * weights[rows]).sum(axis=0)
        return float(found[0]) if len(found) == 1 else found

    return margins
