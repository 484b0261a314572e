"""Readers of things in memory, of parquet files and of Excel workbooks, each giving a `Table`.

Lists of strings, lists of dicts, pandas and polars frames, Hugging Face datasets. Foreign types are recognised by what
they can do, so that none of these packages is imported unless the caller already uses it.

The first sheet of a workbook is read as the fields of a file, so that it gives the same documents as a csv.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from laconic.core.extras import need
from laconic.core.files import LARGEST_WHOLE, check_regular
from laconic.data.files.delimited import FileFormat, fields_table
from laconic.data.files.table import Row, Table


def items_table(items: Iterable[Any], name: str) -> Table:
    """Strings (unlabelled texts) or mappings, from any iterable."""
    return Table(name, _item_rows(items, name), unit="item")


def dataset_table(dataset: Any, name: str) -> Table:
    """A Hugging Face dataset: it has ``column_names``, and iterating over it gives dicts."""
    if isinstance(dataset.column_names, Mapping):
        splits = ", ".join(repr(split) for split in dataset.column_names)
        raise ValueError(f"the dataset has the splits {splits}; pass one of them, e.g. dataset[{splits.split(',')[0]}]")
    columns = None if dataset.column_names is None else tuple(dataset.column_names)
    return Table(name, _numbered(dataset), unit="row", columns=columns)


def pandas_table(frame: Any, name: str) -> Table:
    """A pandas frame; all its signs for missing values become None."""
    columns = tuple(map(str, frame.columns))
    values = []
    for i in range(len(columns)):
        series = frame.iloc[:, i]
        values.append([None if gone else value for value, gone in zip(series.tolist(), series.isna(), strict=True)])
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True))
    return Table(name, _numbered(rows), unit="row", columns=columns)


def polars_table(frame: Any, name: str) -> Table:
    """A polars frame."""
    return Table(name, _numbered(frame.iter_rows(named=True)), unit="row", columns=tuple(map(str, frame.columns)))


def parquet_table(path: Path, form: FileFormat) -> Table:
    """A parquet file, read batch by batch."""
    check_regular(path)
    parquet = need("pyarrow.parquet", f"reading {path}")
    try:
        file = parquet.ParquetFile(path)
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is not a parquet file, or truncated or damaged: {error}") from error
    return Table(str(path), _numbered(_parquet_rows(file, path)), unit="row", columns=tuple(file.schema_arrow.names))


def _item_rows(items: Iterable[Any], name: str) -> Iterator[Row]:
    kind: type | None = None
    for number, item in enumerate(items, 1):
        this = str if isinstance(item, str) else Mapping if isinstance(item, Mapping) else None
        if this is None or kind not in (None, this):
            raise ValueError(
                f"{name}, item {number} is of type {type(item).__name__}; items must be all strings or all dicts"
            )
        kind = this
        yield Row(number, number, {"text": item} if kind is str else item)


def _numbered(rows: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    return (Row(number, number, values) for number, values in enumerate(rows, 1))


def _parquet_rows(file: Any, path: Path) -> Iterator[dict[str, Any]]:
    try:
        with file:
            for batch in file.iter_batches(batch_size=1024):
                yield from batch.to_pylist()
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is truncated or damaged: {error}") from error


def excel_table(path: Path, form: FileFormat) -> Table:
    """Return the rows of the first sheet; formulas stand for the values that were saved with them."""
    return fields_table(path, form, _records(path), "row")


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row that is not empty, all at least as wide as the first."""
    from zipfile import BadZipFile

    width = 0
    try:
        for number, row in enumerate(_sheet(path).iter_rows(values_only=True), 1):
            cells = list(map(_text, row))
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                width = width or len(cells)
                yield number, cells + [""] * (width - len(cells))
    except (BadZipFile, EOFError, KeyError, OSError, SyntaxError) as error:  # the last is that of XML
        raise ValueError(f"{path} is not an Excel workbook (.xlsx), or damaged: {error}") from error


def _sheet(path: Path) -> Any:
    """Return the first sheet, of which openpyxl reads row by row, while it holds all strings in memory."""
    from zipfile import ZipFile

    check_regular(path)
    openpyxl = need("openpyxl", f"reading {path}")
    with ZipFile(path) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > LARGEST_WHOLE:
        raise ValueError(f"{path} is larger than {LARGEST_WHOLE >> 30} GiB unpacked; save it as a csv file")
    sheets = openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets
    if not sheets:
        raise ValueError(f"{path} has no sheet of cells")
    if len(sheets) > 1:
        warnings.warn(f"{path} has {len(sheets)} sheets; the first, {sheets[0].title!r}, is read", stacklevel=1)
    sheets[0].reset_dimensions()  # some programs write wrong ones
    return sheets[0]


def _text(value: Any) -> str:
    """Return a cell as a csv would hold it: whole numbers without a point, nothing for an empty one."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
