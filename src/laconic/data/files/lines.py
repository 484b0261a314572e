"""Files as lines: plain or compressed (.gz, .xz, .zst) bytes to numbered lines of text, in constant memory.

UTF-8, with or without a byte-order mark, unless another encoding is named. A line that is not UTF-8 and a compressed
file that ends too early are errors that name the file and the line, never silently shorter data. So is a line longer
than `LONGEST_LINE`.
"""

import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from laconic.core.extras import need
from laconic.core.files import BOM, LONGEST_LINE, check_regular, decode, open_regular, read_whole

STANDARD_INPUT = "standard input"  # its name in messages
OLD_LINE_ENDS = "lines end in a carriage return alone, as on old Macs; convert them, e.g. tr '\\r' '\\n'"
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile)
_MAGIC = {  # the first bytes of a compressed file, and the name of the program
    ".gz": (b"\x1f\x8b", "gzip"),
    ".xz": (b"\xfd7zXZ\x00", "xz"),
    ".zst": (b"\x28\xb5\x2f\xfd", "zstd"),
}
COMPRESSIONS = tuple(_MAGIC)
_CHUNK = 1 << 16


def read_lines(path: Path | None, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield ``(line number from 1, line with its line end)`` of a file, or of standard input if ``path`` is None."""
    name, number = source_name(path), 0
    with open_bytes(path) as stream:
        source: Any = stream if encoding is None else io.TextIOWrapper(stream, encoding, newline="\n")
        try:
            for raw in iter(partial(source.readline, LONGEST_LINE + 1), "" if encoding else b""):
                number += 1
                if len(raw) > LONGEST_LINE:
                    raise ValueError(f"{name}, line {number} is longer than {LONGEST_LINE >> 20} MiB; break it up.")
                if isinstance(raw, bytes):
                    raw = decode(raw.removeprefix(BOM) if number == 1 else raw, name, number)
                yield number, raw
        except UnicodeError as error:
            raise ValueError(f"{name}, after line {number}: not valid {encoding} ({error}); pass encoding=") from None
        except _DAMAGE as error:
            if number == 0 and path is not None:
                _check_compressed(path)
            raise ValueError(f"{name} is truncated or damaged after line {number}: {error}") from error
        finally:
            if encoding is not None:
                source.detach()  # or the stream, which may be standard input, would be closed with it


def read_text(path: Path | None) -> str:
    """Return the whole text of a file, or of standard input if ``path`` is None."""
    return decode(read_bytes(path).removeprefix(BOM), source_name(path))


def read_bytes(path: Path | None, most: int | None = None) -> bytes:
    """Return all that a file holds, unpacked, or what comes from standard input if ``path`` is None."""
    with open_bytes(path) as stream:
        return read_whole(stream, source_name(path), most)


def plain_suffix(path: Path) -> str:
    """Return what the name of a file ends in, in lower case, without the suffix of a compression."""
    return Path(path.stem if path.suffix.lower() in COMPRESSIONS else path.name).suffix.lower()


def source_name(path: Path | None) -> str:
    """Return how messages call a file, or standard input."""
    return STANDARD_INPUT if path is None else str(path)


@contextmanager
def open_bytes(path: Path | None) -> Iterator[BinaryIO]:
    """Open a regular file, unpacked if its name says that it is compressed; None is standard input, left open."""
    if path is None:
        yield sys.stdin.buffer
        return
    check_regular(path)
    unpacked: dict[str, Any] = {".gz": gzip.GzipFile, ".xz": lzma.LZMAFile, ".zst": _ZstdFile}
    unpack = unpacked.get(path.suffix.lower())
    with open_regular(path) if unpack is None else io.BufferedReader(unpack(path), _CHUNK) as stream:
        try:
            yield stream
        except _DAMAGE as error:
            _check_compressed(path)
            raise ValueError(f"{path} is truncated or damaged: {error}") from error


def _check_compressed(path: Path) -> None:
    magic, program = _MAGIC[path.suffix.lower()]
    with open_regular(path) as file:
        start = file.read(len(magic))
    if not magic.startswith(start):
        raise ValueError(
            f"{path} is not {program}-compressed, though its name ends in {path.suffix}; rename it or compress it"
        )


class _ZstdFile(io.RawIOBase):
    """Decompressed bytes of a .zst file; unlike zstandard's own reader it notices a missing end."""

    def __init__(self, path: Path) -> None:
        self._zstandard = need("zstandard", f"reading {path}")
        self._file = open_regular(path)
        self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        self._ready = memoryview(b"")
        self._inside = False  # in the middle of a frame

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            chunk = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = self._zstandard.ZstdDecompressor().decompressobj()
                self._inside = False
            chunk = chunk or self._file.read(_CHUNK // 16)  # a chunk comes out whole, however long it becomes
            if not chunk:
                if self._inside:
                    raise EOFError("the zst data ends before its end marker")
                return 0
            try:
                self._ready = memoryview(self._frame.decompress(chunk))
            except self._zstandard.ZstdError as error:
                raise EOFError(f"bad zst data ({error})") from error
            self._inside = True
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
