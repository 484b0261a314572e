"""Readers of text files, each giving a `Table`: JSON lines, JSON arrays, csv and tsv, one document per line, folders.

All but JSON arrays stream in constant memory. Records keep their line number, so that every error can name it.
"""

import csv
from collections.abc import Iterator
from functools import partial
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from laconic.core.excerpt import excerpt
from laconic.core.files import BOM, LONGEST_LINE, decode, open_regular, parse_json, read_whole
from laconic.data.files.items import items_table
from laconic.data.files.lines import OLD_LINE_ENDS, STANDARD_INPUT, open_bytes, read_lines, read_text, source_name
from laconic.data.files.table import Row, Table


def jsonl_table(path: Path | None) -> Table:
    """JSON objects, one per line; empty lines are skipped. ``None`` is standard input."""
    name = source_name(path)
    return Table(name, _jsonl_rows(name, read_lines(path)))


def json_table(path: Path) -> Table:
    """A JSON array of objects or strings; a file that starts otherwise is taken as JSON lines."""
    with open_bytes(path) as stream:
        blocks = iter(partial(stream.read, 1 << 16), b"")
        start = next((block for block in blocks if block.strip()), b"").removeprefix(BOM).lstrip()
    if not start.startswith(b"["):
        return jsonl_table(path)
    return items_table(_parse_json(read_text(path), str(path), None), str(path))


def csv_table(path: Path, delimiter: str) -> Table:
    """Comma- or tab-separated values with a header row; quoted fields may hold line breaks."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    rows = _csv_records(path, delimiter)
    _, header = next(rows, (1, []))
    if not header:
        raise ValueError(f"{path} is empty; a header row and at least one document are needed")
    columns = tuple(column.strip() or f"column {i}" for i, column in enumerate(header, 1))
    others = {",", ";", "\t"} - {delimiter}
    if len(columns) == 1 and any(other in columns[0] for other in others):
        raise ValueError(
            f"{path}: the header is the single column {excerpt(columns[0])}; "
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
            raise ValueError(f"{path}: {OLD_LINE_ENDS}")
        yield Row(number, number, {"text": text})


def _jsonl_rows(name: str, lines: Iterator[tuple[int, str]]) -> Iterator[Row]:
    for number, line in lines:
        if not line.strip():
            continue
        values = _parse_json(line, name, number)
        if not isinstance(values, dict):
            raise ValueError(
                f'{name}, line {number}: expected a JSON object such as {{"text": ..., "label": ...}}, '
                f"got a {type(values).__name__}: {excerpt(line.strip())}"
            )
        yield Row(number, number, values)


def _parse_json(text: str, name: str, line: int | None) -> Any:
    try:
        return parse_json(text)
    except JSONDecodeError as error:
        at = error.lineno if line is None else line
        if line == 1 and error.msg == "Extra data" and "\r" in text[: error.pos]:
            raise ValueError(f"{name}: {OLD_LINE_ENDS}") from None
        hint = "; standard input is read as JSON lines" if name == STANDARD_INPUT else ""
        piece = text[max(0, error.pos - 30) : error.pos + 30]
        what = error.msg.removesuffix(" at")
        raise ValueError(
            f"{name}, line {at}: malformed JSON ({what} at column {error.colno}): {excerpt(piece.strip())}{hint}"
        ) from None
    except ValueError as error:  # an endless number, brackets nested too deep, a name that occurs twice
        where = name if line is None else f"{name}, line {line}"
        raise ValueError(f"{where}: JSON that cannot be read ({error}): {excerpt(text.strip())}") from None


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
                raise ValueError(f"{path}, line {first_line}: {OLD_LINE_ENDS}") from None
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
            with open_regular(child) as stream:
                text = decode(read_whole(stream, str(child), LONGEST_LINE).removeprefix(BOM), str(child))
            yield Row(number, number, {"id": child.relative_to(path).as_posix(), "label": folder.name, "text": text})
