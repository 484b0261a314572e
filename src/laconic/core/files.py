"""What may be read, and how: regular files alone, UTF-8, limits on what is held in memory, JSON and arrays; and writes.

A pipe would block for ever and a device has no end, so both are refused; ``-`` stands for standard input where that is
taken. Numbers that a file declares, such as the shape of an array, are compared with its size before memory is taken.

Files and folders are written under a hidden name beside their target, synced to the disk, and then renamed. A reader
sees the old content or the new one; a full disk or an interrupt leaves the old content and no other file.
"""

from __future__ import annotations

import codecs
import errno
import json
import math
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

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
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CANNOT_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of renameat2(2)


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


@contextmanager
def replacing(path: str | os.PathLike[str], mode: str = "w", errors: str = "strict") -> Iterator[Any]:
    """Open a file that takes the place of `path` once the block has ended without an error; links are followed."""
    target = os.path.realpath(path)
    if os.path.exists(target):
        check_regular(target)
    # The name is settled before the file exists: an interrupt at any moment finds it here and removes it.
    temporary = _hidden(target, "new", longest=48)
    text = {} if "b" in mode else {"encoding": "utf-8", "errors": errors, "newline": ""}
    try:
        with open(temporary, mode.replace("w", "x"), **text) as file:  # type: ignore[call-overload]
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename != temporary and error.errno not in _FULL:
            raise
        # The reader knows the target, not the hidden file.
        raise OSError(error.errno, f"cannot be written ({error.strerror})", os.fspath(path)) from error
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, whole or not at all; text as UTF-8."""
    with replacing(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside `target`, to be filled and renamed; whatever has its name at the end is removed."""
    import shutil  # here and below, not above: loading a model must stay light
    from pathlib import Path

    new = Path(_hidden(os.fspath(target), "new"))
    try:
        new.mkdir()
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


def put_folder(new: Path, target: Path) -> None:
    """Rename `new` to `target`, in place of a folder that stands there, which comes back if anything fails."""
    # Where the system can exchange two names there is no moment without a folder.
    sync_folder(new)
    if not target.exists():
        os.rename(new, target)
    elif not exchange(new, target):
        _swap(new, target)
    sync_folder(target.parent)


def exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two folders in one step; return False, with nothing done, where the system cannot."""
    import ctypes
    import sys

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), os.fspath(other))


def left_behind(target: str | os.PathLike[str]) -> list[str]:
    """Return the hidden folders that saves to `target` are filling or have left: earlier content before later."""
    parent, name = os.path.split(os.path.realpath(target))
    hidden = re.compile(rf"\.{re.escape(name)}\.\w+\.(old|new)")
    with suppress(OSError):
        beside = filter(hidden.fullmatch, os.listdir(parent))
        return [os.path.join(parent, one) for one in sorted(beside, key=lambda one: (not one.endswith("old"), one))]
    return []


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Write the names in a folder to the disk."""
    with suppress(OSError):  # some systems cannot open a folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _hidden(target: str, end: str, longest: int | None = None) -> str:
    parent, name = os.path.split(target)
    return os.path.join(parent, f".{name[:longest]}.{os.urandom(4).hex()}.{end}")


def _swap(new: Path, target: Path) -> None:
    """Rename `new` to `target` in two steps."""
    import shutil

    aside = new.with_suffix(".old")
    try:
        os.rename(target, aside)
        os.rename(new, target)
    finally:
        # also after Ctrl-C, whichever of the two renames it fell on
        if aside.exists() and not target.exists():
            os.rename(aside, target)
        shutil.rmtree(aside, ignore_errors=True)
