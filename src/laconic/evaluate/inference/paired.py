"""Paired tests: is one model better than another on the same documents, or does it only look so?

Only documents that exactly one of two models classifies correctly count: k of them for the first model and n − k for
the second. If neither is better, k is binomial with n trials of probability ½.

- `sign_test`: P(K ≥ k), one-sided: the micro sign test of Yang and Liu, *A re-examination of text categorization
  methods* (SIGIR 1999), which the papers report.
- `mcnemar`: min(1, 2·P(K ≥ max(k, n − k))), two-sided: McNemar's test (*Psychometrika* 1947) in its exact form.
- `holm`: p-values of many comparisons, adjusted so that the chance of any false claim among them stays below the level
  (Holm, *Scandinavian Journal of Statistics* 1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.evaluate.metrics.scores import as_labels, check_same_kind, given_labels


@dataclass(frozen=True)
class PairedTest:
    """The result of a paired test.

    Attributes
    ----------
    wins : int
        Documents that only the first model classifies correctly.
    losses : int
        Documents that only the second classifies correctly.
    p_value : float
        1 where no document distinguishes the models.

    Examples
    --------
    >>> PairedTest(wins=3, losses=1, p_value=0.3125).wins
    3
    """

    wins: int
    losses: int
    p_value: float


def sign_test(y_true: Any, first: Any, second: Any) -> PairedTest:
    """Test whether the first model is better than the second, by the one-sided micro sign test.

    Parameters
    ----------
    y_true : sequence of labels
    first, second : sequence of labels
        Predictions of the two models for the same documents.

    Examples
    --------
    >>> sign_test([1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 0])
    PairedTest(wins=3, losses=1, p_value=0.3125)
    """
    wins, losses = _discordant(y_true, first, second)
    return PairedTest(wins, losses, _upper_tail(wins, wins + losses))


def mcnemar(y_true: Any, first: Any, second: Any) -> PairedTest:
    """Test whether two models differ, by the exact two-sided McNemar test.

    The parameters are those of `sign_test`.

    Examples
    --------
    >>> mcnemar([1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 0]).p_value
    0.625
    """
    wins, losses = _discordant(y_true, first, second)
    return PairedTest(wins, losses, min(1.0, 2.0 * _upper_tail(max(wins, losses), wins + losses)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values, between 0 and 1, adjusted for multiple comparisons, in the order given.

    The i-th smallest of m becomes max over j ≤ i of min(1, (m − j + 1)·p_(j)).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not np.all((values >= 0.0) & (values <= 1.0)):
        raise ValueError(f"p-values are between 0 and 1, got {list(p_values)!r}.")
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1.0, values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted.tolist()


def aligned_labels(y_true: Any, *predictions: Any) -> tuple[np.ndarray, ...]:
    """Return true and predicted labels as arrays of one length; None becomes a label that is never true."""
    truth = as_labels(y_true, "y_true")
    aligned = [truth]
    for number, predicted in enumerate(predictions, 1):
        name = f"model {number}"
        labels = _given(predicted, f"the predictions of {name}", (y_true, *predictions))
        if len(labels) != len(truth):
            raise ValueError(f"There are {len(truth)} true labels but {len(labels)} predictions of {name}.")
        check_same_kind(truth, labels, name)
        aligned.append(labels)
    return tuple(aligned)


def _given(labels: Any, name: str, everything: tuple[Any, ...]) -> np.ndarray:
    if not hasattr(labels, "__len__") or isinstance(labels, str) or not any(label is None for label in labels):
        return as_labels(labels, name)
    known = as_labels([label for each in everything for label in each if label is not None], name)
    return given_labels(labels, known, name)[0]


def _discordant(y_true: Any, first: Any, second: Any) -> tuple[int, int]:
    truth, predicted, other = aligned_labels(y_true, first, second)
    right, other_right = predicted == truth, other == truth
    return int(np.sum(right & ~other_right)), int(np.sum(~right & other_right))


def _upper_tail(k: int, n: int) -> float:
    """Return P(K ≥ k) for K binomial with n trials of probability ½."""
    from scipy.stats import binom

    return float(binom.sf(k - 1, n, 0.5)) if n else 1.0
