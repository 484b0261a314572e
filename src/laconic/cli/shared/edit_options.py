"""Options by which a person decides about words and groups: --ban, --keep, --sign, --factor."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from laconic.data.files.lines import read_text

if TYPE_CHECKING:
    from laconic.core.edits import Edits

LISTS = ("ban", "keep", "ban_groups", "keep_groups")


def edit_options() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options; `take_edits` makes `Edits` of them."""
    listed = "@FILE reads one a line; repeat for several."
    options = [
        click.option("--ban", metavar="WORD", multiple=True, help=f"A word that must not be used. {listed}"),
        click.option("--keep", metavar="WORD", multiple=True, help=f"A word that must be used, all but free. {listed}"),
        click.option(
            "--ban-group", "ban_groups", metavar="NAME", multiple=True, help=f"A group to ban whole. {listed}"
        ),
        click.option(
            "--keep-group",
            "keep_groups",
            metavar="NAME",
            multiple=True,
            help=f"A group to keep whole. {listed}",
        ),
        click.option(
            "--sign",
            "signs",
            metavar="WORD=±[LABEL]",
            multiple=True,
            help="The word may only speak for (+) or against (-) LABEL; with two classes the second if none is named.",
        ),
        click.option(
            "--factor",
            "factors",
            metavar="WORD=F",
            multiple=True,
            help="The word's penalty counts F times: above 1 it must be worth more to come in, below 1 less.",
        ),
        click.option("--skip-unknown", is_flag=True, help="Pass over words that no document has, instead of refusing."),
    ]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def take_edits(options: dict[str, Any]) -> "Edits":
    """Take the options of `edit_options` out of ``options`` and return them as edits; mistakes are usage mistakes."""
    from laconic.core.edits import Edits

    given: dict[str, Any] = {name: _expanded(options.pop(name)) for name in LISTS}
    given["signs"] = dict(_pair(one, "--sign", "thanks=+") for one in options.pop("signs"))
    factors = dict(_pair(one, "--factor", "edu=5") for one in options.pop("factors"))
    given["factors"] = {word: _number(word, value) for word, value in factors.items()}
    try:
        return Edits(**given, skip_unknown=options.pop("skip_unknown"))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _expanded(words: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for word in words:
        if len(word) > 1 and word.startswith("@"):
            lines = read_text(Path(word[1:])).splitlines()
            found += [line.strip() for line in lines if line.strip()]
        else:
            found.append(word)
    return found


def _pair(given: str, option: str, example: str) -> tuple[str, str]:
    word, found, value = given.rpartition("=")
    if not found or not word or not value:
        raise click.UsageError(f"{option} is {given!r}; write it as {option} {example}.")
    return word, value


def _number(word: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise click.UsageError(f"--factor of {word!r} is {value!r}; it must be a number above 0.") from None
