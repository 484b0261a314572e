"""How a file of texts is written: separator, encoding and header, each detected where it is not said."""

import codecs
import warnings
from dataclasses import dataclass
from pathlib import Path

from laconic.core.files import BOM
from laconic.data.files.lines import open_bytes

BLOCK = 1 << 17  # bytes
LOOKED_AT = 1 << 26  # bytes in which an encoding is looked for
MOST_WESTERN = 0.2  # bytes beyond ASCII for every ASCII one; other alphabets have more
NOT_WINDOWS = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))  # no characters of Windows-1252
TAB = ("tab", "\\t")


@dataclass(frozen=True)
class FileFormat:
    r"""Separator of fields, encoding and whether there is a header row; None is detected.

    Examples
    --------
    >>> FileFormat("tab", "latin1").sep
    '\t'
    """

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
    """Return UTF-16 by its mark, Windows-1252 where that is likely (with a warning), else None for UTF-8.

    Windows-1252 is likely if no character of several bytes in UTF-8 comes before the first byte that is not UTF-8, nor
    in the same block, and if few bytes there are beyond ASCII.
    """
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
