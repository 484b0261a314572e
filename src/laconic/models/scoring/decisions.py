"""From features to margins, and from these to labels and probabilities, by a `Calibration` where the model has one.

Two classes have one margin, for the second class; without a calibration a margin of zero goes to the first.

Only the words that the model kept are looked at. Two classes need one number per document: a sum of look-ups, exactly
rounded (``math.fsum``), so that neither the order of a set nor the Python version matters. More classes add rows of the
weight matrix, in the order of the columns or of the text. tf-idf first weighs every known word, because the length of
the row depends on all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from operator import mul
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from laconic.core.calibration import Calibration
    from laconic.models.scoring.linear_text import LinearText

Margins = float | NDArray[np.float64]
MarginFunction = Callable[[Sequence[str]], Margins]


def probabilities(margins: NDArray[np.float64], calibration: Calibration | None = None) -> NDArray[np.float64]:
    """Return class probabilities, one row per document, from margins of shape (n,) or (n, n_classes)."""
    if calibration is not None:
        return calibration.probabilities(margins)
    from laconic.core.losses import softmax  # only here: loading a model must stay light

    if margins.ndim == 1:
        margins = np.column_stack([np.zeros_like(margins), margins])
    return softmax(margins)


def most_likely(margins: NDArray[np.float64], calibration: Calibration | None = None) -> NDArray[np.intp]:
    """Return the number of each document's predicted class, −1 where none of a calibration's thresholds is reached."""
    if calibration is not None:
        return calibration.choose(calibration.probabilities(margins))
    return (margins > 0).astype(np.intp) if margins.ndim == 1 else margins.argmax(axis=1)


def explained(margins: NDArray[np.float64], calibration: Calibration | None = None) -> int:
    """Return the class to explain of a single document: the predicted one, else the most likely."""
    number = int(most_likely(margins, calibration)[0])
    return number if number >= 0 else int(probabilities(margins, calibration)[0].argmax())


def named(classes: NDArray, numbers: NDArray[np.intp]) -> NDArray:
    """Return the labels of class numbers; an array of objects with None in it if some document has no label."""
    labels = classes[numbers]
    if (numbers < 0).any():
        labels = np.array(labels.tolist(), dtype=object)
        labels[numbers < 0] = None
    return labels


def log_probability(margins: Margins, number: int, calibration: Calibration | None = None) -> float:
    """Return the logarithm of the probability of one class (by its number), from the margins of one document."""
    if calibration is not None:
        return math.log(max(calibration.probabilities(np.array([margins]))[0, number], 1e-300))
    every = np.array([0.0, margins]) if isinstance(margins, float) else margins
    return float(every[number] - np.logaddexp.reduce(every))


def log_odds(margins: Margins, number: int, calibration: Calibration | None = None) -> float:
    """Return log P / (1 − P) of one class (by its number), from the margins of a single document."""
    if calibration is not None:
        share = float(calibration.probabilities(np.array([margins]))[0, number])
        return math.log(max(share, 1e-300)) - math.log(max(1.0 - share, 1e-300))
    every = np.array([0.0, margins]) if isinstance(margins, float) else margins
    return float(every[number] - np.logaddexp.reduce(np.delete(every, number)))


def decide(margins: Margins, calibration: Calibration | None = None) -> tuple[int, tuple[float, ...]]:
    """Return the number of the predicted class and the probabilities, from the margins of a single document."""
    if calibration is not None:
        shares = calibration.probabilities(np.array([margins]))
        return int(calibration.choose(shares)[0]), tuple(shares[0].tolist())
    if not isinstance(margins, float):
        return int(margins.argmax()), tuple(probabilities(margins[None])[0].tolist())
    odds = math.exp(-abs(margins))
    larger, smaller = 1.0 / (1.0 + odds), odds / (1.0 + odds)
    return (1, (smaller, larger)) if margins > 0 else (0, (larger, smaller))


def margin_function(model: LinearText) -> MarginFunction:
    """Return a function from a document's features to its margins: a float for one output, else an array."""
    if model.cells == "tfidf":
        return _tfidf(model)
    if len(model.outputs) > 1:
        return _rows(model)
    weight = dict(zip(model.words, model.weights[:, 0].tolist(), strict=True))
    known, look_up = frozenset(weight), weight.__getitem__
    intercept, fsum = float(model.intercept[0]), math.fsum
    if model.cells == "binary":
        return lambda features: intercept + fsum(map(look_up, known.intersection(features)))
    return lambda features: intercept + fsum(map(look_up, filter(known.__contains__, features)))


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


def _rows(model: LinearText) -> MarginFunction:
    index = {word: row for row, word in enumerate(model.words)}
    known, look_up = frozenset(index), index.__getitem__
    intercept, take = model.intercept, model.weights.take
    if model.cells == "binary":
        return lambda features: intercept + _added(take, sorted(map(look_up, known.intersection(features))))
    return lambda features: intercept + _added(take, list(map(look_up, filter(known.__contains__, features))))


def _added(take: Callable, rows: list[int]) -> NDArray[np.float64] | float:
    return take(rows, axis=0).sum(axis=0) if rows else 0.0


def _tfidf(model: LinearText) -> MarginFunction:
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
