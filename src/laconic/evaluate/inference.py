r"""`compare`: several models on the same documents, each against the first, with paired tests and intervals.

Intervals are bootstrap percentiles (Efron and Tibshirani 1993, chapter 13). Documents are drawn with replacement. A
metric of labels depends only on how often each combination of true and predicted labels occurs in a sample, so these
counts are drawn from a multinomial: the same, but fast. For a difference the combinations are of the true label and the
predictions of both models, which keeps the pairing.

Paired tests say whether one model is better than another or only looks so: only documents that exactly one of two
models classifies correctly count: k of them for the first model and n − k for the second. If neither is better, k is
binomial with n trials of probability ½.

- `sign_test`: P(K ≥ k), one-sided: the micro sign test of Yang and Liu, *A re-examination of text categorization
  methods* (SIGIR 1999), which the papers report.
- `mcnemar`: min(1, 2·P(K ≥ max(k, n − k))), two-sided: McNemar's test (*Psychometrika* 1947) in its exact form.
- `holm`: p-values of many comparisons, adjusted so that the chance of any false claim among them stays below the level
  (Holm, *Scandinavian Journal of Statistics* 1979).

`drift` says how the frequencies of words have changed, and whether that is more than chance. The share of documents
with a word, k₀ of n₀ before and k₁ of n₁ now, is compared by the two-sided test of two proportions (normal
approximation), with Holm's correction over all words. What matters for a linear model is how much of its weighted word
frequency has shifted: the drift is

.. math:: D = \frac{\sum_{j \in C} |w_j|\,|p_{1j} - p_{0j}|}{\sum_j |w_j|\,p_{0j}},

with C the words that changed significantly: 0 if none did, 1 if as much weight appeared or disappeared as there was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.evaluate.metrics.scores import LABEL_METRICS, as_labels, check_same_kind, given_labels
from laconic.evaluate.splits import check_whole

Array = NDArray[np.float64]


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


@dataclass(frozen=True)
class Interval:
    """A value on all documents and the interval around it.

    Examples
    --------
    >>> Interval(0.9, 0.85, 0.94).low
    0.85
    """

    value: float
    low: float
    high: float


def bootstrap_interval(
    metric: str,
    y_true: Any,
    y_pred: Any,
    minus: Any = None,
    *,
    level: float = 0.95,
    samples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return a score, or the difference of two models' scores, with a bootstrap interval.

    Parameters
    ----------
    metric : "accuracy", "macro_f1" or "balanced_accuracy"
    y_true, y_pred : sequences of labels
    minus : sequence of labels, optional
        Predictions of another model for the same documents; the interval is then that of the first score minus the
        second, and the models differ if it does not contain 0.
    level : float
        Share of the bootstrap samples inside the interval.
    samples : int
    seed : int

    Examples
    --------
    >>> interval = bootstrap_interval("accuracy", [1, 1, 0, 0] * 25, [1, 1, 0, 1] * 25)
    >>> interval.value, round(interval.low, 2), round(interval.high, 2)
    (0.75, 0.66, 0.83)
    """
    if metric not in LABEL_METRICS:
        raise ValueError(f"Intervals are available for {', '.join(LABEL_METRICS)}, not for {metric!r}.")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must be between 0 and 1, got {level!r}.")
    check_whole("samples", samples, 1)
    given = aligned_labels(y_true, *([y_pred] if minus is None else [y_pred, minus]))
    classes, codes = np.unique(np.concatenate(given), return_inverse=True)
    n_classes, n_documents = len(classes), len(given[0])
    joint = np.ravel_multi_index(codes.reshape(len(given), -1), (n_classes,) * len(given))
    kinds, counts = np.unique(joint, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(n_documents, counts / n_documents, size=samples)
    table = np.vstack([counts, draws])  # the documents themselves come first
    labels = np.unravel_index(kinds, (n_classes,) * len(given))
    # the stand-in for None comes last (see aligned_labels) and is not a class of its own
    real = n_classes - any(label is None for side in (y_pred, minus) if side is not None for label in side)
    values = _scores(metric, table, labels[0], labels[1], n_classes, real)
    if minus is not None:
        values = values - _scores(metric, table, labels[0], labels[2], n_classes, real)
    low, high = np.quantile(values[1:], [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Interval(float(values[0]), float(low), float(high))


def _scores(
    metric: str, table: np.ndarray, truth: np.ndarray, said: np.ndarray, n_classes: int, real: int
) -> np.ndarray:
    """Return the metric of each row of counts (column c: class truth[c] labelled said[c]) over the ``real`` classes."""
    counts = table.astype(np.float64)
    right = truth == said
    if metric == "accuracy":
        return counts[:, right].sum(axis=1) / counts.sum(axis=1)
    hits, support, predicted = (
        counts[:, places] @ np.eye(n_classes)[of]
        for places, of in ((right, truth[right]), (slice(None), truth), (slice(None), said))
    )
    # A class that does not occur in a sample is left out of the mean, as scikit-learn does.
    below = support + predicted if metric == "macro_f1" else support
    below[:, real:] = 0.0
    shares = (2.0 if metric == "macro_f1" else 1.0) * hits / np.where(below > 0, below, 1.0)
    return shares.sum(axis=1) / (below > 0).sum(axis=1)


@dataclass(frozen=True)
class Versus:
    """One model, and how it does against the first.

    Attributes
    ----------
    name : str
    accuracy, macro_f1 : Interval
    wins, losses : int
        Documents that only this model, and only the first, classifies correctly.
    difference : Interval or None
        Accuracy minus that of the first model; None for the first itself, like all that follows.
    sign : float or None
        p-value of the one-sided micro sign test that this model is better.
    mcnemar : float or None
        p-value of the exact two-sided McNemar test.
    holm : float or None
        The McNemar p-value, adjusted for the number of models compared.

    Examples
    --------
    >>> sure = Interval(1.0, 1.0, 1.0)
    >>> Versus("ridge", sure, sure).holm is None
    True
    """

    name: str
    accuracy: Interval
    macro_f1: Interval
    wins: int = 0
    losses: int = 0
    difference: Interval | None = None
    sign: float | None = None
    mcnemar: float | None = None
    holm: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def compare(y_true: Any, predictions: Mapping[str, Any], *, level: float = 0.95, seed: int = 0) -> tuple[Versus, ...]:
    """Compare models on labelled documents.

    Parameters
    ----------
    y_true : sequence of labels
    predictions : dict of sequences of labels
        By name of the model; the others are compared with the first.
    level : float
        Coverage of the bootstrap intervals.
    seed : int

    Examples
    --------
    >>> y = ["a", "b"] * 10
    >>> first, second = compare(y, {"always a": ["a"] * 20, "perfect": y})
    >>> second.wins, second.losses, round(second.sign, 5), second.accuracy.value
    (10, 0, 0.00098, 1.0)
    """
    if not predictions:
        raise ValueError("There is nothing to compare: give the predictions of at least one model.")
    names = list(predictions)
    first = predictions[names[0]]
    tests = [mcnemar(y_true, predictions[name], first) for name in names[1:]]
    adjusted = holm([test.p_value for test in tests])

    def interval(metric: str, name: str, minus: Any = None) -> Interval:
        return bootstrap_interval(metric, y_true, predictions[name], minus, level=level, seed=seed)

    rows = [Versus(names[0], interval("accuracy", names[0]), interval("macro_f1", names[0]))]
    for name, test, p_value in zip(names[1:], tests, adjusted, strict=True):
        rows.append(
            Versus(
                name,
                interval("accuracy", name),
                interval("macro_f1", name),
                test.wins,
                test.losses,
                interval("accuracy", name, first),
                sign_test(y_true, predictions[name], first).p_value,
                test.p_value,
                p_value,
            )
        )
    return tuple(rows)


class Drift(NamedTuple):
    """The drift D, the columns that changed (largest effect first), and both shares of every column."""

    value: float
    changed: tuple[int, ...]
    before: Array
    now: Array


def drift(before: Array, n_before: int, now: Array, n_now: int, strength: Array, level: float = 0.01) -> Drift:
    """Compare in how many documents words occur; ``strength`` is |w_j|, ``level`` is that of all tests together."""
    from scipy.stats import norm

    from laconic.evaluate.inference import holm

    p0, p1 = before / n_before, now / n_now
    pooled = (before + now) / (n_before + n_now)
    error = np.sqrt(pooled * (1.0 - pooled) * (1.0 / n_before + 1.0 / n_now))
    z = np.divide(p1 - p0, error, out=np.zeros_like(p0), where=error > 0.0)
    p_values = np.array(holm((2.0 * norm.sf(np.abs(z))).tolist())) if len(z) else np.ones(0)
    effect = strength * np.abs(p1 - p0)
    changed = np.flatnonzero(p_values < level)
    changed = changed[np.argsort(-effect[changed], kind="stable")]
    weighted = float(strength @ p0)
    value = float(effect[changed].sum()) / weighted if weighted > 0.0 else 0.0
    return Drift(value, tuple(changed.tolist()), p0, p1)
