"""Excel workbooks: the first sheet as fields of a file, so that the same rows give the same documents as from a csv."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from laconic.core.extras import need
from laconic.core.files import LARGEST_WHOLE, check_regular
from laconic.data.files.delimited import fields_table
from laconic.data.files.file_format import FileFormat
from laconic.data.files.table import Table


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
