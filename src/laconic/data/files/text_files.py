"""Readers of text files, each giving a `Table`: JSON lines, JSON arrays, csv and tsv, one document per line, folders.

All but JSON arrays stream in constant memory. Records keep their line number, so that every error can name it.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from laconic.data.files.items import items_table
from laconic.data.files.lines import BOM, STANDARD_INPUT, decode, read_lines
from laconic.data.files.table import Row, Table

_OLD_LINE_ENDS = "lines end in a carriage return alone, as on old Macs; convert them, e.g. tr '\\r' '\\n'"
_FIELD_LIMIT = 2**31 - 1  # the csv module's own limit of 128 KiB is shorter than some documents


def jsonl_table(path: Path | None) -> Table:
    """JSON objects, one per line; empty lines are skipped. ``None`` is standard input."""
    name = STANDARD_INPUT if path is None else str(path)
    return Table(name, _jsonl_rows(name, read_lines(path)))


def json_table(path: Path) -> Table:
    """A JSON array of objects or strings; a file that starts otherwise is taken as JSON lines."""
    lines = read_lines(path)
    text = ""
    while not text.strip():
        try:
            _, text = next(lines)
        except StopIteration:
            return Table(str(path), iter(()))
    if not text.lstrip().startswith("["):
        lines.close()  # type: ignore[attr-defined]
        return jsonl_table(path)
    whole = text + "".join(line for _, line in lines)
    values = _parse_json(whole, str(path), None)
    return items_table(values, str(path))


def csv_table(path: Path, delimiter: str) -> Table:
    """Comma- or tab-separated values with a header row; quoted fields may hold line breaks."""
    csv.field_size_limit(max(csv.field_size_limit(), _FIELD_LIMIT))
    rows = _csv_records(path, delimiter)
    _, header = next(rows, (1, []))
    if not header:
        raise ValueError(f"{path} is empty; a header row and at least one document are needed")
    columns = tuple(column.strip() or f"column {i}" for i, column in enumerate(header, 1))
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise ValueError(f"{path}: the header names the column {twice!r} twice; columns must differ")
    others = {",", ";", "\t"} - {delimiter}
    if len(columns) == 1 and any(other in columns[0] for other in others):
        raise ValueError(
            f"{path}: the header is the single column {columns[0]!r}; "
            "fields are separated by commas in a .csv file and by tabs in a .tsv file"
        )
    return Table(str(path), _csv_rows(path, columns, rows), columns=columns, header=True)


def lines_table(path: Path) -> Table:
    """Plain text, one document per line, without labels; an empty line is an empty document."""
    return Table(str(path), _line_rows(path), columns=("text",))


def folder_table(path: Path) -> Table:
    """One sub-folder per class, one document per file; the id is the file's path below ``path``."""
    folders = sorted(child for child in path.iterdir() if child.is_dir() and not child.name.startswith("."))
    if not folders:
        raise ValueError(
            f"the folder {path} has no sub-folders; one sub-folder per class is needed, named by its label"
        )
    return Table(str(path), _folder_rows(path, folders), unit="file", columns=("id", "label", "text"))


def _line_rows(path: Path) -> Iterator[Row]:
    for number, line in read_lines(path):
        text = line.rstrip("\r\n")
        if number == 1 and "\r" in text and not line.endswith("\n"):
            raise ValueError(f"{path}: {_OLD_LINE_ENDS}")
        yield Row(number, number, {"text": text})


def _jsonl_rows(name: str, lines: Iterator[tuple[int, str]]) -> Iterator[Row]:
    for number, line in lines:
        if not line.strip():
            continue
        values = _parse_json(line, name, number)
        if not isinstance(values, dict):
            raise ValueError(
                f'{name}, line {number}: expected a JSON object such as {{"text": ..., "label": ...}}, '
                f"got a {type(values).__name__}: {_excerpt(line)}"
            )
        yield Row(number, number, values)


def _parse_json(text: str, name: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        if line == 1 and error.msg == "Extra data" and "\r" in text[: error.pos]:
            raise ValueError(f"{name}: {_OLD_LINE_ENDS}") from None
        hint = "; standard input is read as JSON lines" if name == STANDARD_INPUT else ""
        piece = text[max(0, error.pos - 30) : error.pos + 30]
        what = error.msg.removesuffix(" at")
        raise ValueError(
            f"{name}, line {at}: malformed JSON ({what} at column {error.colno}): {_excerpt(piece)}{hint}"
        ) from None
    except (ValueError, RecursionError) as error:  # an endless number, brackets nested too deep
        raise ValueError(f"{name}, line {line or 1}: JSON that cannot be read ({error}): {_excerpt(text)}") from None


def _csv_records(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader((line for _, line in read_lines(path)), delimiter=delimiter, strict=True)
    first_line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "new-line character" in str(error):
                raise ValueError(f"{path}, line {first_line}: {_OLD_LINE_ENDS}") from None
            raise ValueError(
                f"{path}, line {first_line}: malformed csv ({error}); a field with quotes, separators or line breaks "
                'must be in quotes, and its quotes doubled: "she said ""no"""'
            ) from None
        if record:
            yield first_line, record
        first_line = reader.line_num + 1


def _csv_rows(path: Path, columns: tuple[str, ...], records: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
    for number, (line, record) in enumerate(records, 1):
        if len(record) != len(columns):
            raise ValueError(f"{path}, line {line}: {len(record)} fields, but the header has {len(columns)}")
        yield Row(number, line, dict(zip(columns, record, strict=True)))


def _folder_rows(path: Path, folders: list[Path]) -> Iterator[Row]:
    number = 0
    for folder in folders:
        children = sorted(child for child in folder.iterdir() if not child.name.startswith("."))
        deeper = [child for child in children if child.is_dir()]
        if deeper:
            raise ValueError(
                f"the folder {folder} holds the folder {deeper[0].name!r}; expected {path}/<label>/<file>, "
                "one level of sub-folders"
            )
        for child in children:
            number += 1
            identifier = child.relative_to(path).as_posix()
            text = decode(child.read_bytes().removeprefix(BOM), str(child))
            yield Row(number, number, {"id": identifier, "label": folder.name, "text": text})


def _excerpt(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
