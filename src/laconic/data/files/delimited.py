"""How a file of texts or fields is written: encoding, separator, quotes and header, each detected where it is not said.

The separator is that of the suffix if it cuts a sample of lines into equally many fields, else the one of ``, ; tab |``
that does. Fields between tabs are taken as they are, with their quotes, unless the sample shows quoted fields as those
that Excel and pandas write.
"""

import codecs
import csv
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from laconic.core.files import BOM, LONGEST_LINE
from laconic.data.files.lines import OLD_LINE_ENDS, open_bytes, read_lines
from laconic.data.files.table import Columns, Row, Table, guess_columns

BLOCK = 1 << 17  # bytes
LOOKED_AT = 1 << 26  # bytes in which an encoding is looked for
MOST_WESTERN = 0.2  # bytes beyond ASCII for every ASCII one; other alphabets have more
NOT_WINDOWS = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))  # no characters of Windows-1252
TAB = ("tab", "\\t")
SEPARATORS = (",", ";", "\t", "|")
SAMPLED = 200  # lines
MOST_AGREE = 0.8  # share of lines with as many fields as the first
Numbered = Iterator[tuple[int, str]]
Records = Iterator[tuple[int, list[str]]]


@dataclass(frozen=True)
class FileFormat:
    r"""Separator of fields, encoding and whether there is a header row; None is detected."""

    sep: str | None = None
    encoding: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if self.sep in TAB:
            object.__setattr__(self, "sep", "\t")
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\r\n'):
            raise ValueError(f"sep={self.sep!r} must be one character such as ; or |, or tab")
        try:
            "".encode(self.encoding or "utf-8")
        except LookupError:
            raise ValueError(f"encoding={self.encoding!r} is not known; e.g. utf-8, utf-16 or cp1252") from None

    def encoding_of(self, path: Path) -> str | None:
        """Return the encoding to read a file with, None for UTF-8."""
        encoding = guessed_encoding(path) if self.encoding is None else codecs.lookup(self.encoding).name
        return None if encoding in ("utf-8", "utf-8-sig") else encoding


DETECTED = FileFormat()


def guessed_encoding(path: Path) -> str | None:
    """Return UTF-16 by its mark, Windows-1252 where that is likely (with a warning), else None for UTF-8."""
    # Windows-1252 is likely if no character of several bytes in UTF-8 comes before the first byte that is not UTF-8,
    # nor in the same block, and if few bytes there are beyond ASCII.
    decoder, seen = codecs.getincrementaldecoder("utf-8")(), 0
    try:
        with open_bytes(path) as stream:
            while seen < LOOKED_AT and (block := stream.read(BLOCK)):
                if not seen and block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                    return "utf-16"
                try:
                    if not decoder.decode(block.removeprefix(BOM)).isascii():
                        return None
                except UnicodeDecodeError:
                    return _western(block, path)
                seen += len(block)
    except ValueError:  # not a regular file, or damaged: its reader says so, and where
        pass
    return None


def _western(block: bytes, path: Path) -> str | None:
    odd = block.translate(None, bytes(range(0x80)))
    if not block.decode("utf-8", "ignore").isascii() or len(odd) > MOST_WESTERN * (len(block) - len(odd)):
        return None
    if set(odd) & set(NOT_WINDOWS):
        return None
    warnings.warn(
        f"{path} is not UTF-8 and is read as Windows-1252; if letters are wrong, pass encoding=", stacklevel=1
    )
    return "cp1252"


def delimited_table(path: Path, form: FileFormat, usual: str) -> Table:
    """Return the rows of a file of fields; ``usual`` is the separator that its suffix stands for."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    encoding = form.encoding_of(path)
    sample = [line for _, line in islice(read_lines(path, encoding), SAMPLED)]
    separator = form.sep or _separator(sample, usual)
    lines = read_lines(path, encoding)
    records = _records(path, lines, separator) if _is_quoted(sample, separator) else _tab_records(path, lines)
    return fields_table(path, form, records)


def fields_table(path: Path, form: FileFormat, records: Records, unit: str = "line") -> Table:
    """Return the table of records of fields, whose first is the header unless it looks like a document."""
    _, header = next(records, (1, []))
    if not header:
        raise ValueError(f"{path} is empty; a header row and at least one document are needed")
    cells = tuple(cell.strip() for cell in header)
    columns = tuple(cell or f"column {i}" for i, cell in enumerate(cells, 1))
    twice = len(set(columns)) < len(columns) and form.header is None and guess_columns(columns, []) == Columns()
    if not twice and form.header is not False:
        return Table(str(path), _rows(path, columns, records, unit), unit, columns, tuple(header))
    places = tuple(map(str, range(len(columns))))
    return Table(str(path), _rows(path, places, records, unit), unit, places, tuple(header)).without_header()


def _separator(sample: list[str], usual: str) -> str:
    """Return the separator that cuts most of the sample into as many fields, two at least, as its first line."""
    agree = {separator: _agreement(sample, separator) for separator in (usual, *SEPARATORS)}
    if agree[usual] == 1.0:
        return usual
    best = max(agree, key=lambda separator: agree[separator])
    return best if agree[best] >= MOST_AGREE else usual


def _agreement(sample: list[str], separator: str) -> float:
    reader = csv.reader(sample, delimiter=separator)
    try:
        lengths = [len(record) for record in reader if record]
    except csv.Error:
        return 0.0
    if len(lengths) > 2 and len(sample) == SAMPLED:
        lengths.pop()  # may be cut off
    return Counter(lengths)[lengths[0]] / len(lengths) if lengths and lengths[0] > 1 else 0.0


def _is_quoted(sample: list[str], separator: str) -> bool:
    """Say whether quotes around fields are those of csv: always, but between tabs only where the sample shows it."""
    if separator != "\t":
        return True
    literal = len({line.count("\t") for line in sample if line.strip("\r\n")}) == 1
    lengths = set()
    try:
        lengths = {len(record) for record in csv.reader(sample, delimiter="\t", strict=True) if record}
    except csv.Error as error:
        if literal or "end of data" not in str(error) or len(sample) < SAMPLED:
            return False
    if len(lengths) > 1:
        return False
    return not literal or sample[0].startswith('"') or any('""' in line for line in sample)


def _records(path: Path, lines: Numbered, separator: str) -> Records:
    reader = csv.reader((line for _, line in lines), delimiter=separator, strict=True)
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


def _tab_records(path: Path, lines: Numbered) -> Records:
    for number, line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if number == 1 and "\r" in line.rstrip("\r\n"):
            raise ValueError(f"{path}, line 1: {OLD_LINE_ENDS}")
        if fields != [""]:
            yield number, fields


def _rows(path: Path, columns: tuple[str, ...], records: Records, unit: str) -> Iterator[Row]:
    for number, (line, record) in enumerate(records, 1):
        if len(record) != len(columns):
            raise ValueError(f"{path}, {unit} {line}: {len(record)} fields, but the first row has {len(columns)}")
        yield Row(number, line, dict(zip(columns, record, strict=True)))
