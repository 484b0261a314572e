"""Lists of labels: what a text has that may have several of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laconic.data.labels import clean_label, unify_labels


def checked_label_lists(y: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return lists of labels as tuples of one type; a single label is a list of one.

    Examples
    --------
    >>> checked_label_lists([["b", "a"], "c", []])
    [('b', 'a'), ('c',), ()]
    """
    if isinstance(y, str | bytes | Mapping) or not isinstance(y, Iterable):
        raise ValueError(f"y must be a list with one list of labels for each text, but got {type(y).__name__}.")
    cleaned = []
    for position, given in enumerate(y):
        try:
            label = clean_label(given)
        except ValueError as error:
            raise ValueError(f"The labels at position {position} (counting from 0) cannot be used: {error}.") from None
        if label is None:
            raise ValueError(f"The labels at position {position} (counting from 0) are missing; give an empty list.")
        cleaned.append(label if isinstance(label, tuple) else (label,))
    return [one if isinstance(one, tuple) else (one,) for one in unify_labels(cleaned)]


def label_classes(labels: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the labels of some texts, sorted; fewer than two, or one that every text has, are refused.

    Examples
    --------
    >>> label_classes([("b", "a"), ()])
    ['a', 'b']
    """
    classes = sorted({label for row in labels for label in row})
    if len(classes) < 2:
        raise ValueError(f"The texts have {len(classes)} different labels; several labels need at least two.")
    everywhere = [label for label in classes if all(label in row for row in labels)]
    if everywhere:
        raise ValueError(
            f"All {len(labels)} texts have the label {everywhere[0]!r}; there is nothing to learn about it."
        )
    return classes
