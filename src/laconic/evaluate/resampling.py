r"""`stability`: which words a method keeps selecting when the documents change (stability selection).

The documents are cut into two halves, again and again (complementary pairs, Shah & Samworth 2013; classes keep their
shares), the estimator is fitted to every half, and a word is stable if at least a share τ of all these models selects
it. `laconic.evaluate.error_bounds` says how many noise words a stable set holds at most, in expectation; asked for a
number of errors, `stability` takes the lowest τ that keeps to it.

Losses are summed, so that a document of a half counts n/⌊n/2⌋ times: the penalty then weighs as much as in a fit to all
documents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .error_bounds import expected_errors, lowest_threshold
from .fitting import check_estimator
from .rows import take
from .splits import training_documents
from .stand_ins import stand_ins


class StableWord(NamedTuple):
    """A word, the share of models that select it, and the share of these in which its weight is positive."""

    word: str
    frequency: float
    positive: float


class WordsTogether(NamedTuple):
    """Words that stand in for one another, the most frequent first, and the share of models with any of them."""

    words: tuple[str, ...]
    frequency: float


@dataclass(frozen=True)
class Stability:
    """How often words were selected; made by `stability`.

    Attributes
    ----------
    words : tuple of StableWord
        All that any model selected, the most frequent first.
    threshold : float
        τ: a word that at least this share of models selects is stable.
    errors : float
        At most so many noise words are expected among the stable ones.
    selected : float
        How many words a model selects on average (q).
    n_features : int
        How many there were to select from (p).
    n_models : int
        Two for each pair.
    together : tuple of WordsTogether
        Groups of words that stand in for one another.
    groups : tuple of (str, float)
        Of an estimator with groups: the share of models that select each of them, the most frequent first.

    Examples
    --------
    >>> found = Stability((StableWord("lamp", 0.95, 1.0), StableWord("the", 0.2, 0.5)), 0.8, 0.5, 3.0, 100, 100)
    >>> found.stable
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
        """The stable words, the most frequent first."""
        return tuple(one.word for one in self.words if one.frequency >= self.threshold)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "threshold": self.threshold,
            "errors": self.errors,
            "selected": self.selected,
            "n_features": self.n_features,
            "n_models": self.n_models,
            "stable": list(self.stable),
            "words": [one._asdict() for one in self.words],
            "together": [{"words": list(one.words), "frequency": one.frequency} for one in self.together],
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
    """Fit an estimator to many halves of the documents and say which words it keeps selecting.

    Parameters
    ----------
    estimator : classifier with ``coef_``
        Any; a feature is selected if it has a nonzero weight.
    X : matrix of shape (n_documents, n_features)
    y : labels
    pairs : int
        Pairs of halves; two fits each.
    errors : float
        How many noise words may be expected among the stable ones; decides on the threshold.
    threshold : float, optional
        The share of models that must select a stable word, above 0.5; in place of ``errors``.
    words : int, optional
        Of each model only so many words count, those of the largest weights; fewer words allow a lower threshold.
    names : sequence of str, optional
        Of the features.
    seed : int
    progress : callable, optional
        Called as ``progress(done, total)`` after every fit.

    Raises
    ------
    ValueError
        If the arguments are wrong, or no threshold keeps to ``errors``; the message says what is possible.

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
    _check(pairs, errors, threshold, words, names, n_features, labels)
    selected = np.zeros((2 * pairs, n_features), dtype=bool)
    positive = np.zeros(n_features)
    group_counts: dict[str, int] = {}
    for i, half in enumerate(_halves(labels, pairs, np.random.default_rng(seed))):
        fitted = _fitted(estimator, take(rows, half), labels[half], len(labels) / len(half))
        weights = np.atleast_2d(_dense(fitted.coef_))
        if weights.shape[1] != n_features:
            raise ValueError(f"coef_ has {weights.shape[1]} columns for {n_features} features.")
        selected[i] = _selection(weights, words)
        positive += selected[i] & (weights[0] > 0.0)
        for name in getattr(getattr(fitted, "selected_groups_", None), "names", ()):
            group_counts[name] = group_counts.get(name, 0) + 1
        if progress is not None:
            progress(i + 1, 2 * pairs)
    size = float(selected.sum(axis=1).mean())
    limit = threshold if threshold is not None else _limit(errors, pairs, size, n_features)
    return _assembled(rows, selected, positive, group_counts, limit, size, names)


def _assembled(
    X: Any,
    selected: NDArray[np.bool_],
    positive: NDArray[np.float64],
    group_counts: dict[str, int],
    limit: float,
    size: float,
    names: Sequence[str] | None,
) -> Stability:
    n_models, n_features = selected.shape
    called = [str(j) for j in range(n_features)] if names is None else list(names)
    counts = selected.sum(axis=0)
    order = [j for j in np.argsort(-counts, kind="stable").tolist() if counts[j]]
    found = tuple(StableWord(called[j], counts[j] / n_models, float(positive[j] / counts[j])) for j in order)
    together = tuple(
        WordsTogether(tuple(called[j] for j in one.features), one.frequency) for one in stand_ins(X, selected)
    )
    groups = sorted(group_counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return Stability(
        words=tuple(one._replace(frequency=float(one.frequency)) for one in found),
        threshold=float(limit),
        errors=expected_errors(limit, n_models // 2, size, n_features),
        selected=size,
        n_features=n_features,
        n_models=n_models,
        together=together,
        groups=tuple((name, count / n_models) for name, count in groups),
    )


def _check(
    pairs: int,
    errors: float,
    threshold: float | None,
    words: int | None,
    names: Sequence[str] | None,
    n_features: int,
    labels: NDArray,
) -> None:
    if isinstance(pairs, bool) or not isinstance(pairs, int | np.integer) or pairs < 2:
        raise ValueError(f"pairs must be a whole number from 2, got {pairs!r}.")
    if not errors > 0.0:
        raise ValueError(f"errors must be a positive number of words, got {errors!r}.")
    if threshold is not None and not 0.5 < threshold <= 1.0:
        raise ValueError(f"threshold is a share of models above 0.5 and at most 1, got {threshold!r}.")
    if words is not None and not 1 <= words <= n_features:
        raise ValueError(f"words must be from 1 to the {n_features} words there are, got {words!r}.")
    if names is not None and len(names) != n_features:
        raise ValueError(f"There are {len(names)} names for {n_features} features; give one for each.")
    classes, counts = np.unique(labels, return_counts=True)
    if counts.min() < 2:
        rare = classes[np.argmin(counts)].item()
        raise ValueError(f"The class {rare!r} has one document, which cannot be in both halves; add some or drop it.")


def _halves(labels: NDArray, pairs: int, rng: np.random.Generator) -> Any:
    """Yield the rows of two halves of equal shares of the classes, as many times as there are pairs."""
    members = [np.flatnonzero(labels == one) for one in np.unique(labels)]
    for _ in range(pairs):
        halves: tuple[list[NDArray], list[NDArray]] = ([], [])
        for own in members:
            mixed = rng.permutation(own)
            middle = len(own) // 2
            halves[0].append(mixed[:middle])
            halves[1].append(mixed[middle : 2 * middle])
        yield from (np.sort(np.concatenate(half)) for half in halves)


def _fitted(estimator: Any, X: Any, y: NDArray, weight: float) -> Any:
    from sklearn.base import clone
    from sklearn.utils.validation import has_fit_parameter

    options = {"sample_weight": np.full(len(y), weight)} if has_fit_parameter(estimator, "sample_weight") else {}
    fitted = clone(estimator).fit(X, y, **options)
    if not hasattr(fitted, "coef_"):
        raise TypeError(
            f"{type(fitted).__name__} has no coef_; stability needs a linear model, whose words have weights."
        )
    return fitted


def _dense(weights: Any) -> NDArray[np.float64]:
    return weights.toarray() if hasattr(weights, "toarray") else np.asarray(weights)


def _selection(weights: NDArray[np.float64], words: int | None) -> NDArray[np.bool_]:
    strength = np.abs(weights).max(axis=0)
    chosen = strength > 0.0
    if words is not None and np.count_nonzero(chosen) > words:
        # of equal weights at the limit the first columns count, so that there are never more than asked for
        chosen = np.zeros_like(chosen)
        chosen[np.argsort(-strength, kind="stable")[:words]] = True
    return chosen


def _limit(errors: float, pairs: int, size: float, n_features: int) -> float:
    found = lowest_threshold(errors, pairs, size, n_features)
    if found is None:
        possible = expected_errors(1.0, pairs, size, n_features)
        raise ValueError(
            f"No threshold keeps the expected noise words to {errors:g}: models of {size:.0f} words of {n_features} "
            f"allow {possible:.2g} at best. Let fewer words count (words), strengthen the penalty, use more pairs, or "
            f"allow more errors."
        )
    return found
