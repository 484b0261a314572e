"""What may be read, and how: regular files alone, UTF-8, limits on what is held in memory, JSON and arrays.

A pipe would block for ever and a device has no end, so both are refused; ``-`` stands for standard input where that is
taken. Numbers that a file declares, such as the shape of an array, are compared with its size before memory is taken.
"""

import codecs
import json
import math
import os
import stat
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np

BOM = b"\xef\xbb\xbf"
LONGEST_LINE = 1 << 26  # bytes of a line or of one document
LARGEST_WHOLE = 1 << 30  # bytes of a file that is read as a whole
_BLOCK = 1 << 24
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def check_regular(path: str | os.PathLike[str], what: str = "") -> None:
    """Raise an error unless there is such a file and it is a regular one; `what` it holds is for the message."""
    place = os.fspath(path)
    try:
        mode = os.stat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"There is no file{' of ' * bool(what)}{what} {place!r}; check its name.") from None
    for test, kind in _KINDS:
        if test(mode):
            raise ValueError(f"{place} is {kind}; a regular file{' of ' * bool(what)}{what} is needed.")


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading bytes; anything else is refused."""
    check_regular(path)
    return open(path, "rb", buffering=1 << 16)


def read_whole(stream: BinaryIO, name: str, most: int | None = None) -> bytes:
    """Return all bytes of a stream, refusing more than `most`, by default `LARGEST_WHOLE`."""
    most = LARGEST_WHOLE if most is None else most
    blocks, size = [], 0
    while block := stream.read(min(_BLOCK, most + 1)):
        blocks.append(block)
        size += len(block)
        if size > most:
            raise ValueError(f"{name} holds more than {most >> 20} MiB, too much at once; split it.")
    return b"".join(blocks)


def decode(raw: bytes, name: str, first_line: int = 1, encoding: str = "utf-8") -> str:
    """Decode UTF-8; the error of a bad byte says in which line (counted from ``first_line``) it stands."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise ValueError(f"{name} is not valid {encoding} ({error.reason}); name another encoding") from None
        if first_line == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ValueError(f"{name} is in UTF-16, not in UTF-8; convert it, e.g. iconv -f utf-16 -t utf-8") from None
        line = first_line + raw.count(b"\n", 0, error.start)
        raise ValueError(
            f"{name}, line {line}: not valid UTF-8 (byte 0x{raw[error.start]:02x}); convert the file to UTF-8, "
            "e.g. iconv -f latin1 -t utf-8, or name its encoding where a command takes --encoding"
        ) from None


def parse_json(text: str | bytes) -> Any:
    """Return what JSON says; a name that occurs twice in an object, or brackets nested too deep, is a ValueError."""
    try:
        return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except RecursionError:
        raise ValueError("brackets are nested too deep") from None


def read_json(path: str | os.PathLike[str], what: str = "") -> Any:
    """Return the content of a JSON file, with or without a byte-order mark; `what` it holds is for messages."""
    check_regular(path, what)
    name = os.fspath(path)
    with open_regular(path) as stream:
        text = decode(read_whole(stream, name).removeprefix(BOM), name)
    try:
        return parse_json(text)
    except ValueError as error:
        raise ValueError(f"{name} is not a JSON file{' of ' * bool(what)}{what}: {error}") from error


def parse_array(content: bytes) -> np.ndarray:
    """Return the array in the bytes of a ``.npy`` file; a shape that they do not hold is a ValueError."""
    stream = BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    try:
        shape, _, kind = read_header[version](stream)
    except Exception as error:  # a forged header is a Python literal that can fail in any way
        raise ValueError(f"its header cannot be read ({error})") from error
    if kind.hasobject or math.prod(shape) * kind.itemsize != len(content) - stream.tell():
        raise ValueError(f"its header speaks of an array of shape {shape} and type {kind}, which it does not hold")
    array: np.ndarray = np.load(BytesIO(content), allow_pickle=False)
    return array


def open_array(path: str | os.PathLike[str]) -> np.ndarray:
    """Return the array of a ``.npy`` file, of which only what is looked at will be read."""
    check_regular(path)
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # as above
        raise ValueError(f"its header cannot be read ({error})") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the name {twice[:60]!r} occurs twice in an object")
    return result


_DECODER = json.JSONDecoder(object_pairs_hook=_once)
