"""The one shape every reader gives: a named stream of rows, each a mapping with its number and its line.

Readers of files, folders, frames and lists make a `Table`; `rows_to_documents` alone knows how rows become documents.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from laconic.data.corpus import clean_id
from laconic.data.document import Document
from laconic.data.files.columns import Columns, guess_columns
from laconic.data.labels import AnyLabel, clean_label

SAMPLE = 100  # rows looked at to find the columns
LISTS = (list, tuple, np.ndarray)


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
    header: bool = False  # the columns come from a first row that may be missing

    def place(self, line: int) -> str:
        """Say where a row stands, e.g. ``reviews.csv, line 7``."""
        return f"{self.name}, {self.unit} {line}"


@dataclass(frozen=True)
class Plan:
    """Which columns become which part of a document."""

    text: tuple[str, ...]
    label: str | None
    id: str | None
    sentences: bool
    tree: bool


def rows_to_documents(
    table: Table,
    text_col: str | Sequence[str] | None,
    label_col: str | None,
    id_col: str | None,
    labelled: bool | None,
) -> tuple[Plan, Iterator[tuple[int, Document]]]:
    """Find the columns, then return the plan and an iterator of ``(line, document)``.

    Raises
    ------
    ValueError
        At once if there is no row or a column is missing or cannot be told; while iterating if a row is bad.
    """
    texts = (text_col,) if isinstance(text_col, str) else tuple(text_col or ())
    sample = list(islice(table.rows, 1))
    if not sample:
        raise ValueError(f"{table.name} has no documents; at least one is needed")
    # The first row is often enough, and a pipe then starts to flow at once.
    guess, by_name = _guess(table, sample, {*texts, label_col, id_col}, bool(texts))
    text_told = bool(texts) or guess.text == by_name.text is not None
    label_told = label_col or labelled is False or guess.label == by_name.label is not None
    if not (text_told and label_told):
        sample += islice(table.rows, SAMPLE - 1)
        guess, _ = _guess(table, sample, {*texts, label_col, id_col}, bool(texts))
    columns = _columns(table, sample)
    if table.header and by_name == Columns() and not (texts or label_col or id_col):
        check_header(table, [row.values for row in sample], guess)
    named = [*texts, *([label_col] if label_col and labelled is not False else []), *([id_col] if id_col else [])]
    if any(column not in columns for column in named):
        sample += islice(table.rows, SAMPLE - len(sample))  # an optional field may come only in a later row
        columns = _columns(table, sample)
    for column in named:
        if column not in columns:
            raise ValueError(f"{table.name} has no column {column!r}; its columns are {_list(columns)}")
    if not texts and guess.text is None:
        raise ValueError(
            f"cannot tell which column of {table.name} is the text; its columns are {_list(columns)}. "
            "Pass text_col (--text-col on the command line)"
        )
    label = None if labelled is False else label_col or guess.label
    if labelled and label is None:
        if set(columns) <= {*texts, guess.text, "id"}:
            raise ValueError(f"{table.name} has no labels, only text; labels are needed here")
        raise ValueError(
            f"cannot tell which column of {table.name} is the label; its columns are {_list(columns)}. "
            "Pass label_col (--label-col on the command line)"
        )
    plan = Plan(
        text=texts or (guess.text,),  # type: ignore[arg-type]  # None was refused above
        label=label,
        id=id_col or guess.id,
        sentences=_holds(sample, "sentences", lambda v: isinstance(v, LISTS)) and "sentences" not in texts,
        tree=_holds(sample, "tree", lambda v: isinstance(v, str) and v.lstrip().startswith("("))
        and "tree" not in texts,
    )
    return plan, _documents(table, chain(sample, table.rows), plan)


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
    found = [(column, values.get(column)) for column in columns]
    if len(found) > 1:
        found = [(column, part) for column, part in found if not _is_missing(part)]  # a post without a title is fine
    for column, part in found:
        if not isinstance(part, str):
            raise ValueError(f"the text (column {column!r}) is {part!r} of type {type(part).__name__}, not a string")
    if not found:
        raise ValueError(f"the text is missing in all of the columns {_list(columns)}")
    return str(found[0][1]) if len(found) == 1 else "\n\n".join(part for _, part in found if part)


def _is_missing(part: Any) -> bool:
    return part is None or (isinstance(part, float) and math.isnan(part))


def _label(values: Mapping[str, Any], column: str | None) -> AnyLabel | None:
    return None if column is None else clean_label(values.get(column))


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


def _guess(table: Table, sample: list[Row], taken: set[str | None], text_known: bool) -> tuple[Columns, Columns]:
    """Guess among the columns not ``taken``: with the sample's content, and by their names alone."""
    free = [column for column in _columns(table, sample) if column not in taken]
    rows = [row.values for row in sample]
    return guess_columns(free, rows, text_known), guess_columns(free, [], text_known)


def check_header(table: Table, sample: Sequence[Mapping[str, Any]], guess: Columns) -> None:
    """Refuse a header whose names nobody knows and of which one stands among the values below it: it is a document."""
    for column in (guess.label, guess.text):
        if column is not None and any(str(values.get(column)).strip() == column for values in sample):
            raise ValueError(
                f"the first row of {table.name} looks like a document; a header row is needed: the first value of a "
                f"column, {_excerpt(column)}, occurs again below it. Add a header row such as text,label; or, if this "
                "is one, name the columns by text_col and label_col (--text-col and --label-col on the command line)"
            )


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _columns(table: Table, sample: list[Row]) -> tuple[str, ...]:
    return table.columns or tuple(dict.fromkeys(key for row in sample for key in row.values))


def _holds(sample: list[Row], column: str, test: Callable[[Any], bool]) -> bool:
    return any(test(row.values.get(column)) for row in sample)


def _list(columns: tuple[str, ...]) -> str:
    return ", ".join(repr(column) for column in columns) or "none"
