"""The two kinds of rule a tokenizer can be: a regular expression over named character ranges, or chunks between spaces.

A rule is plain data (strings, numbers, ranges of code points): a model can carry it and any language can apply it.

- ``regex``: replace each ``{name}`` in the pattern by the ranges of that class, compile (JavaScript: flag ``u``), and
  take all matches from left to right. Escapes like ``\\w`` or ``\\b``, whose meaning differs between languages and
  Unicode versions, are refused. With ``link``, what that pattern matches after ``://`` or ``www.`` is one token, cut to
  the host (`LINK` stands before the pattern, and what `CUT` matches is left out of tokens that hold a full stop).
- ``chunks``: take the runs of characters outside ``space``, strip the characters ``outer`` from both ends, drop what is
  shorter than ``shortest``, strip ``inner`` from both ends, and keep lengths from 1 to ``longest``.

Both are applied to the text after lower-casing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

Ranges = tuple[tuple[int, int], ...]

LINK = r"(?:(?<=://)(?:www\.)?|(?<=www\.))"  # before a link
CUT = r"^(?:www\.)?|[:/?#].*$"  # what is no host


@dataclass(frozen=True)
class RegexRule:
    """Tokens are the matches of a pattern over named character classes."""

    pattern: str
    classes: tuple[tuple[str, Ranges], ...]
    link: str = ""

    def __post_init__(self) -> None:
        if not (isinstance(self.pattern, str) and isinstance(self.link, str)):
            raise TypeError(f"The pattern of a tokenizer is a string, but got {type(self.pattern).__name__}.")
        if refused := _UNSTABLE_ESCAPE.search(self.link + self.pattern):
            raise ValueError(
                f"The pattern {self.link + self.pattern!r} uses {refused[0]!r}, which means different characters in "
                "different languages and Unicode versions. Write a named class of ranges such as [{w}] instead."
            )
        known = dict(self.classes)
        if unknown := sorted(set(_PLACEHOLDER.findall(self.pattern)) - set(known)):
            raise ValueError(
                f"The pattern {self.pattern!r} names the classes {unknown}, but only {sorted(known)} are defined."
            )

    def find(self, text: str) -> list[str]:
        """Return the tokens of a lower-cased text."""
        if not self.may_link(text):
            return self._words.findall(text)
        return [_host(token) for token in self._compiled.findall(text)]

    def find_spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return start, end and token of each token."""
        if not self.may_link(text):
            return [(*match.span(), match[0]) for match in self._words.finditer(text)]
        return [(*match.span(), _host(match[0])) for match in self._compiled.finditer(text)]

    def may_link(self, text: str) -> bool:
        """Whether links count and a lower-cased text may hold one."""
        return bool(self.link) and ("://" in text or "www." in text)

    @property
    def expanded(self) -> str:
        """The pattern with ranges in place of names; it reads the same in Python and, with the flag u, JavaScript."""
        inner = {name: _class_text(ranges) for name, ranges in self.classes}
        pattern = f"{LINK}(?:{self.link})|{self.pattern}" if self.link else self.pattern
        return _PLACEHOLDER.sub(lambda match: inner[match[1]], pattern)

    @cached_property
    def _words(self) -> re.Pattern[str]:
        """The pattern without links, which takes less time."""
        return replace(self, link="")._compiled

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        try:
            compiled = re.compile(self.expanded)
        except re.error as error:
            raise ValueError(f"The tokenizer pattern {self.pattern!r} is not a regular expression: {error}.") from error
        if compiled.groups:
            raise ValueError(f"The tokenizer pattern {self.pattern!r} has capturing groups; write (?:…) for (…).")
        if compiled.match(""):
            raise ValueError(f"The tokenizer pattern {self.pattern!r} matches the empty string; it must not.")
        return compiled

    def to_json(self) -> dict:
        """Return the rule as plain data."""
        classes = {name: [list(pair) for pair in ranges] for name, ranges in self.classes}
        return {
            "kind": "regex",
            "pattern": self.pattern,
            "classes": classes,
            **({"link": self.link} if self.link else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping) -> "RegexRule":
        """Build the rule from plain data."""
        if not isinstance(data["classes"], Mapping):
            raise ValueError("The classes of a regex tokenizer are an object of names and ranges [[first, last], …].")
        classes = tuple((name, _ranges(name, value)) for name, value in data["classes"].items())
        return cls(data["pattern"], classes, data.get("link", ""))


@dataclass(frozen=True)
class ChunkRule:
    """Tokens are the stretches between spaces, stripped of punctuation at both ends."""

    space: Ranges
    outer: str
    shortest: int
    inner: str
    longest: int

    def __post_init__(self) -> None:
        if not self.space:
            raise ValueError("A tokenizer of chunks needs at least one range of space characters.")
        if not (isinstance(self.outer, str) and isinstance(self.inner, str)):
            raise TypeError("outer and inner of a tokenizer of chunks are strings of characters to strip.")
        for name, value in (("shortest", self.shortest), ("longest", self.longest)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name} of a tokenizer of chunks must be an integer of at least 1, got {value!r}.")

    def find(self, text: str) -> list[str]:
        """Return the tokens of a lower-cased text."""
        outer, inner, shortest, longest = self.outer, self.inner, self.shortest, self.longest
        stripped = [chunk.strip(outer) for chunk in self._chunks.findall(text)]
        cores = [word.strip(inner) for word in stripped if len(word) >= shortest]
        return [core for core in cores if 0 < len(core) <= longest]

    def find_spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return start, end and token of each token."""
        spans = []
        for match in self._chunks.finditer(text):
            start, word = _strip_from(match.start(), match[0], self.outer)
            if len(word) < self.shortest:
                continue
            start, core = _strip_from(start, word, self.inner)
            if 0 < len(core) <= self.longest:
                spans.append((start, start + len(core), core))
        return spans

    @cached_property
    def _chunks(self) -> re.Pattern[str]:
        return re.compile(f"[^{_class_text(self.space)}]+")

    def to_json(self) -> dict:
        """Return the rule as plain data."""
        rest = {name: getattr(self, name) for name in ("outer", "shortest", "inner", "longest")}
        return {"kind": "chunks", "space": [list(pair) for pair in self.space], **rest}

    @classmethod
    def from_json(cls, data: Mapping) -> "ChunkRule":
        """Build the rule from plain data."""
        return cls(_ranges("space", data["space"]), data["outer"], data["shortest"], data["inner"], data["longest"])


_CUT = re.compile(CUT)
_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")
_UNSTABLE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\(?!x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})[A-Za-z0-9]")


def _host(token: str) -> str:
    return _CUT.sub("", token) if "." in token else token


def _ranges(name: str, value: Sequence) -> Ranges:
    try:
        ranges = tuple((first, last) for first, last in value)
        good = all(type(a) is int and type(b) is int and 0 <= a <= b <= 0x10FFFF for a, b in ranges)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(
            f"The ranges of the character class {name!r} must be pairs [first, last] of code points with "
            "0 <= first <= last <= 1114111."
        )
    return ranges


def _class_text(ranges: Ranges) -> str:
    """Write ranges for the inside of [ ]."""
    return "".join(_character(a) if a == b else f"{_character(a)}-{_character(b)}" for a, b in ranges)


def _character(code: int) -> str:
    # ASCII signs have meanings inside a class; \xHH reads the same in Python and in JavaScript
    character = chr(code)
    return character if code > 127 or character.isalnum() else f"\\x{code:02x}"


def _strip_from(start: int, word: str, characters: str) -> tuple[int, str]:
    left = word.lstrip(characters)
    return start + len(word) - len(left), left.rstrip(characters)
