"""What is fitted and what is scored: a training set with a dev set, or folds of one set.

Folds are stratified by class; documents that belong together (by author, by thread) can be kept in one fold; and
documents in order of time are scored only by models of earlier ones.

Folds of documents that may have several labels have about the same share of every label. The rarest label that is left
is dealt out first, each of its documents to the fold that lacks most of that label, and
among such folds to the one with most room (iterative stratification: Sechidis, Tsoumakas & Vlahavas 2011). Having no
label counts as a label here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.scores import as_labels, check_same_kind

# Gives (X to fit, y to fit, X to score, y to score). A function, so that only folds in use are in memory.
Split = Callable[[], tuple[Any, np.ndarray, Any, np.ndarray]]


def check_whole(name: str, value: Any, least: int, also: str = "") -> None:
    """Raise ``ValueError`` unless a value is a whole number from ``least``; ``also`` says what else may be."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number from {least}{also}, got {value!r}.")


def as_rows(X: Any, name: str = "X") -> Any:
    """Return rows that `take` can index and an estimator accepts: of a corpus its texts, a sparse matrix as CSR."""
    from scipy.sparse import issparse

    if isinstance(X, Corpus):
        X = list(X.texts)
    elif isinstance(X, tuple):
        X = list(X)
    elif issparse(X):
        X = X.tocsr()
    elif not isinstance(X, list) and len(getattr(X, "shape", ())) == 0:
        raise TypeError(
            f"{name} must be a list of texts, a Corpus, an array or a sparse matrix, got {type(X).__name__}; put a "
            f"single text into a list."
        )
    if n_rows(X) == 0:
        raise ValueError(f"{name} has no documents; at least one is needed.")
    return X


def n_rows(X: Any) -> int:
    """Return the number of rows of ``X`` (from `as_rows`)."""
    return len(X) if isinstance(X, list) else X.shape[0]


def take(X: Any, indices: np.ndarray) -> Any:
    """Return the rows of ``X`` (from `as_rows`) at ``indices``, in that order."""
    if isinstance(X, list):
        return [X[i] for i in indices]
    return X.iloc[indices] if hasattr(X, "iloc") else X[indices]


def documents(X: Any, y: Any, name_X: str = "X", name_y: str = "y") -> tuple[Any, np.ndarray]:
    """Return documents as rows and labels as an array, or raise an error that says what is wrong with them."""
    rows, labels = as_rows(X, name_X), as_labels(y, name_y)
    if n_rows(rows) != len(labels):
        raise ValueError(
            f"{name_X} has {n_rows(rows)} documents but {name_y} has {len(labels)} labels; give one label per document."
        )
    return rows, labels


def training_documents(X: Any, y: Any) -> tuple[Any, np.ndarray]:
    """Return `documents`, or raise ``ValueError`` if they have fewer than two classes."""
    rows, labels = documents(X, y)
    if len(np.unique(labels)) < 2:
        raise ValueError(f"y has only the class {labels[0].item()!r}; a classifier needs at least two classes.")
    return rows, labels


def dev_split(X: Any, y: np.ndarray, dev: Any, metric: str) -> list[Split]:
    """Return the one split that fits on all of ``X`` and scores on ``dev``."""
    if not isinstance(dev, tuple | list) or len(dev) != 2:
        raise TypeError(f"dev must be a pair (X, y) of documents and their labels, got {type(dev).__name__}.")
    rows, labels = documents(dev[0], dev[1], "The dev set", "its list of labels")
    check_same_kind(y, labels, "the dev set")
    unknown = sorted(set(labels.tolist()) - set(y.tolist()))
    if unknown:
        raise ValueError(
            f"The dev set has the label {unknown[0]!r}, which no training document has; drop those documents or add "
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
    """Return one split per fold, each with about the same share of every class."""
    from sklearn.model_selection import StratifiedKFold

    check_whole("folds", folds, 2)
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
    """Return one split per fold, with documents of equal ``by`` in one fold and classes as balanced as possible."""
    from sklearn.model_selection import StratifiedGroupKFold

    check_whole("folds", folds, 2)
    values = _one_each(by, "by", len(y))
    different = len(np.unique(values))
    if different < folds:
        raise ValueError(f"by has {different} different values, fewer than the {folds} folds; use fewer folds.")
    kfold = StratifiedGroupKFold(n_splits=int(folds), shuffle=True, random_state=seed)
    return [_checked_fold(X, y, fit, held_out, "by") for fit, held_out in kfold.split(np.zeros(len(y)), y, values)]


def ordered_folds(X: Any, y: np.ndarray, order: Any, folds: int) -> list[Split]:
    """Return one split per fold: each fits on all documents before a stretch of the order and scores on the stretch."""
    from sklearn.model_selection import TimeSeriesSplit

    check_whole("folds", folds, 2)
    values = _one_each(order, "order", len(y))
    if len(y) <= folds:
        raise ValueError(f"There are {len(y)} documents, too few for {folds} folds in order; use fewer folds.")
    ranked = np.argsort(values, kind="stable")
    cuts = TimeSeriesSplit(n_splits=int(folds)).split(ranked)
    return [_checked_fold(X, y, ranked[fit], ranked[held_out], "order") for fit, held_out in cuts]


def _checked_fold(X: Any, y: np.ndarray, fit: np.ndarray, held_out: np.ndarray, name: str) -> Split:
    """Return a fold, or raise ``ValueError`` if its training documents are all of one class."""
    have = np.unique(y[fit])
    if len(have) < 2:
        where = "before a cut of order" if name == "order" else "outside a fold of by"
        raise ValueError(
            f"The documents {where} are all of the class {have[0].item()!r}; use fewer folds, or folds without {name}."
        )
    return _fold(X, y, fit, held_out)


def _one_each(values: Any, name: str, n: int) -> np.ndarray:
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} must have one value for each of the {n} documents, got shape {array.shape}.")
    return array


def _fold(X: Any, y: np.ndarray, fit: np.ndarray, held_out: np.ndarray) -> Split:
    return lambda: (take(X, fit), y[fit], take(X, held_out), y[held_out])


def label_folds(has: NDArray[np.bool_], folds: int, seed: int) -> NDArray[np.intp]:
    """Return the number of each document's fold, from which document has which label."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([has, ~has.any(axis=1)])
    room = np.full(folds, len(table) / folds)
    lacking = np.tile(table.sum(axis=0) / folds, (folds, 1))
    found = np.full(len(table), -1, dtype=np.intp)
    while (left := found < 0).any():
        counts = table[left].sum(axis=0)
        rarest = int(np.where(counts > 0, counts, len(table) + 1).argmin())
        rows = rng.permutation(np.flatnonzero(left & table[:, rarest]))
        found[rows] = _dealt(lacking[:, rarest], room, len(rows), rng)
        np.subtract.at(room, found[rows], 1.0)
        np.subtract.at(lacking, found[rows], table[rows].astype(np.float64))
    return found


def _dealt(lacking: NDArray, room: NDArray, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the folds of n documents in turn: each goes where most is lacking, then to most room, then by chance."""
    given = np.arange(n)[:, None]
    chance = np.broadcast_to(rng.permutation(len(room)), (n, len(room)))
    order = np.lexsort((chance.ravel(), (given - room).ravel(), (given - lacking).ravel()))
    return order[:n] % len(room)
