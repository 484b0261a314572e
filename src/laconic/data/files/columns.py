"""Which column is the text, which the label, which the id: by usual names first, then by content.

Text by content: the column of strings with the longest mean length (columns whose values have spaces go before those
without, so that a title beats a link). Label by content: the only column with few distinct values, each seen about
twice or more; or all columns that are left, if these are three or more and hold 0 and 1 alone: one for each label.
Where the answer is not clear it is None, and the reader asks for the column by name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.data.labels import clean_labels

TEXT_NAMES = (
    *("text", "review", "body", "content", "message", "sentence", "comment", "post", "document", "tweet", "article"),
    *("abstract", "utterance", "description"),
)
SHORT_TEXT_NAMES = ("title", "headline", "subject")  # only if no other column holds longer text
LABEL_NAMES = (
    *("label", "labels", "class", "classes", "category", "categories", "target", "sentiment", "topic", "topics", "y"),
    *("polarity", "stance", "gold", "gold_label", "tag", "tags"),
)
ID_NAMES = ("id", "doc_id", "document_id", "docid", "uid", "guid", "_id")
GIVEN = ("sentences", "tree")  # fields with a meaning of their own, never guessed as text or label
MOST_CLASSES = 20
SWITCH = {"0", "1", "True", "False"}
LEAST_SWITCHES = 3  # columns of 0 and 1 that are taken for labels without being named


@dataclass(frozen=True)
class Columns:
    """The names of the text, label and id column; None where it cannot be told or does not exist.

    Several label columns are those of labels that a document has (1) or has not (0).

    Examples
    --------
    >>> Columns("review", "stars")
    Columns(text='review', label='stars', id=None)
    """

    text: str | None = None
    label: str | tuple[str, ...] | None = None
    id: str | None = None


def guess_columns(
    columns: Sequence[str], sample_rows: Sequence[Mapping[str, Any]], text_known: bool = False
) -> Columns:
    """Guess the text, label and id column from the columns' names and a sample of rows.

    Parameters
    ----------
    columns : sequence of str
    sample_rows : sequence of mappings
        Some rows (column to value); may be empty, then only names count.
    text_known : bool
        The text column is settled and not among ``columns``; only label and id are guessed.

    Examples
    --------
    >>> guess_columns(["id", "Review", "sentiment"], [])
    Columns(text='Review', label='sentiment', id='id')
    >>> rows = [{"a": "x", "b": "the first text"}, {"a": "x", "b": "the second"}]
    >>> rows += [{"a": "y", "b": "one more"}, {"a": "y", "b": "the last one"}]
    >>> guess_columns(["a", "b"], rows)
    Columns(text='b', label='a', id=None)
    """
    values = {column: [row.get(column) for row in sample_rows] for column in columns}
    named_label = _by_name(LABEL_NAMES, [column for column in columns if _labels(values[column]) is not None])
    identifier = _by_name(ID_NAMES, columns)
    free = [column for column in columns if column not in (named_label, identifier, *GIVEN)]
    strings = [column for column in free if any(isinstance(value, str) for value in values[column])]
    text = (
        None
        if text_known
        else (
            _by_name(TEXT_NAMES, strings)
            or _longest(strings, values)
            or _by_name(TEXT_NAMES + SHORT_TEXT_NAMES, free)  # no usable sample: the name alone decides
        )
    )
    left = [column for column in free if column != text]
    few = label_candidates(left, sample_rows)
    switches = [column for column in left if values[column] and set(map(str, values[column])) <= SWITCH]
    several = len(switches) >= LEAST_SWITCHES and set(few) <= set(switches)
    label = named_label or (tuple(switches) if several else few[0] if len(few) == 1 else None)
    return Columns(text, label, identifier)


def label_columns(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the label columns that were given, none, one or several."""
    return (given,) if isinstance(given, str) else tuple(given or ())


def label_candidates(columns: Sequence[str], sample_rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns that could be the label by what is in them: few distinct values, each about twice or more."""
    candidates = []
    for column in columns:
        labels = _labels([row.get(column) for row in sample_rows])
        if labels is None or any(label is None or isinstance(label, tuple) for label in labels):
            continue
        if 2 <= len(set(labels)) <= min(MOST_CLASSES, len(labels) // 2):
            candidates.append(column)
    return candidates


def _by_name(names: Sequence[str], columns: Sequence[str]) -> str | None:
    plain = {column.strip().lower().replace(" ", "_").replace("-", "_"): column for column in reversed(columns)}
    return next((plain[name] for name in names if name in plain), None)


def _longest(columns: list[str], values: dict[str, list[Any]]) -> str | None:
    strings = {column: [value for value in values[column] if isinstance(value, str)] for column in columns}
    spaced = [c for c in columns if 2 * sum(" " in value.strip() for value in strings[c]) >= len(strings[c])]
    ranked = sorted((sum(map(len, strings[c])) / len(strings[c]), c) for c in spaced or columns)
    if not ranked or (len(ranked) > 1 and ranked[-1][0] == ranked[-2][0]):
        return None
    return ranked[-1][1]


def _labels(values: list[Any]) -> list[Any] | None:
    try:
        return clean_labels(values, str)
    except ValueError:
        return None
