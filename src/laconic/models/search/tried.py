"""`Tried`: a setting of a method with its scores out of fold; and who scores it: one label per document, or each label.

Scores by part (folds, or parts of a dev set) serve paired differences: a fold that is hard for one setting is hard for
others, so that the difference of two settings varies less than their scores do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from laconic.core.calibration import linked
from laconic.core.values import excerpt
from laconic.evaluate.calibration import Goal, Threshold, choose_threshold
from laconic.evaluate.metrics.scores import LABEL_METRICS, higher_is_better, label_score, probability_score, score
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.trials import standard_error
from laconic.models.scoring.decisions import most_likely, probabilities
from laconic.models.search.recipe import Recipe

REPORTED = ("accuracy", "macro_f1")

Margins = NDArray[np.float64]


@dataclass(frozen=True)
class Tried(Candidate):
    """A setting of a method; its scores are by part, ``loss`` is the mean log-loss of a held-out document.

    ``also`` has accuracy and macro F1; the threshold is that of a label which is a decision of its own; classes of
    held-out documents that are never predicted stand in ``unpredicted``.
    """

    method: str
    weights: float
    loss: float
    also: dict[str, float]
    threshold: Threshold | None = None
    unpredicted: tuple[int, ...] = ()


class Sizes(NamedTuple):
    """What is known of the models of a setting beside their scores: averages over the fits, and the worst gap."""

    words: float
    weights: float
    gap: float


class Judge(Protocol):
    """Scores settings by the margins of all documents that are held out."""

    metric: str

    def tried(self, method: str, setting: dict[str, Any], margins: Margins, sizes: Sizes) -> Tried: ...


class OneLabel:
    """Scores models of documents with one label each: on folds by the mean of their scores."""

    def __init__(
        self, recipe: Recipe, codes: NDArray[np.intp], n_classes: int, part: NDArray[np.intp], on_dev: bool
    ) -> None:
        self.metric, self._seed, self._on_dev = recipe.metric, recipe.seed, on_dev
        self._codes, self._classes, self._parts = codes, np.arange(n_classes), _parts(part)
        self._present = np.unique(codes)
        if self.metric == "average_precision" and len(self._present) < n_classes:
            raise ValueError(
                "average_precision needs dev documents of every class, but some class has none; add some or use "
                "another metric."
            )

    def tried(self, method: str, setting: dict[str, Any], margins: Margins, sizes: Sizes) -> Tried:
        """Score a setting by its margins."""
        said, proba = most_likely(margins), probabilities(margins)
        every = slice(None)
        whole = [every] if self._on_dev else self._parts
        by_part = self._scores(self.metric, said, proba, self._parts)
        means = {name: _mean(self._scores(name, said, proba, whole)) for name in {self.metric, *REPORTED}}
        error = self._error(said, proba) if self._on_dev else _error(by_part)
        loss = -np.log(np.maximum(proba[np.arange(len(proba)), self._codes], np.finfo(float).tiny)).mean()
        also = {name: means[name] for name in REPORTED}
        words, weights, gap = sizes
        facts: dict[str, Any] = {"method": method, "weights": weights, "loss": float(loss), "also": also}
        facts["unpredicted"] = tuple(np.setdiff1d(self._present, np.unique(said)).tolist())
        return Tried(dict(setting), tuple(by_part), means[self.metric], error, words, gap, 0.0, **facts)

    def majority(self, counts: Mapping[Any, int]) -> Tried:
        """Score the model without words that knows how many training documents each class has."""
        odds = np.log([*counts.values()])
        shape = len(self._codes), len(odds)
        margins = np.full(shape[0], odds[1] - odds[0]) if len(odds) == 2 else np.broadcast_to(odds, shape)
        name = f"always {excerpt(list(counts)[int(np.argmax(odds))])}"
        return self.tried(name, {}, margins, Sizes(0.0, 0.0, float("inf")))

    def _scores(self, metric: str, said: NDArray[np.intp], proba: Margins, parts: Sequence[Any]) -> list[float]:
        if metric in LABEL_METRICS:
            return [label_score(metric, self._codes[rows], said[rows]) for rows in parts]
        return [self._probability_score(metric, proba[rows], self._codes[rows]) for rows in parts]

    def _probability_score(self, metric: str, proba: Margins, codes: NDArray[np.intp]) -> float:
        if metric == "average_precision" and len(np.unique(codes)) < len(self._classes):
            return float("nan")  # it is not defined where a class is missing
        return probability_score(metric, codes, proba, self._classes)

    def _error(self, said: NDArray[np.intp], proba: Margins) -> float:
        labels = self.metric in LABEL_METRICS
        outputs = {"y_pred": said} if labels else {"proba": proba, "classes": self._classes}
        return standard_error(self.metric, self._codes, outputs, self._seed)


class EachLabel:
    """Scores models of one label among several, on all held-out documents, with the threshold of the best F1.

    Where no word has a weight, or no held-out document has the label, the threshold stays 0.5.
    """

    def __init__(self, recipe: Recipe, has: NDArray[np.bool_], part: NDArray[np.intp]) -> None:
        self.metric, self._has, self._parts = recipe.metric, has, _parts(part)

    def tried(self, method: str, setting: dict[str, Any], margins: Margins, sizes: Sizes) -> Tried:
        """Score a setting by its margins."""
        p = linked(margins, several=True)
        words, weights, gap = sizes
        threshold = choose_threshold("", p, self._has, Goal("f1")) if weights and self._has.any() else None
        given = p >= (0.5 if threshold is None else threshold.value)
        parts = [self._score(p[rows], given[rows], self._has[rows]) for rows in self._parts]
        loss = float(np.logaddexp(0.0, np.where(self._has, -margins, margins)).mean())
        facts: dict[str, Any] = {"method": method, "weights": weights, "loss": loss, "also": {}, "threshold": threshold}
        mean = self._score(p, given, self._has)
        return Tried(dict(setting), tuple(parts), mean, _error(parts), words, gap, 0.0, **facts)

    def _score(self, p: Margins, given: NDArray[np.bool_], has: NDArray[np.bool_]) -> float:
        """Return the score, NaN where it is not defined; for accuracy and macro F1 the F1 of the label."""
        if not has.any():
            return float("nan")
        if self.metric in ("accuracy", "macro_f1"):
            return float(2.0 * np.count_nonzero(given & has) / (np.count_nonzero(given) + np.count_nonzero(has)))
        if has.all():
            return float("nan")
        if self.metric in LABEL_METRICS:
            return score(self.metric, has, given)
        return score(self.metric, has, proba=np.column_stack([1.0 - p, p]), classes=[False, True])


def goodness(metric: str, value: float) -> float:
    """Return a score so that more is better."""
    return value if higher_is_better(metric) else -value


class Difference(NamedTuple):
    """The mean difference of two settings' scores by part, its standard error, and half of its 95% interval."""

    value: float
    error: float
    half: float


def paired(first: Candidate, second: Candidate) -> Difference:
    """Return the difference of two settings, its interval by Student's t; all NaN for want of parts."""
    differences = np.subtract(first.scores, second.scores)
    known = differences[~np.isnan(differences)]
    if len(known) < 2:
        return Difference(*[float("nan")] * 3)
    error = _error(known)
    return Difference(float(np.mean(known)), error, float(stdtrit(len(known) - 1, 0.975)) * error)


def gain(first: Candidate, second: Candidate, metric: str) -> Difference:
    """Return by how much the first of two settings scores better."""
    return paired(first, second) if higher_is_better(metric) else paired(second, first)


def _parts(part: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(part == number) for number in range(int(part.max()) + 1)]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _error(values: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the standard error of the mean of some scores."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
