"""Look at the first rows of a source without reading it: which columns it has, and which seem to be what."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from laconic.data.files.columns import GIVEN, Columns, guess_columns, label_candidates
from laconic.data.files.readers import as_table
from laconic.data.files.table import SAMPLE, Table, check_header


def peek(
    source: Any, text_cols: Sequence[str] = (), label_col: str | None = None, id_col: str | None = None
) -> tuple[tuple[str, ...], Columns]:
    """Return the columns of a source, not standard input, and the text, label and id among them, given or guessed."""
    table, columns, sample = _look(source)
    free = [column for column in columns if column not in (*text_cols, label_col, id_col)]
    guess = guess_columns(free, sample, text_known=bool(text_cols))
    if table.header and not (text_cols or label_col or id_col) and guess_columns(columns, []) == Columns():
        check_header(table, sample, guess)
    return columns, Columns(text_cols[0] if text_cols else guess.text, label_col or guess.label, id_col or guess.id)


def columns_of(source: Any) -> tuple[str, ...]:
    """Return the columns of a source, as they are named in it."""
    return _look(source)[1]


def possible_labels(source: Any, text_cols: Sequence[str] = (), id_col: str | None = None) -> list[str]:
    """Return the columns of a source that could be its label; of more than one the reader takes none."""
    _, columns, sample = _look(source)
    _, guess = peek(source, text_cols, None, id_col)
    taken = (*text_cols, guess.text, guess.id, *GIVEN)
    return label_candidates([column for column in columns if column not in taken], sample)


def _look(source: Any) -> tuple[Table, tuple[str, ...], list[Mapping[str, Any]]]:
    """Return a source as a table, its columns, and its first rows."""
    table = as_table(source)
    rows = list(islice(table.rows, SAMPLE))
    if not rows:
        raise ValueError(f"{table.name} has no documents; at least one is needed")
    return table, table.columns_of(rows), [row.values for row in rows]
