"""Files as lines: plain or compressed (.gz, .xz, .zst) bytes to numbered lines of text, in constant memory.

UTF-8 only, with or without a byte-order mark. A line that is not UTF-8 and a compressed file that ends too early are
errors that name the file and the line, never silently shorter data.
"""

import codecs
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

STANDARD_INPUT = "standard input"  # its name in messages
COMPRESSIONS = (".gz", ".xz", ".zst")
BOM = b"\xef\xbb\xbf"
_MAGIC = {  # the first bytes of a compressed file, and the name of the program
    ".gz": (b"\x1f\x8b", "gzip"),
    ".xz": (b"\xfd7zXZ\x00", "xz"),
    ".zst": (b"\x28\xb5\x2f\xfd", "zstd"),
}
_CHUNK = 1 << 16


def read_lines(path: Path | None) -> Iterator[tuple[int, str]]:
    """Yield ``(line number from 1, line with its line end)`` of a file, or of standard input if ``path`` is None.

    Raises
    ------
    ValueError
        If a line is not UTF-8 or the compressed data is truncated or damaged.
    """
    name = STANDARD_INPUT if path is None else str(path)
    number = 0
    stream = sys.stdin.buffer if path is None else _open(path)
    try:
        for raw in stream:
            number += 1
            yield number, decode(raw.removeprefix(BOM) if number == 1 else raw, name, number)
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        if number == 0 and path is not None:
            _check_compressed(path)
        raise ValueError(f"{name} is truncated or damaged after line {number}: {error}") from error
    finally:
        if path is not None:
            stream.close()


def read_text(path: Path | None) -> str:
    """Return the whole text of a file, or of standard input if ``path`` is None; errors are those of `read_lines`."""
    if path is None:
        return decode(sys.stdin.buffer.read().removeprefix(BOM), STANDARD_INPUT)
    with _open(path) as stream:
        try:
            raw = stream.read()
        except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
            _check_compressed(path)
            raise ValueError(f"{path} is truncated or damaged: {error}") from error
    return decode(raw.removeprefix(BOM), str(path))


def decode(raw: bytes, name: str, first_line: int = 1) -> str:
    """Decode UTF-8; the error of a bad byte says in which line (counted from ``first_line``) it stands."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if first_line == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ValueError(f"{name} is in UTF-16, not in UTF-8; convert it, e.g. iconv -f utf-16 -t utf-8") from None
        line = first_line + raw.count(b"\n", 0, error.start)
        raise ValueError(
            f"{name}, line {line}: not valid UTF-8 (byte 0x{raw[error.start]:02x}); convert the file to UTF-8, "
            "e.g. iconv -f latin1 -t utf-8"
        ) from None


def need(module: str, what: str) -> Any:
    """Import an optional package, or say which extra brings it."""
    try:
        return __import__(module, fromlist=["_"])
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{what} needs the package {package}: pip install laconic[files]") from error


def _check_compressed(path: Path) -> None:
    magic, program = _MAGIC[path.suffix.lower()]
    with path.open("rb") as file:
        start = file.read(len(magic))
    if not magic.startswith(start):
        raise ValueError(
            f"{path} is not {program}-compressed, though its name ends in {path.suffix}; rename it or compress it"
        )


def _open(path: Path) -> BinaryIO:
    match path.suffix.lower():
        case ".gz":
            return io.BufferedReader(gzip.GzipFile(path, "rb"), _CHUNK)
        case ".xz":
            return io.BufferedReader(lzma.LZMAFile(path, "rb"), _CHUNK)
        case ".zst":
            return io.BufferedReader(_ZstdFile(path), _CHUNK)
        case _:
            return open(path, "rb", buffering=_CHUNK)


class _ZstdFile(io.RawIOBase):
    """Decompressed bytes of a .zst file; unlike zstandard's own reader it notices a missing end."""

    def __init__(self, path: Path) -> None:
        self._zstandard = need("zstandard", f"reading {path}")
        self._file = path.open("rb")
        self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        self._ready = b""
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
                self._ready = self._frame.decompress(chunk)
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
