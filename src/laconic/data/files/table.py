"""The one shape every reader gives: a named stream of rows, each a mapping with its number and its line.

Readers of files, folders, frames and lists make a `Table`; `rows_to_documents` alone knows how rows become documents.

Text, label and id are found by the usual names of columns first, then by content. Text by content: the column of
strings with the longest mean length (columns whose values have spaces go before those without, so that a title beats a
link). Label by content: the only column with few distinct values, each seen about twice or more; or all columns that
are left, if these are three or more and hold 0 and 1 alone: one for each label. Where the answer is not clear it is
None, and the reader asks for the column by name.
"""

import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from laconic.core.values import excerpt, some
from laconic.data.corpus import clean_id
from laconic.data.document import Document
from laconic.data.labels import AnyLabel, clean_each, clean_label

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
SAMPLE = 100  # rows looked at to find the columns
MOST_COLUMNS = 100_000
NAMED = 30  # columns that a message names
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
ON, OFF = ("1", "1.0", "true"), ("0", "0.0", "false", "", "none", "nan")  # of a column that stands for a label
Label = str | tuple[str, ...] | None  # one column, or one for each label
LISTS = (list, tuple, np.ndarray)


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
        return clean_each(values, str)
    except ValueError:
        return None


class Row(NamedTuple):
    """One record: its number (the id if there is no other), the line it ends at, and its values."""

    number: int
    line: int
    values: Mapping[str, Any]


@dataclass
class Table:
    """Rows with a name for error messages; ``unit`` is what ``Row.line`` counts (line, row, item, file)."""

    name: str
    rows: Iterator[Row]
    unit: str = "line"
    columns: tuple[str, ...] | None = None  # None: known only from the rows themselves
    header: tuple[str, ...] = ()  # the first row of a file, where it may be a document

    def __post_init__(self) -> None:
        columns = self.columns or ()
        if len(columns) > MOST_COLUMNS:
            raise ValueError(f"{self.name} has {len(columns)} columns; at most {MOST_COLUMNS} are read")
        if len(set(columns)) < len(columns):
            twice = next(column for column in columns if columns.count(column) > 1)
            raise ValueError(f"{self.name} has the column {excerpt(twice)} twice; columns must differ")

    def place(self, line: int) -> str:
        """Return where a row stands, e.g. ``reviews.csv, line 7``."""
        return f"{self.name}, {self.unit} {line}"

    def without_header(self) -> "Table":
        """Return the table whose first row is a document; its columns are called column 1, column 2, …"""
        names = tuple(f"column {i}" for i in range(1, len(self.header) + 1))
        rows = (
            Row(number + 1, line, dict(zip(names, values.values(), strict=True))) for number, line, values in self.rows
        )
        return Table(
            self.name, chain([Row(1, 1, dict(zip(names, self.header, strict=True)))], rows), self.unit, columns=names
        )

    def columns_of(self, sample: Sequence[Row]) -> tuple[str, ...]:
        """Return the columns: the declared ones, or those of some rows."""
        return self.columns or tuple(dict.fromkeys(key for row in sample for key in row.values))


@dataclass(frozen=True)
class Plan:
    """Which columns become which part of a document."""

    text: tuple[str, ...]
    label: Label
    id: str | None
    sentences: bool
    tree: bool


def rows_to_documents(
    table: Table,
    text_col: str | Sequence[str] | None,
    label_col: str | Sequence[str] | None,
    id_col: str | None,
    labelled: bool | None,
) -> tuple[Plan, Iterator[tuple[int, Document]]]:
    """Find the columns, then return the plan and an iterator of ``(line, document)``, which finds the bad rows."""
    texts = (text_col,) if isinstance(text_col, str) else tuple(text_col or ())
    given = label_columns(label_col)
    taken = [column for column in (*texts, *given, id_col) if column]
    table = settle_header(table, taken)
    asked = taken if labelled is not False else [column for column in (*texts, id_col) if column]
    sample, guess = _sample(table, taken, bool(texts), labelled is False or bool(label_col))
    if not set(asked) <= set(table.columns_of(sample)):
        sample += islice(table.rows, SAMPLE - len(sample))  # an optional field may come only in a later row
    columns = table.columns_of(sample)
    for column in asked:
        if column not in columns:
            raise ValueError(f"{table.name} has no column {column!r}; its columns are {_list(columns)}")
    if not texts and guess.text is None:
        raise ValueError(_cannot_tell(table, columns, "text"))
    label = None if labelled is False else tuple(given) if len(given) > 1 else given[0] if given else guess.label
    if labelled and label is None:
        if set(columns) <= {*texts, guess.text, "id"}:
            raise ValueError(f"{table.name} has no labels, only text; labels are needed here")
        raise ValueError(_cannot_tell(table, columns, "label"))
    plan = Plan(
        text=texts or (guess.text,),  # type: ignore[arg-type]  # None was refused above
        label=label,
        id=guess.id if id_col is None else id_col or None,
        sentences="sentences" not in texts and _holds(sample, "sentences", lambda given: isinstance(given, LISTS)),
        tree="tree" not in texts
        and _holds(sample, "tree", lambda given: isinstance(given, str) and given.lstrip().startswith("(")),
    )
    return plan, _documents(table, chain(sample, table.rows), plan)


