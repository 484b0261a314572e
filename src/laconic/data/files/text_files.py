"""Readers of text files, each giving a `Table`: JSON lines, JSON arrays, one document per line, folders.

All but JSON arrays stream in constant memory. Records keep their line number, so that every error can name it.
"""

from collections.abc import Iterator
from functools import partial
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from laconic.core.files import BOM, LONGEST_LINE, decode, open_regular, parse_json, read_whole
from laconic.core.values import excerpt
from laconic.data.files.delimited import DETECTED, FileFormat
from laconic.data.files.items import items_table
from laconic.data.files.lines import OLD_LINE_ENDS, STANDARD_INPUT, open_bytes, read_lines, read_text, source_name
from laconic.data.files.table import Row, Table


def jsonl_table(path: Path | None, form: FileFormat = DETECTED) -> Table:
    """JSON objects, one per line; empty lines are skipped. ``None`` is standard input. JSON is UTF-8 unless said."""
    name = source_name(path)
    return Table(name, _jsonl_rows(name, read_lines(path, form.encoding)))


def json_table(path: Path, form: FileFormat) -> Table:
    """A JSON array of objects or strings; a file that starts otherwise is taken as JSON lines."""
    with open_bytes(path) as stream:
        blocks = iter(partial(stream.read, 1 << 16), b"")
        start = next((block for block in blocks if block.strip()), b"").removeprefix(BOM).lstrip()
    if not start.startswith(b"["):
        return jsonl_table(path, form)
    return items_table(_parse_json(read_text(path), str(path), None), str(path))


def lines_table(path: Path, form: FileFormat) -> Table:
    """Plain text, one document per line, without labels; an empty line is an empty document."""
    return Table(str(path), _line_rows(path, form.encoding_of(path)), columns=("text",))


def folder_table(path: Path, form: FileFormat) -> Table:
    """One sub-folder per class, one document per file; the id is the file's path below ``path``."""
    folders = sorted(child for child in path.iterdir() if child.is_dir() and not child.name.startswith("."))
    if not folders:
        raise ValueError(
            f"the folder {path} has no sub-folders; one sub-folder per class is needed, named by its label"
        )
    return Table(str(path), _folder_rows(path, folders, form.encoding), unit="file", columns=("id", "label", "text"))


def _line_rows(path: Path, encoding: str | None) -> Iterator[Row]:
    for number, line in read_lines(path, encoding):
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


def _folder_rows(path: Path, folders: list[Path], encoding: str | None) -> Iterator[Row]:
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
                raw = read_whole(stream, str(child), LONGEST_LINE).removeprefix(BOM)
            text = decode(raw, str(child), encoding=encoding or "utf-8")
            yield Row(number, number, {"id": child.relative_to(path).as_posix(), "label": folder.name, "text": text})
