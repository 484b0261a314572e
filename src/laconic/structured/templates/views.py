"""Columns that are computed from other columns: shapes, affixes, letter case and the like.

A template names them as if they were columns of the data: ``shape[0]`` is the shape of the word, ``shape(lemma)[0]`` of
another column.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import partial

DEFAULT = "word"
_NAME = re.compile(r"(?P<view>[A-Za-z_][\w-]*?)(?P<size>[1-9]\d?)?(?:\((?P<source>[\w-]+)\))?")


def shape(word: str) -> str:
    """Replace capitals by A, small letters by a, a digit by 0, a run of digits by 0+; runs of the same are one."""
    made: list[str] = []
    last, run = "", 0
    for letter in word:
        kind = "0" if letter.isdigit() else "A" if letter.isupper() else "a" if letter.isalpha() else letter
        if kind == last:
            run += 1
            if kind == "0" and run == 2:
                made.append("+")
            continue
        made.append(kind)
        last, run = kind, 1
    return "".join(made)


def case(word: str) -> str:
    """Say how a word is capitalised: ``lower``, ``title``, ``upper``, ``mixed``, or ``none`` without letters."""
    if not any(letter.isalpha() for letter in word):
        return "none"
    if not any(letter.isupper() for letter in word):
        return "lower"
    if word[0].isupper() and not any(letter.isupper() for letter in word[1:]):
        return "title"
    return "upper" if not any(letter.islower() for letter in word) else "mixed"


def punct(word: str) -> str:
    """Say whether a word has punctuation or signs: ``all``, ``some`` or ``none``."""
    return _share([unicodedata.category(letter)[0] in "PS" for letter in word])


def digit(word: str) -> str:
    """Say whether a word has digits: ``all``, ``some`` or ``none``."""
    return _share([letter.isdigit() for letter in word])


_VIEWS: dict[str, Callable[[str], str]] = {
    "case": case,
    "digit": digit,
    "lower": str.lower,
    "punct": punct,
    "shape": shape,
}
_SIZED: dict[str, Callable[[int, str], str]] = {
    "prefix": lambda size, word: word[:size],
    "suffix": lambda size, word: word[-size:],
}


def view(column: str) -> tuple[str, Callable[[str], str] | None]:
    """Return the column that a name is computed from, and the function; the name itself and None if it is no view."""
    found = _NAME.fullmatch(column)
    if found is None:
        return column, None
    name, size, source = found["view"], found["size"], found["source"] or DEFAULT
    if size is None and name in _VIEWS:
        return source, _VIEWS[name]
    if size is not None and name in _SIZED:
        return source, partial(_SIZED[name], int(size))
    if found["source"] is not None and name != "real":
        raise ValueError(f"There is no {column!r}: {name + (size or '')!r} is none of {views()}.")
    return (source, None) if found["source"] is not None else (column, None)


def views() -> str:
    """Return the names of all views, for messages."""
    return ", ".join([*sorted(_VIEWS), *(f"{name}N" for name in sorted(_SIZED)), "real"])


def _share(flags: list[bool]) -> str:
    return "all" if flags and all(flags) else "some" if any(flags) else "none"
