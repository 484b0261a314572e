"""Options by which a person decides about words and groups: --ban, --keep, --sign, --factor."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from laconic.cli.shared.options import Decorator, collected, flag, text
from laconic.data.files.lines import read_text

if TYPE_CHECKING:
    from laconic.core.edits import Edits

EDITS = {
    "ban": ("--ban", "WORD", "Word that must not be selected."),
    "keep": ("--keep", "WORD", "Word that must be selected; it is hardly penalized."),
    "ban_groups": ("--ban-group", "NAME", "Group of which no word may be selected."),
    "keep_groups": ("--keep-group", "NAME", "Group whose words must all be selected."),
}


def edit_options() -> Decorator:
    """Return a decorator that adds the options by which a person decides about words and groups, as ``edits``."""
    lists = [
        text(option, name, metavar, f"{what} @FILE: one per line. Repeatable.", multiple=True)
        for name, (option, metavar, what) in EDITS.items()
    ]
    signs = text(
        "--sign",
        "signs",
        "WORD=±[LABEL]",
        "Allow only a positive (+) or a negative (-) weight for LABEL, e.g. thanks=+praise; with two classes LABEL "
        "may be omitted and is the second.",
        multiple=True,
    )
    factors = text(
        "--factor",
        "factors",
        "WORD=F",
        "Multiply this word's penalty by F (F > 1 makes it harder to select), e.g. edu=10.",
        multiple=True,
    )
    skip = flag("--skip-unknown", "Ignore words that occur in no document instead of refusing them.")
    return collected("edits", _edits, (*EDITS, "signs", "factors", "skip_unknown"), *lists, signs, factors, skip)


def _edits(signs: Sequence[str], factors: Sequence[str], skip_unknown: bool, **lists: Sequence[str]) -> "Edits | None":
    """Return the edits, None where nothing was decided."""
    from laconic.core.edits import Edits

    given: dict[str, Any] = {name: _expanded(words) for name, words in lists.items()}
    given["signs"] = dict(_pair(typed, "--sign", "thanks=+") for typed in signs)
    pairs = dict(_pair(typed, "--factor", "edu=5") for typed in factors)
    given["factors"] = {word: _factor(word, value) for word, value in pairs.items()}
    if not (skip_unknown or any(given.values())):
        return None
    try:
        return Edits(**given, skip_unknown=skip_unknown)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _expanded(words: Sequence[str]) -> list[str]:
    """Return the words with those of a file in place of each ``@FILE``."""
    every: list[str] = []
    for word in words:
        if len(word) > 1 and word.startswith("@"):
            lines = read_text(Path(word[1:])).splitlines()
            every += [line.strip() for line in lines if line.strip()]
        else:
            every.append(word)
    return every


def _pair(given: str, option: str, example: str) -> tuple[str, str]:
    word, equals, value = given.rpartition("=")
    if not equals or not word or not value:
        raise click.UsageError(f"{option} is {given!r}; write it as {option} {example}.")
    return word, value


def _factor(word: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise click.UsageError(f"--factor of {word!r} is {value!r}; it must be a number above 0.") from None
