"""What may be given as texts and as labels; everything else is refused with a sentence before any work is done."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from laconic.data.document import Document


def checked_documents(texts: Iterable[Any], kind: str = "word", whole: bool = False) -> Iterator[Any]:
    """Yield documents one by one and refuse, with its position, one that is of the wrong type.

    Parameters
    ----------
    texts : iterable of str
        Of lists of str if `kind` is "tokens"; a `Corpus` or documents instead of their texts will do.
    kind : str
        Kind of the analyzer.
    whole : bool
        Leave documents as they are, instead of their texts.

    Examples
    --------
    >>> list(checked_documents(["a b", "c"]))
    ['a b', 'c']
    """
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"texts must be a list of texts, but got a single {type(texts).__name__}: put it in a list.")
    if isinstance(texts, Mapping) or not isinstance(texts, Iterable) or getattr(texts, "ndim", 1) != 1:
        raise TypeError(f"texts must be a list of texts or one column of a table, but got {type(texts).__name__}.")
    return _each(texts, kind, whole)


def checked_labels(y: Any, n_documents: int) -> np.ndarray:
    """Return labels as an array of str, int or bool, one for each document, of at least two classes.

    Examples
    --------
    >>> checked_labels(["b", "a"], 2)
    array(['b', 'a'], dtype='<U1')
    """
    if y is None or isinstance(y, (str, bytes, Mapping)) or not isinstance(y, Iterable) or getattr(y, "ndim", 1) != 1:
        raise ValueError(f"y must be a list with one label for each text, but got {type(y).__name__}.")
    given = list(y)
    if len(given) != n_documents:
        raise ValueError(f"There are {n_documents} texts but {len(given)} labels; give one label for each text.")
    labels = [_checked_label(label, position) for position, label in enumerate(given)]
    if missing := [position for position, label in enumerate(labels) if label is None]:
        raise ValueError(
            f"{len(missing)} of {n_documents} labels are missing (None, NaN or blank), the first at position "
            f"{missing[0]} (counting from 0). Label these texts or leave them out."
        )
    if len(kinds := sorted({type(label).__name__ for label in labels})) > 1:
        raise ValueError(f"The labels are of different types ({', '.join(kinds)}); make them all of one type.")
    if len(set(labels)) == 1:
        raise ValueError(
            f"All {n_documents} texts have the one label {labels[0]!r}; a classifier needs at least two classes."
        )
    return np.array(labels)


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


def _checked_label(value: Any, position: int) -> Any:
    from laconic.data.labels import clean_label  # only here: predicting must stay light

    try:
        label = clean_label(value)
    except ValueError as error:
        raise ValueError(f"The label at position {position} (counting from 0) cannot be used: {error}.") from None
    if isinstance(label, tuple):
        raise ValueError(
            f"The text at position {position} (counting from 0) has a list of labels; give one label for each text, "
            "or use MultilabelTextClassifier."
        )
    # Labels given to fit stay as they are, blanks included: they will be compared with what predict returns.
    return str(value) if isinstance(label, str) else label
