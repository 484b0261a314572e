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
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from laconic.text.lowercase import LowerTable
from laconic.text.markup import Markup
from laconic.text.rules import ChunkRule, RegexRule

PRESETS = ("default", "default-1", "wnut2018")


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
