"""What is fitted and what is scored: a training set with a dev set, or folds of one set.

Folds are stratified by class; documents that belong together (of one author, one thread) can be kept on one side; and
documents in order of time are scored by models of earlier ones alone.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from laconic.evaluate.indexing import as_rows, n_rows, take
from laconic.evaluate.metrics.scores import as_labels, check_same_kind

# Gives (X to fit, y to fit, X to score, y to score). A function, so that only folds in use are in memory.
Split = Callable[[], tuple[Any, np.ndarray, Any, np.ndarray]]


def documents(X: Any, y: Any, name_X: str = "X", name_y: str = "y") -> tuple[Any, np.ndarray]:
    """Return documents and labels ready for use, or raise a sentence that says what is wrong with them.

    Examples
    --------
    >>> documents(("some text", "more text"), [1, 0])
    (['some text', 'more text'], array([1, 0]))
    """
    rows, labels = as_rows(X, name_X), as_labels(y, name_y)
    if n_rows(rows) != len(labels):
        raise ValueError(
            f"{name_X} has {n_rows(rows)} documents but {name_y} has {len(labels)} labels; give one label per document."
        )
    return rows, labels


def training_documents(X: Any, y: Any) -> tuple[Any, np.ndarray]:
    """Return `documents` of at least two classes.

    Examples
    --------
    >>> training_documents(["a", "b"], ["x", "y"])[1].tolist()
    ['x', 'y']
    """
    rows, labels = documents(X, y)
    if len(np.unique(labels)) < 2:
        raise ValueError(f"y has only the class {labels[0].item()!r}; a classifier needs documents of at least two.")
    return rows, labels


def dev_split(X: Any, y: np.ndarray, dev: Any, metric: str) -> list[Split]:
    """Return the one split that fits on all of ``X`` and scores on ``dev``.

    Examples
    --------
    >>> [split] = dev_split(["a", "b"], np.array([0, 1]), (["c"], [1]), "accuracy")
    >>> split()[2]
    ['c']
    """
    if not isinstance(dev, tuple | list) or len(dev) != 2:
        raise TypeError(f"dev must be a pair (X, y) of documents and their labels, got {type(dev).__name__}.")
    rows, labels = documents(dev[0], dev[1], "The dev set", "its list of labels")
    check_same_kind(y, labels, "the dev set")
    strange = sorted(set(labels.tolist()) - set(y.tolist()))
    if strange:
        raise ValueError(
            f"The dev set has the label {strange[0]!r}, which no training document has; drop those documents or add "
            f"some to the training set."
        )
    absent = sorted(set(y.tolist()) - set(labels.tolist()))
    if absent and metric == "average_precision":
        raise ValueError(
            f"average_precision needs dev documents of every class, but the class {absent[0]!r} has none; add some or "
            f"use another metric."
        )
    return [lambda: (X, y, rows, labels)]


def stratified_folds(X: Any, y: np.ndarray, folds: int, seed: int) -> list[Split]:
    """Return one split per fold, each with about the same share of every class.

    Examples
    --------
    >>> splits = stratified_folds(["a", "b", "c", "d"], np.array([0, 1, 0, 1]), folds=2, seed=0)
    >>> [len(split()[2]) for split in splits]
    [2, 2]
    """
    from sklearn.model_selection import StratifiedKFold

    _check_folds(folds)
    labels, counts = np.unique(y, return_counts=True)
    rarest, least = labels[np.argmin(counts)].item(), int(counts.min())
    if least < folds:
        fewer = f"use folds={least}" if least == 2 else f"use folds={least} or fewer"
        advice = f"{fewer}, add documents of that class" if least > 1 else "add documents of that class or drop it"
        raise ValueError(
            f"The class {rarest!r} has {least} document{'s' * (least > 1)}, fewer than the {folds} folds, so that some "
            f"fold would lack it: {advice}, or give a dev set."
        )
    kfold = StratifiedKFold(n_splits=int(folds), shuffle=True, random_state=seed)
    return [_fold(X, y, fit, held_out) for fit, held_out in kfold.split(np.zeros(len(y)), y)]


def grouped_folds(X: Any, y: np.ndarray, by: Any, folds: int, seed: int) -> list[Split]:
    """Return one split per fold, with documents of equal ``by`` on one side and classes shared out as well as can be.

    Examples
    --------
    >>> splits = grouped_folds(["a", "b", "c", "d"], np.array([0, 1, 0, 1]), ["x", "x", "y", "y"], folds=2, seed=0)
    >>> [sorted(split()[2]) for split in splits]
    [['c', 'd'], ['a', 'b']]
    """
    from sklearn.model_selection import StratifiedGroupKFold

    _check_folds(folds)
    values = _one_each(by, "by", len(y))
    different = len(np.unique(values))
    if different < folds:
        raise ValueError(f"by has {different} different values, fewer than the {folds} folds; use fewer folds.")
    kfold = StratifiedGroupKFold(n_splits=int(folds), shuffle=True, random_state=seed)
    return [_told(X, y, fit, held_out, "by") for fit, held_out in kfold.split(np.zeros(len(y)), y, values)]


def ordered_folds(X: Any, y: np.ndarray, order: Any, folds: int) -> list[Split]:
    """Return one split per fold: each fits on all documents before a stretch of the order and scores on the stretch.

    Examples
    --------
    >>> splits = ordered_folds(["a", "b", "c", "d", "e"], np.array([0, 1, 0, 1, 0]), [5, 1, 3, 4, 2], folds=2)
    >>> [split()[2] for split in splits]
    [['d'], ['a']]
    """
    from sklearn.model_selection import TimeSeriesSplit

    _check_folds(folds)
    values = _one_each(order, "order", len(y))
    if len(y) <= folds:
        raise ValueError(f"There are {len(y)} documents, too few for {folds} folds in order; use fewer folds.")
    ranked = np.argsort(values, kind="stable")
    cuts = TimeSeriesSplit(n_splits=int(folds)).split(ranked)
    return [_told(X, y, ranked[fit], ranked[held_out], "order") for fit, held_out in cuts]


def _told(X: Any, y: np.ndarray, fit: np.ndarray, held_out: np.ndarray, name: str) -> Split:
    """A fold whose training documents have at least two classes, and all that are scored; else say so."""
    have = np.unique(y[fit])
    if len(have) < 2:
        where = "before a cut of order" if name == "order" else "outside a fold of by"
        raise ValueError(
            f"The documents {where} are all of the class {have[0].item()!r}; use fewer folds, or folds without {name}."
        )
    return _fold(X, y, fit, held_out)


def _one_each(values: Any, name: str, n: int) -> np.ndarray:
    found = np.asarray(values)
    if found.shape != (n,):
        raise ValueError(f"{name} must have one value for each of the {n} documents, got shape {found.shape}.")
    return found


def _check_folds(folds: int) -> None:
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer) or folds < 2:
        raise ValueError(f"folds must be a whole number from 2, got {folds!r}.")


def _fold(X: Any, y: np.ndarray, fit: np.ndarray, held_out: np.ndarray) -> Split:
    return lambda: (take(X, fit), y[fit], take(X, held_out), y[held_out])
