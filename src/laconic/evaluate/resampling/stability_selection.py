r"""`stability`: which words a method keeps selecting when the documents change (stability selection).

The documents are split into random halves repeatedly (complementary pairs, stratified by class; Shah & Samworth 2013),
and the estimator is fitted to every half. Only the q largest weights of each model count, with their signs: a word is
stable if at least a share τ of all models has it among them with the same sign. Given a number of errors, it takes q by
the rule of Meinshausen & Bühlmann (2010), and the lowest τ that keeps the bound of `expected_errors`.

The list of all words is sorted by the area under the curve of this share over q:

.. math:: a_j = \Bigl|\frac{1}{2B}\sum_m \operatorname{sign}(w_{mj})\Bigl(1 - \frac{r_{mj}}{k_m}\Bigr)\Bigr|

with r the number of stronger words in a model m of k words, over its own words alone.

A model fitted to half of the documents selects q words of p on average; θ = q/p. A word that such a model selects with
probability at most θ, no more often than a word drawn blindly, is noise for it. Where words are selected with a sign,
each counts as two, of which a model has one at most: p is then twice the number of words, and noise is what is selected
with either sign no more often than a word and a sign drawn blindly. With B complementary pairs of halves and words that
at least a share τ of the 2B models selects, the expected number of noise words among them is at most (Shah & Samworth
2013)

.. math:: \frac{\theta}{2\tau - 1} q \quad\text{(always; that of Meinshausen \& Bühlmann 2010 without their conditions)}

and, if the distribution of each noise word's simultaneous selections is unimodal and θ ≤ 1/√3, at most C(τ, B) θ q with

.. math:: C = \frac{1}{2(2\tau - 1 - \frac{1}{2B})}\ \text{for}\ \tau \le \tfrac34,\qquad
   C = \frac{4(1 - \tau + \frac{1}{2B})}{1 + \frac1B}\ \text{for}\ \tau > \tfrac34.

Losses are summed, so that a document of a half counts n/⌊n/2⌋ times: the penalty then weighs as much as in a fit to all
documents.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.evaluate.resampling.substitutes import stand_ins
from laconic.evaluate.splits import check_whole, take, training_documents
from laconic.evaluate.tuning.grid_fits import check_estimator

COUNTED = 0.8  # q² / (errors · p), the advice of Meinshausen & Bühlmann


def expected_errors(threshold: float, pairs: int, words: float, n_features: int) -> float:
    """Return the bound on the expected number of noise words, the smaller of the two.

    Parameters
    ----------
    threshold : float
        τ, above 0.5.
    pairs : int
        B.
    words : float
        q: average number of words selected by a model of half of the documents.
    n_features : int
        p: number of words to select from; words with signs count twice.

    Examples
    --------
    >>> round(expected_errors(0.9, pairs=50, words=20, n_features=1000), 3)
    0.173
    """
    theta = words / n_features
    always = theta * words / (2.0 * threshold - 1.0) if threshold > 0.5 else np.inf
    lowest = min(0.5 + theta**2, 0.5 + 1.0 / (2 * pairs) + 0.75 * theta**2)
    if theta > 1.0 / np.sqrt(3.0) or threshold <= lowest:
        return float(always)
    if threshold <= 0.75:
        factor = 1.0 / (2.0 * (2.0 * threshold - 1.0 - 1.0 / (2 * pairs)))
    else:
        factor = 4.0 * (1.0 - threshold + 1.0 / (2 * pairs)) / (1.0 + 1.0 / pairs)
    return float(min(always, factor * theta * words)) if factor > 0.0 else float(always)


def lowest_threshold(errors: float, pairs: int, words: float, n_features: int) -> float | None:
    """Return the lowest share of models at which at most ``errors`` noise words are expected, or None if none is."""
    for count in range(pairs + 2, 2 * pairs + 1):  # as in the paper from 1/2 + 1/B on
        if expected_errors(count / (2 * pairs), pairs, words, n_features) <= errors:
            return count / (2 * pairs)
    return None


def halves(labels: NDArray, pairs: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Yield the rows of both halves of each pair, stratified by class."""
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    for _ in range(pairs):
        pair: tuple[list[NDArray], list[NDArray]] = ([], [])
        for own in members:
            mixed = rng.permutation(own)
            middle = len(own) // 2
            pair[0].append(mixed[:middle])
            pair[1].append(mixed[middle : 2 * middle])
        yield from (np.sort(np.concatenate(half)) for half in pair)


def check_halves(labels: NDArray) -> None:
    """Raise ``ValueError`` if a class has one document, which cannot be in both halves."""
    classes, counts = np.unique(labels, return_counts=True)
    if counts.min() < 2:
        rare = classes[np.argmin(counts)].item()
        raise ValueError(f"The class {rare!r} has one document, which cannot be in both halves; add some or drop it.")


