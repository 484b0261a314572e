"""Look at the first rows of a source without reading it: which columns it has, and which seem to be what."""

from collections.abc import Collection
from itertools import islice
from typing import Any

from .columns import Columns, guess_columns
from .readers import _table
from .table import SAMPLE, _columns


def peek(source: Any, taken: Collection[str | None] = ()) -> tuple[tuple[str, ...], Columns]:
    """Return the columns of a source and the guess which of them is text, label and id.

    Parameters
    ----------
    source
        As for `laconic.data.read`, but not standard input, whose rows would be lost.
    taken : collection of str
        Columns whose part is settled already; the guess is among the others.

    Examples
    --------
    >>> peek([{"a": "the first text", "b": "x"}, {"a": "the second", "b": "y"}])
    (('a', 'b'), Columns(text='a', label=None, id=None))
    """
    table = _table(source)
    sample = list(islice(table.rows, SAMPLE))
    columns = _columns(table, sample)
    free = [column for column in columns if column not in taken]
    return columns, guess_columns(free, [row.values for row in sample])
