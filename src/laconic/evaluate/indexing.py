"""Rows of documents in any form: texts or token lists, a `Corpus`, an array, a sparse matrix, a frame."""

from typing import Any

import numpy as np


def as_rows(X: Any, name: str = "X") -> Any:
    """Return rows that `take` can index and an estimator accepts: of a corpus its texts, a sparse matrix as CSR."""
    from scipy.sparse import issparse

    from laconic.data import Corpus

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
