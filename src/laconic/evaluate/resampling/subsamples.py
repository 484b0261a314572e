"""Models of halves of the documents: complementary pairs, stratified by class (Shah & Samworth 2013).

Losses are summed, so that a document of a half counts n/⌊n/2⌋ times: the penalty then weighs as much as in a fit to all
documents.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.evaluate.splits import take


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
