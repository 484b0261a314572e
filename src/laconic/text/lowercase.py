"""A frozen lower-case table: one character in, one character out, so that offsets stay true.

``str.lower`` may lengthen a text (İ becomes two code points), depends on neighbours (final Σ) and on the Unicode
version of the interpreter; JavaScript's ``toLowerCase`` differs again. A table of simple one-to-one mappings that is
stored with the model has none of these troubles. The default table holds the simple lower-case mappings of Unicode 14
with İ → i and with both Σ and final ς → σ, so that ΟΔΟΣ and οδος are one word.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase

CASED_PLANES = 0x20000  # no character at or beyond this code point has a case
SIGMA = "Σ"  # the one character whose str.lower depends on its neighbours
MANY = 64  # so many look-ups per text cost more than str.translate


@dataclass(frozen=True)
class LowerTable:
    """A table that puts ``lower[i]`` for character ``upper[i]``, one for one; two empty strings keep the case."""

    upper: str
    lower: str

    def __post_init__(self) -> None:
        if not (isinstance(self.upper, str) and isinstance(self.lower, str)):
            raise TypeError("A lower-case table is two strings of equal length, upper and lower.")
        if len(self.upper) != len(self.lower):
            raise ValueError(
                f"A lower-case table needs one lower character for each upper one, but got {len(self.upper)} upper and "
                f"{len(self.lower)} lower characters."
            )
        if len(set(self.upper)) != len(self.upper):
            twice = next(c for c in self.upper if self.upper.count(c) > 1)
            raise ValueError(f"The lower-case table lists {twice!r} more than once; list each character once.")

    def text(self, text: str) -> str:
        """Lower-case a text; it keeps its length. ``str.lower`` does the work where the slower table is not needed."""
        if self._plain_ascii and text.isascii():
            return text.lower()
        replaced, refused = self._disagreements
        if len(refused) > MANY or any(c in text for c in refused):
            return text.translate(self.mapping)
        for character, image in replaced:
            text = text.replace(character, image)
        return text.lower()

    @cached_property
    def _plain_ascii(self) -> bool:
        ascii_part = {a: b for a, b in zip(self.upper, self.lower, strict=True) if a.isascii()}
        return ascii_part == dict(zip(ascii_uppercase, ascii_lowercase, strict=True))

    @cached_property
    def mapping(self) -> dict[int, int]:
        """The table by code points."""
        return str.maketrans(self.upper, self.lower)

    @cached_property
    def _disagreements(self) -> tuple[list[tuple[str, str]], list[str]]:
        """Where this Python's ``str.lower`` differs from the table: what to replace first, and what forbids its use."""
        table = dict(zip(self.upper, self.lower, strict=True))
        suspects = {SIGMA, *table, *_changed_by_lower()}
        different = {c: table.get(c, c) for c in sorted(suspects) if c == SIGMA or c.lower() != table.get(c, c)}
        fixable = [(c, image) for c, image in different.items() if image.lower() == image and image not in different]
        return fixable, sorted(set(different) - {c for c, _ in fixable})

    def __reduce__(self) -> tuple:
        return LowerTable, (self.upper, self.lower)


def _changed_by_lower() -> Iterator[str]:
    """Yield every character that ``str.lower`` changes, skipping quickly over blocks without case."""
    for start in range(0, CASED_PLANES, 256):
        if not 0xD800 <= start < 0xE000:
            block = array("I", range(start, start + 256)).tobytes().decode(_UTF32)
            if block.lower() != block:
                yield from (c for c in block if c.lower() != c)


_UTF32 = f"utf-32-{'le' if array('I', [1]).tobytes()[0] else 'be'}"
