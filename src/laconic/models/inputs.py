"""What may be given as texts and as labels; everything else is refused with a sentence before any work is done."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from laconic.data.document import Document
from laconic.data.labels import clean_each, unify_labels


def checked_documents(texts: Iterable[Any], kind: str = "word", whole: bool = False) -> Iterator[Any]:
    """Yield the texts (lists of str for the kind "tokens"), or with ``whole`` the documents; refuse wrong types."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"texts must be a list of texts, but got a single {type(texts).__name__}: put it in a list.")
    if isinstance(texts, Mapping) or not isinstance(texts, Iterable) or getattr(texts, "ndim", 1) != 1:
        raise TypeError(f"texts must be a list of texts or one column of a table, but got {type(texts).__name__}.")
    return _each(texts, kind, whole)


def checked_labels(y: Any, n_documents: int) -> np.ndarray:
    """Return labels as an array of str, int or bool, one for each document, of at least two classes."""
    given = _list_of(y, "one label for each text")
    if len(given) != n_documents:
        raise ValueError(f"There are {n_documents} texts but {len(given)} labels; give one label for each text.")
    labels = _cleaned(given, "label")
    if several := [position for position, label in enumerate(labels) if isinstance(label, tuple)]:
        raise ValueError(
            f"The text at position {several[0]} (counting from 0) has a list of labels; give one label for each text, "
            "or use MultilabelTextClassifier."
        )
    if missing := [position for position, label in enumerate(labels) if label is None]:
        raise ValueError(
            f"{len(missing)} of {n_documents} labels are missing (None, NaN or blank), the first at position "
            f"{missing[0]} (counting from 0). Label these texts or leave them out."
        )
    # Labels given to fit stay as they are, blanks included: they will be compared with what predict returns.
    kept = [str(value) if isinstance(label, str) else label for value, label in zip(given, labels, strict=True)]
    if len(kinds := sorted({type(label).__name__ for label in kept})) > 1:
        raise ValueError(f"The labels are of different types ({', '.join(kinds)}); make them all of one type.")
    if len(set(kept)) == 1:
        raise ValueError(
            f"All {n_documents} texts have the one label {kept[0]!r}; a classifier needs at least two classes."
        )
    return np.array(kept)


def checked_label_lists(y: Any, n_documents: int | None = None) -> np.ndarray:
    """Return lists of labels as an array of tuples, one for each document; a single label is a list of one."""
    labels = []
    for position, label in enumerate(_cleaned(_list_of(y, "one list of labels for each text"), "labels")):
        if label is None:
            raise ValueError(f"The labels at position {position} (counting from 0) are missing; give an empty list.")
        labels.append(label if isinstance(label, tuple) else (label,))
    if n_documents is not None and len(labels) != n_documents:
        raise ValueError(f"There are {n_documents} texts but {len(labels)} lists of labels; give one for each.")
    return np.fromiter(unify_labels(labels), dtype=object, count=len(labels))


def _list_of(y: Any, wanted: str) -> list[Any]:
    if y is None or isinstance(y, (str, bytes, Mapping)) or not isinstance(y, Iterable) or getattr(y, "ndim", 1) != 1:
        raise ValueError(f"y must be a list with {wanted}, but got {type(y).__name__}.")
    return list(y)


def _cleaned(y: list[Any], what: str) -> list[Any]:
    """Return the label, or tuple of labels, that each given value is; None for a missing one."""
    return clean_each(y, lambda i: f"The {what} at position {i} (counting from 0) cannot be used")


def _each(texts: Iterable[Any], kind: str, whole: bool) -> Iterator[Any]:
    wanted, name = ((list, tuple), "a list of tokens") if kind == "tokens" else (str, "a string")
    for position, given in enumerate(texts):
        document = given.text if isinstance(given, Document) else given
        if not isinstance(document, wanted):
            raise TypeError(
                f"The document at position {position} (counting from 0) must be {name}, but is of type "
                f"{type(document).__name__}: {str(document)[:40]!r}."
            )
        yield given if whole else document