def _sample(table: Table, taken: list[str], text_known: bool, label_known: bool) -> tuple[list[Row], Columns]:
    """Return as many first rows as are needed to find the columns, and the guess of those not taken."""
    sample = list(islice(table.rows, 1))
    if not sample:
        raise ValueError(f"{table.name} has no documents; at least one is needed")
    # The first row is often enough, and a pipe then starts to flow at once.
    guess, by_name = _guess(table, sample, taken, text_known)
    text_told = text_known or guess.text == by_name.text is not None
    label_told = label_known or guess.label == by_name.label is not None
    if not (text_told and label_told):
        sample += islice(table.rows, SAMPLE - 1)
        guess, _ = _guess(table, sample, taken, text_known)
    return sample, guess


def _guess(table: Table, sample: list[Row], taken: list[str], text_known: bool) -> tuple[Columns, Columns]:
    """Return the guess among the columns not ``taken``: with the sample's content, and by their names alone."""
    free = [column for column in table.columns_of(sample) if column not in taken]
    rows = [row.values for row in sample]
    return guess_columns(free, rows, text_known), guess_columns(free, [], text_known)


def _cannot_tell(table: Table, columns: tuple[str, ...], what: str) -> str:
    return (
        f"cannot tell which column of {table.name} is the {what}; its columns are {_list(columns)}. "
        f"Pass {what}_col (--{what}-col on the command line)"
    )


def _documents(table: Table, rows: Iterator[Row], plan: Plan) -> Iterator[tuple[int, Document]]:
    for number, line, values in rows:
        try:
            document = Document(
                id=str(number) if plan.id is None else clean_id(values.get(plan.id)),
                text=_text(values, plan.text),
                label=_label(values, plan.label),
                sentences=_sentences(values) if plan.sentences else None,
                tree=_tree(values) if plan.tree else None,
            )
        except ValueError as error:
            raise ValueError(f"{table.place(line)}: {error}") from None
        yield line, document


def _text(values: Mapping[str, Any], columns: tuple[str, ...]) -> str:
    parts = {column: values.get(column) for column in columns}
    if len(parts) > 1:
        parts = {column: part for column, part in parts.items() if not _is_missing(part)}  # a missing title is fine
    for column, part in parts.items():
        if not isinstance(part, str):
            raise ValueError(
                f"the text (column {column!r}) is {excerpt(part)} of type {type(part).__name__}, not a string"
            )
    if not parts:
        raise ValueError(f"the text is missing in all of the columns {_list(columns)}")
    return "\n\n".join(filter(None, parts.values())) if len(parts) > 1 else str(next(iter(parts.values())))


def _label(values: Mapping[str, Any], columns: Label) -> AnyLabel | None:
    if not isinstance(columns, tuple):
        return None if columns is None else clean_label(values.get(columns))
    states = {column: str(values.get(column)).strip().lower() for column in columns}
    for column, state in states.items():
        if state not in ON + OFF:
            raise ValueError(f"the column {column!r} holds {excerpt(state)}; a column for a label holds 0 or 1")
    return tuple(column for column, state in states.items() if state in ON)


def _is_missing(part: Any) -> bool:
    return part is None or (isinstance(part, float) and math.isnan(part))


def _sentences(values: Mapping[str, Any]) -> tuple[str, ...] | None:
    given = values.get("sentences")
    if given is None:
        return None
    if not isinstance(given, LISTS) or not all(isinstance(sentence, str) for sentence in given):
        raise ValueError("the field 'sentences' must be a list of strings")
    return tuple(str(sentence) for sentence in given)


def _tree(values: Mapping[str, Any]) -> str | None:
    tree = values.get("tree")
    if tree is not None and not isinstance(tree, str):
        raise ValueError(f"the field 'tree' is of type {type(tree).__name__}; it must be a bracketed string")
    return tree


def settle_header(table: Table, taken: Sequence[str]) -> Table:
    """Return the table without a header where its first row is a document, or where ``taken`` columns say so."""
    # The first row is a document if no name in it is a usual one, and a value of it occurs again in its column or is a
    # number above numbers; columns that are named are believed.
    columns = table.columns or ()
    if not table.header or set(taken) & set(columns):
        return table
    if taken:
        numbered = {f"column {i}" for i in range(1, len(columns) + 1)}
        return table.without_header() if set(taken) <= numbered else table
    cells = list(filter(None, table.header))
    if guess_columns(columns, []) != Columns() or cells == list(map(str, range(len(cells)))):  # as of pandas
        return table
    sample = list(islice(table.rows, SAMPLE))
    table.rows = chain(sample, table.rows)
    below = [[str(row.values[column]).strip() for row in sample] for column in columns]
    if not any(_is_value(cell.strip(), values) for cell, values in zip(table.header, below, strict=True)):
        return table
    warnings.warn(
        f"{table.name} seems to have no header row, since its first row looks like a document; its columns are called "
        "'column 1', 'column 2', … If that row is a header, name the columns by text_col and label_col",
        stacklevel=1,
    )
    return table.without_header()


def _is_value(cell: str, below: Sequence[str]) -> bool:
    if not cell or not below:
        return False
    return cell in below or all(NUMBER.fullmatch(value) for value in (cell, *filter(None, below)))


def _holds(sample: list[Row], column: str, test: Callable[[Any], bool]) -> bool:
    return any(test(row.values.get(column)) for row in sample)


def _list(columns: tuple[str, ...]) -> str:
    return some(columns, NAMED) or "none"
