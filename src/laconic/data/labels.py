"""What counts as a label: one value at a time (`clean_label`), then a whole corpus (`clean_each`, `unify_labels`).

Types are kept: ``str``, ``int`` and ``bool`` stay what they are, an integral float becomes an ``int`` (a column of
whole numbers with one gap reaches us as floats), a list becomes a tuple, a string loses the blanks around it. None, NaN
and blank strings are missing. A string that is a list in JSON or Python is that list.
"""

import ast
import json
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from laconic.core.values import excerpt, some

Label: TypeAlias = str | int | bool
AnyLabel = Label | tuple[Label, ...]
LABEL_SEPARATORS = ("|", ";", ",")
LONGEST_LABEL = 1000  # characters


def clean_label(value: Any) -> AnyLabel | None:
    """Return the label in its plain Python type, a tuple for a list of labels, or None if it is missing."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str) and value[:1] == "[" and value[-1:] == "]" and (listed := _listed(value)) is not None:
        value = listed
    if not isinstance(value, (list, tuple, set, frozenset)):
        return _clean_one(value)
    kept: dict[tuple[type, Label], None] = {}  # the type is part of the key because 1 == True
    for own in sorted(value, key=str) if isinstance(value, (set, frozenset)) else value:
        if (label := _clean_one(own)) is None:
            raise ValueError(f"the list of labels [{some(value)}] holds a missing value")
        kept[type(label), label] = None
    return tuple(label for _, label in kept)


def clean_each(
    values: Iterable[Any], where: Callable[[int], str], clean: Callable[[Any], Any] = clean_label
) -> list[Any]:
    """Return every value cleaned; of one that cannot be used the error says ``where(i)`` it stands."""
    cleaned = []
    for i, value in enumerate(values):
        try:
            cleaned.append(clean(value))
        except ValueError as error:
            raise ValueError(f"{where(i)}: {error}") from None
    return cleaned


def unify_labels(labels: Iterable[AnyLabel]) -> tuple[AnyLabel, ...]:
    """Return labels of one type: mixed types become ``str``; one tuple among them makes all tuples."""
    labels = tuple(labels)
    if any(isinstance(label, tuple) for label in labels):
        lists = tuple(label if isinstance(label, tuple) else (label,) for label in labels)
        if len({type(label) for own in lists for label in own}) > 1:
            return tuple(tuple(dict.fromkeys(map(str, own))) for own in lists)
        return lists
    if len({type(label) for label in labels}) > 1:
        return tuple(str(label) for label in labels)
    return labels


def warn_of_twins(labels: Iterable[AnyLabel], name: str = "", stacklevel: int = 4) -> None:
    """Warn of labels that differ only in case, which are two classes but rarely meant to be."""
    spellings: dict[str, set[str]] = {}
    for label in set(labels):
        for spelling in label if isinstance(label, tuple) else (label,):
            if isinstance(spelling, str):
                spellings.setdefault(spelling.casefold(), set()).add(spelling)
    twins = [" and ".join(map(excerpt, sorted(same))) for _, same in sorted(spellings.items()) if len(same) > 1]
    if twins:
        shown = ", ".join(twins[:5]) + (", ..." if len(twins) > 5 else "")
        warnings.warn(
            f"{name + ': ' if name else ''}labels differ only in case: {shown}; they are different classes. "
            "Spell them alike if they are one",
            UserWarning,
            stacklevel=stacklevel,
        )


def label_separator(labels: Iterable[AnyLabel | None]) -> str | None:
    """Return what separates the labels in strings such as ``"law|tax"``, if there are more combinations than labels."""
    strings = {label for label in labels if isinstance(label, str)}
    for separator in LABEL_SEPARATORS:
        parts = Counter(part for string in strings for part in _split(string, separator))
        if sum(separator in string for string in strings) > 1 and len(parts) < len(strings):
            return separator
    return None


def split_labels(labels: Iterable[Any], separator: str) -> list[Any]:
    """Return labels with a tuple in place of each string."""
    return [_split(label, separator) if isinstance(label, str) else label for label in labels]


def _split(label: str, separator: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in label.split(separator) if part.strip()))


def _listed(text: str) -> list[Any] | None:
    """Return the list that a string such as ``["law", "tax"]`` is in JSON or Python, or None."""
    for parse in (json.loads, ast.literal_eval):
        try:
            made = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return made if isinstance(made, list) and all(isinstance(one, (str, int)) for one in made) else None
    return None


def _clean_one(value: Any) -> Label | None:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas' own signs for "missing"
        return None
    if isinstance(value, str):
        if len(value := value.strip()) > LONGEST_LABEL:
            raise ValueError(
                f"the label {excerpt(value)} has {len(value):,} characters; a label has at most {LONGEST_LABEL:,}, so "
                "another column may be meant"
            )
        return value or None
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if value.is_integer():
            return int(value)
        raise ValueError(f"the label {value!r} is a fraction; a label is a string, a whole number or true/false")
    raise ValueError(
        f"the label {excerpt(value)} is of type {type(value).__name__}; "
        "a label is a string, a whole number, true/false, or a list of these"
    )
