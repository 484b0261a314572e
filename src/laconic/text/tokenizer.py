"""The tokenizer as data: what it reads as markup, a one-to-one table that lower-cases, and a rule that finds tokens.

All are stored in a model, so that Python, a page's JavaScript and any JSON scorer give the same tokens at the same
offsets (code points of the original text). Three presets, in ``presets.json``:

- ``default``: one regular expression. A token is a run of letters, marks, digits and underscores (Unicode categories L,
  M, N) with single apostrophes or zero-width joiners inside; the host of a link; a run of Katakana; a flag; or one Han
  ideograph, one Hiragana or one emoji with the selectors, skin tones and joined emoji that belong to it. HTML entities
  are read as their characters, all kinds of apostrophe as one. The ranges were computed once, from Unicode 14;
  beyond the basic plane they are coarse, because Python's ``re`` tests such ranges one by one.
- ``default-1``: its first version, which older models bring along; links, entities and apostrophes stay as they are.
- ``wnut2018``: the tokenizer behind the published vocabularies of logistic OMP (Skianis et al. 2018): chunks between
  whitespace, punctuation stripped at both ends.

The lower-case table gives one character for one, so that offsets stay true. ``str.lower`` may lengthen a text (İ
becomes two code points), depends on neighbours (final Σ) and on the Unicode version of the interpreter; JavaScript's
``toLowerCase`` differs again. A table of simple one-to-one mappings that is stored with the model has none of these
troubles. The default table holds the simple lower-case mappings of Unicode 14 with İ → i and with both Σ and final ς →
σ, so that ΟΔΟΣ and οδος are one word.

Markup is what HTML leaves in a text: entities such as ``&amp;`` and line breaks. Its patterns are applied one after
another. The group of a pattern is the name of an entity: a name in the table becomes its character, ``#8217`` and
``#x2019`` become the character of that code point, and what is neither stays. A match of a pattern without a group (a
tag) becomes a space.
"""

import json
import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_lowercase, ascii_uppercase

from laconic.text.rules import ChunkRule, RegexRule

CASED_PLANES = 0x20000  # no character at or beyond this code point has a case
SIGMA = "Σ"  # the one character whose str.lower depends on its neighbours
MANY = 64  # so many look-ups per text cost more than str.translate
PRESETS = ("default", "default-1", "wnut2018")


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


@dataclass(frozen=True, repr=False)
class Tokenizer:
    """Split a text into lower-cased tokens with their offsets.

    Use `Tokenizer.preset` or `Tokenizer.from_json` to make one.

    Parameters
    ----------
    rule : RegexRule or ChunkRule
        Finds the tokens in the lower-cased text.
    lower : LowerTable
        Lower-cases the text, one character for one character.
    markup : Markup or None
        Read as what it stands for before anything else.

    Examples
    --------
    >>> tokenizer = Tokenizer.preset("default")
    >>> tokenizer.tokens("Don’t panic &amp; see https://www.example.org/a?b=1, 東京!")
    ["don't", 'panic', 'see', 'https', 'example.org', '東', '京']
    >>> tokenizer.spans("So LONG")
    [(0, 2, 'so'), (3, 7, 'long')]
    >>> Tokenizer.from_json(tokenizer.to_json()) == tokenizer
    True
    """

    rule: RegexRule | ChunkRule
    lower: LowerTable
    markup: Markup | None = None

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text, lower-cased, in order."""
        _check_text(text)
        return self.rule.find(self.lower.text(self.plain(text)))

    def plain(self, text: str) -> str:
        """Return what a text with HTML in it stands for."""
        return text if self.markup is None else self.markup.plain(text)

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return ``(start, end, token)`` for each token; start and end are code points into `text`."""
        _check_text(text)
        if self.markup is None or self.plain(text) == text:
            return self.rule.find_spans(self.lower.text(text))
        plain, places = self.markup.plain_with_places(text)
        return [
            (places[start], places[end], token) for start, end, token in self.rule.find_spans(self.lower.text(plain))
        ]

    def to_json(self) -> dict:
        """Return the tokenizer as plain data; `from_json` is the inverse."""
        markup = {} if self.markup is None else {"markup": self.markup.to_json()}
        return {**self.rule.to_json(), "lower": [self.lower.upper, self.lower.lower], **markup}

    @classmethod
    def from_json(cls, data: Mapping) -> "Tokenizer":
        """Build a tokenizer from what `to_json` returned; `laconic.text.rules` explains the fields."""
        if not isinstance(data, Mapping):
            raise TypeError(f"A tokenizer is stored as a JSON object, but got {type(data).__name__}.")
        kind = data.get("kind")
        if kind not in _RULES:
            raise ValueError(f"Unknown kind of tokenizer {kind!r}; allowed are {', '.join(map(repr, _RULES))}.")
        if missing := [name for name in (*_FIELDS[kind], "lower") if name not in data]:
            raise ValueError(f"The stored tokenizer of kind {kind!r} lacks {', '.join(map(repr, missing))}.")
        lower = data["lower"]
        if not isinstance(lower, (list, tuple)) or len(lower) != 2:
            raise ValueError("'lower' of a stored tokenizer must be two strings of equal length, [upper, lower].")
        markup = Markup.from_json(data["markup"]) if "markup" in data else None
        return cls(_RULES[kind].from_json(data), LowerTable(*lower), markup)

    @staticmethod
    def preset(name: str) -> "Tokenizer":
        """Return a tokenizer that comes with laconic, by its name in `PRESETS`."""
        if name not in PRESETS:
            raise ValueError(f"Unknown tokenizer preset {name!r}; allowed are {', '.join(map(repr, PRESETS))}.")
        return _preset(name)

    def __repr__(self) -> str:
        for name in PRESETS:
            if self == _preset(name):
                return f"Tokenizer.preset({name!r})"
        rule = self.rule.pattern if isinstance(self.rule, RegexRule) else "chunks"
        return f"<Tokenizer {rule!r}>"


_RULES: dict[str, type[RegexRule] | type[ChunkRule]] = {"regex": RegexRule, "chunks": ChunkRule}
_FIELDS = {"regex": ("pattern", "classes"), "chunks": ("space", "outer", "shortest", "inner", "longest")}


@lru_cache
def _preset(name: str) -> Tokenizer:
    from pathlib import Path  # a saved model brings its tokenizer along and must load without this import

    stored = json.loads(Path(__file__).with_name("presets.json").read_text(encoding="utf-8"))
    upper, lower = stored["lower"]
    more: dict = {"classes": stored["classes"]} if stored[name]["kind"] == "regex" else {}
    if name == "default":
        upper, lower = upper + stored["apostrophes"][0], lower + stored["apostrophes"][1]
        more["markup"] = stored["markup"]
    return Tokenizer.from_json({**stored[name], **more, "lower": [upper, lower]})


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise TypeError(
            f"A document must be a string, but got {type(text).__name__} ({str(text)[:40]!r}). Pass texts; for "
            "lists of tokens use Analyzer(kind='tokens')."
        )