def half_models(estimator: Any, X: Any, labels: NDArray, pairs: int, seed: int) -> Iterator[Any]:
    """Yield clones of an estimator with ``coef_`` fitted to the halves; ``X`` comes from `as_rows`."""
    for half in halves(labels, pairs, np.random.default_rng(seed)):
        yield half_model(estimator, X, labels, half)


def half_model(estimator: Any, X: Any, labels: NDArray, half: NDArray[np.intp], **more: Any) -> Any:
    """Return a clone of an estimator fitted to a half; its ``fit`` takes ``more``."""
    from sklearn.base import clone
    from sklearn.utils.validation import has_fit_parameter

    weighted = has_fit_parameter(estimator, "sample_weight")
    options = {"sample_weight": np.full(len(half), len(labels) / len(half))} if weighted else {}
    fitted = clone(estimator).fit(take(X, half), labels[half], **options, **more)
    if not hasattr(fitted, "coef_"):
        raise TypeError(
            f"{type(fitted).__name__} has no coef_; stability needs a linear model, whose words have weights."
        )
    return fitted


class StableWord(NamedTuple):
    """A word, the share of models that select it, the class and sign of its largest weight in these, and its area."""

    word: str
    frequency: float
    sign: str
    area: float
    label: Any = None


class WordsTogether(NamedTuple):
    """Words that substitute for one another, the most frequent first, and the share of models with any of them."""

    words: tuple[str, ...]
    frequency: float


@dataclass(frozen=True)
class Stability:
    """How often words were selected; made by `stability`.

    Attributes
    ----------
    words : tuple of StableWord
        All words that any model has a weight for, by their areas.
    threshold : float
        τ: a word that at least this share of models selects with one sign is stable.
    errors : float
        Bound on the expected number of noise words among the stable ones.
    selected : float
        Average number of words of a model that count (q).
    n_features : int
        Number of words to select from (p).
    n_models : int
        Two for each pair.
    together : tuple of WordsTogether
        Groups of words that substitute for one another.
    groups : tuple of (str, float)
        For an estimator with groups: the share of models that select each of them, the most frequent first.

    Examples
    --------
    >>> words = StableWord("lamp", 0.95, "+", 0.9), StableWord("the", 0.2, "-", 0.1)
    >>> Stability(words, 0.8, 0.5, 3.0, 100, 100).stable
    ('lamp',)
    """

    words: tuple[StableWord, ...] = field(repr=False)
    threshold: float
    errors: float
    selected: float
    n_features: int
    n_models: int
    together: tuple[WordsTogether, ...] = field(default=(), repr=False)
    groups: tuple[tuple[str, float], ...] = field(default=(), repr=False)

    @property
    def stable(self) -> tuple[str, ...]:
        """The stable words, by their areas."""
        return tuple(word.word for word in self.words if word.frequency >= self.threshold)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "threshold": self.threshold,
            "errors": self.errors,
            "selected": self.selected,
            "n_features": self.n_features,
            "n_models": self.n_models,
            "stable": list(self.stable),
            "words": [word._asdict() for word in self.words],
            "together": [{"words": list(group.words), "frequency": group.frequency} for group in self.together],
            "groups": [{"group": name, "frequency": share} for name, share in self.groups],
        }


