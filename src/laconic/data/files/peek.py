"""Look at the first rows of a source without reading it: which columns it has, and which seem to be what."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from laconic.data.files.columns import GIVEN, Columns, guess_columns, label_candidates, label_columns
from laconic.data.files.file_format import DETECTED, FileFormat
from laconic.data.files.readers import as_table
from laconic.data.files.table import SAMPLE, settle_header


def peek(
    source: Any,
    text_cols: Sequence[str] = (),
    label_col: str | Sequence[str] | None = None,
    id_col: str | None = None,
    form: FileFormat = DETECTED,
) -> tuple[tuple[str, ...], Columns]:
    """Return the columns of a source, not standard input, and the text, label and id among them, given or guessed."""
    labels = label_columns(label_col)
    columns, sample = _look(source, [column for column in (*text_cols, *labels, id_col) if column], form)
    free = [column for column in columns if column not in (*text_cols, *labels, id_col)]
    guess = guess_columns(free, sample, text_known=bool(text_cols))
    found_id = guess.id if id_col is None else id_col or None
    return columns, Columns(
        text_cols[0] if text_cols else guess.text,
        (labels if len(labels) > 1 else labels[0]) if labels else guess.label,
        found_id,
    )


def columns_of(source: Any, form: FileFormat = DETECTED) -> tuple[str, ...]:
    """Return the columns of a source, as they are named in it."""
    return _look(source, (), form)[0]


def possible_labels(
    source: Any, text_cols: Sequence[str] = (), id_col: str | None = None, form: FileFormat = DETECTED
) -> list[str]:
    """Return the columns of a source that could be its label; of more than one the reader takes none."""
    columns, sample = _look(source, [column for column in (*text_cols, id_col) if column], form)
    _, guess = peek(source, text_cols, None, id_col, form)
    taken = (*text_cols, guess.text, guess.id, *GIVEN)
    return label_candidates([column for column in columns if column not in taken], sample)


def _look(source: Any, taken: Sequence[str], form: FileFormat) -> tuple[tuple[str, ...], list[Mapping[str, Any]]]:
    """Return the columns of a source, and its first rows."""
    table = settle_header(as_table(source, form), taken)
    rows = list(islice(table.rows, SAMPLE))
    if not rows:
        raise ValueError(f"{table.name} has no documents; at least one is needed")
    return table.columns_of(rows), [row.values for row in rows]
