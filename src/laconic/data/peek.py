"""Look at the first rows of a source without reading it: which columns it has, and which seem to be what."""

from itertools import islice
from typing import Any

from .columns import Columns, guess_columns
from .readers import _table
from .table import SAMPLE, _columns


def peek(source: Any) -> tuple[tuple[str, ...], Columns]:
    """Return the columns of a source and the guess which of them is text, label and id.

    Parameters
    ----------
    source
        As for `laconic.data.read`, but not standard input, whose rows would be lost.

    Examples
    --------
    >>> peek([{"a": "the first text", "b": "x"}, {"a": "the second", "b": "y"}])
    (('a', 'b'), Columns(text='a', label=None, id=None))
    """
    table = _table(source)
    sample = list(islice(table.rows, SAMPLE))
    columns = _columns(table, sample)
    return columns, guess_columns(columns, [row.values for row in sample])