def stability(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    pairs: int = 50,
    errors: float = 1.0,
    threshold: float | None = None,
    words: int | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Stability:
    """Fit an estimator to many random halves of the documents and return how often it selects each word.

    Parameters
    ----------
    estimator : classifier with ``coef_``
        Only the features with the largest weights of each model count.
    X : matrix of shape (n_documents, n_features)
    y : labels
    pairs : int
        Number of pairs of halves; two fits each.
    errors : float
        Number of noise words that may be expected among the stable ones; sets the threshold.
    threshold : float, optional
        The share of models that must select a stable word, above 0.5; in place of the one that follows from ``errors``.
    words : int, optional
        Maximum number of words that count per model, those of the largest weights; None is √(0.8 · ``errors`` · p),
        with p the number of words, doubled for models with one output, whose words have signs.
    names : sequence of str, optional
        Names of the features.
    seed : int
    progress : callable, optional
        Called as ``progress(done, total)`` after every fit.

    Examples
    --------
    >>> from laconic.linear import ElasticNetClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = (rng.random((200, 50)) < 0.3).astype(float)
    >>> y = np.where(X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=200) > 0, "a", "b")
    >>> stability(ElasticNetClassifier(l1=15.0, l2=0.0), X, y, pairs=10).stable
    ('0', '1')
    """
    check_estimator(estimator)
    rows, labels = training_documents(X, y)
    n_features = rows.shape[1]
    _check(pairs, errors, threshold, words, names, n_features)
    check_halves(labels)
    tally = _Tally(2 * pairs, n_features, np.unique(labels))
    n_items = 0
    for fitted in half_models(estimator, rows, labels, pairs, seed):
        weights = np.atleast_2d(fitted.coef_.toarray() if hasattr(fitted.coef_, "toarray") else fitted.coef_)
        if weights.shape[1] != n_features:
            raise ValueError(f"coef_ has {weights.shape[1]} columns for {n_features} features.")
        n_items = n_features * (2 if len(weights) == 1 else 1)
        tally.add(weights, words or _counted(errors, n_items, n_features))
        tally.groups.update(getattr(getattr(fitted, "selected_groups_", None), "names", ()))
        if progress is not None:
            progress(tally.done, 2 * pairs)
    size = float(tally.selected.sum(axis=1).mean())
    limit = threshold if threshold is not None else _limit(errors, pairs, size, n_items)
    bound = expected_errors(limit, pairs, size, n_items)
    return tally.stability(rows, float(limit), bound, size, names)


class _Tally:
    """Counts of what the models of the halves select."""

    def __init__(self, n_models: int, n_features: int, classes: NDArray) -> None:
        self.outputs = classes[1:] if len(classes) == 2 else classes
        self.largest = np.zeros((2, len(self.outputs), n_features))  # models whose largest weight is below, above zero
        self.selected = np.zeros((n_models, n_features), dtype=bool)
        self.up = np.zeros(n_features)
        self.area = np.zeros(n_features)
        self.weighed = np.zeros(n_features, dtype=bool)
        self.groups: Counter[str] = Counter()
        self.done = 0
        self.signed = True

    def add(self, weights: NDArray[np.float64], counted: int) -> None:
        self.signed = len(weights) == 1
        strength = np.abs(weights).max(axis=0)
        # among equal weights the first columns count, so that there are never more than asked for
        order = np.argsort(-strength, kind="stable")[: np.count_nonzero(strength)]
        sign = np.sign(weights[0, order]) if self.signed else np.ones(len(order))
        chosen = order[:counted]
        self.selected[self.done, chosen] = True
        self.up[chosen] += sign[:counted] > 0.0
        self.area[order] += sign * (1.0 - np.arange(len(order)) / max(len(order), 1))
        self.weighed[order] = True
        output = np.abs(weights[:, order]).argmax(axis=0)
        self.largest[(weights[output, order] > 0.0).astype(int), output, order] += 1
        self.done += 1

    def stability(self, X: Any, limit: float, bound: float, size: float, names: Sequence[str] | None) -> Stability:
        n_features = len(self.up)
        called = [str(j) for j in range(n_features)] if names is None else list(names)
        share = np.maximum(self.up, self.selected.sum(axis=0) - self.up) / self.done
        area = np.abs(self.area) / self.done
        order = np.lexsort((-share, -area))
        together = [
            WordsTogether(tuple(called[j] for j in columns), share) for columns, share in stand_ins(X, self.selected)
        ]
        groups = sorted(self.groups.items(), key=lambda pair: (-pair[1], pair[0]))
        return Stability(
            words=tuple(
                StableWord(called[j], float(share[j]), sign, float(area[j]), label)
                for j in order
                if self.weighed[j]
                for sign, label in [self._side(j)]
            ),
            threshold=limit,
            errors=bound,
            selected=size,
            n_features=n_features,
            n_models=self.done,
            together=tuple(together),
            groups=tuple((name, count / self.done) for name, count in groups),
        )

    def _side(self, j: int) -> tuple[str, Any]:
        """Return the sign of the largest weight of a word in most models, and its class."""
        sign, output = np.unravel_index(self.largest[:, :, j].argmax(), self.largest.shape[:2])
        if self.signed and np.ptp(self.largest[:, 0, j]) == 0:
            sign = np.intp(self.area[j] > 0.0)
        return "-+"[sign], self.outputs[output].item()


def _check(
    pairs: int,
    errors: float,
    threshold: float | None,
    words: int | None,
    names: Sequence[str] | None,
    n_features: int,
) -> None:
    check_whole("pairs", pairs, 2)
    if not errors > 0.0:
        raise ValueError(f"errors must be a positive number of words, got {errors!r}.")
    if threshold is not None and not 0.5 < threshold <= 1.0:
        raise ValueError(f"threshold is a share of models above 0.5 and at most 1, got {threshold!r}.")
    if words is not None and not 1 <= words <= n_features:
        raise ValueError(f"words must be from 1 to {n_features}, the number of words, got {words!r}.")
    if names is not None and len(names) != n_features:
        raise ValueError(f"There are {len(names)} names for {n_features} features; give one for each.")


def _counted(errors: float, n_items: int, n_features: int) -> int:
    return max(1, min(n_features, math.isqrt(int(COUNTED * min(errors, n_items) * n_items))))


def _limit(errors: float, pairs: int, size: float, n_items: int) -> float:
    lowest = lowest_threshold(errors, pairs, size, n_items)
    if lowest is None:
        possible = expected_errors(1.0, pairs, size, n_items)
        raise ValueError(
            f"No threshold keeps the expected noise words to {errors:g}: the {size:.0f} strongest of each model allow "
            f"{possible:.2g} at best. Let fewer words count (words), use more pairs, or allow more errors."
        )
    return lowest
