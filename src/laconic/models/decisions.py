"""From margins to labels and probabilities.

Two classes have one margin, for the second class; a margin of zero goes to the first.
"""

import math

import numpy as np
from numpy.typing import NDArray


def probabilities(margins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return class probabilities, one row per document, from margins of shape (n,) or (n, n_classes).

    Examples
    --------
    >>> probabilities(np.zeros(1))
    array([[0.5, 0.5]])
    """
    from laconic.core.losses import softmax  # only here: loading a model must stay light

    if margins.ndim == 1:
        margins = np.column_stack([np.zeros_like(margins), margins])
    return softmax(margins)


def most_likely(margins: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the number of the predicted class of each document, from margins of shape (n,) or (n, n_classes).

    Examples
    --------
    >>> most_likely(np.array([-1.0, 0.0, 2.0]))
    array([0, 0, 1])
    """
    return (margins > 0).astype(np.intp) if margins.ndim == 1 else margins.argmax(axis=1)


def log_probability(margins: float | NDArray[np.float64], number: int) -> float:
    """Return the logarithm of the probability of one class (by its number), from the margins of a single document.

    Examples
    --------
    >>> log_probability(-1000.0, 1)
    -1000.0
    """
    every = np.array([0.0, margins]) if isinstance(margins, float) else margins
    return float(every[number] - np.logaddexp.reduce(every))


def log_odds(margins: float | NDArray[np.float64], number: int) -> float:
    """Return log P / (1 − P) of one class (by its number), from the margins of a single document.

    Examples
    --------
    >>> log_odds(-2.0, 0)
    2.0
    """
    every = np.array([0.0, margins]) if isinstance(margins, float) else margins
    return float(every[number] - np.logaddexp.reduce(np.delete(every, number)))


def decide(margins: float | NDArray[np.float64]) -> tuple[int, tuple[float, ...]]:
    """Return the number of the predicted class and the probabilities, from the margins of a single document.

    Examples
    --------
    >>> decide(0.0)
    (0, (0.5, 0.5))
    """
    if not isinstance(margins, float):
        return int(margins.argmax()), tuple(probabilities(margins[None])[0].tolist())
    odds = math.exp(-abs(margins))
    larger, smaller = 1.0 / (1.0 + odds), odds / (1.0 + odds)
    return (1, (smaller, larger)) if margins > 0 else (0, (larger, smaller))
