"""What HTML leaves in a text: entities such as ``&amp;`` or ``&#8217;`` and line breaks, read as what they stand for.

The patterns are applied one after another. The group of a pattern is the name of an entity: a name in the table becomes
its character, ``#8217`` and ``#x2019`` become the character of that code point, and what is neither stays. A match of a
pattern without a group (a tag) becomes a space.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Markup:
    """Patterns of entities and tags, and the names of entities with their characters, one character a name."""

    patterns: tuple[str, ...]
    names: str  # separated by spaces, lower-case
    characters: str

    def __post_init__(self) -> None:
        if len(self.names.split()) != len(self.characters):
            raise ValueError("The markup of a tokenizer needs as many characters as names of entities.")
        if any(pattern.groups > 1 for pattern in self._compiled):
            raise ValueError("The markup patterns of a tokenizer must have one group at most, the name of an entity.")

    def plain(self, text: str) -> str:
        """Return the text with characters in place of entities, and spaces in place of tags."""
        for pattern in self._compiled:
            text = pattern.sub(self._character if pattern.groups else " ", text)
        return text

    def plain_with_places(self, text: str) -> tuple[str, list[int]]:
        """Return the plain text and where each of its characters starts in `text`; the last place is its end."""
        places = list(range(len(text) + 1))
        for pattern in self._compiled:
            parts, kept, end = [], [], 0
            for match in pattern.finditer(text):
                character = self._character(match)
                parts += [text[end : match.start()], character]
                kept += places[end : match.start() + 1] if len(character) == 1 else places[end : match.end()]
                end = match.end()
            text, places = "".join([*parts, text[end:]]), kept + places[end:]
        return text, places

    def _character(self, match: re.Match[str]) -> str:
        if not match.re.groups:
            return " "
        name = match[1]
        if (known := self._table.get(name.lower())) is not None:
            return known
        if not (number := _NUMBER.fullmatch(name)):
            return match[0]
        code = int(number[1]) if number[1] else int(number[2], 16)
        return chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else match[0]

    @cached_property
    def _compiled(self) -> list[re.Pattern[str]]:
        try:
            return [re.compile(pattern) for pattern in self.patterns]
        except re.error as error:
            raise ValueError(f"A markup pattern of {self.patterns} is not a regular expression: {error}.") from error

    @cached_property
    def _table(self) -> Mapping[str, str]:
        return dict(zip(self.names.split(), self.characters, strict=True))

    def to_json(self) -> dict:
        """Return the markup as plain data."""
        return {"patterns": list(self.patterns), "names": self.names, "characters": self.characters}

    @classmethod
    def from_json(cls, data: Mapping) -> "Markup":
        """Build the markup from plain data."""
        return cls(tuple(data["patterns"]), data["names"], data["characters"])


_NUMBER = re.compile("#(?:([0-9]+)|[xX]([0-9a-fA-F]+))")
