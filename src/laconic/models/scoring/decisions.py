"""From margins to labels and probabilities, by a `Calibration` where the model has one.

Two classes have one margin, for the second class; without a calibration a margin of zero goes to the first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from laconic.core.calibration import Calibration

Margins = float | NDArray[np.float64]


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
