"""Options of jobs: --config, the edits of words and groups, and the settings of taggers and parsers.

``--config`` takes the options of an earlier fit, from a model folder or a JSON file, as defaults of this one.
"""

from collections.abc import Sequence
from dataclasses import Field
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from laconic.cli.shared.options import Decorator, collected, flag, text
from laconic.core.edits import Edits
from laconic.core.files import read_json
from laconic.data.files.lines import read_text

EDITS = {
    "ban": ("--ban", "WORD", "Word that must not be selected."),
    "keep": ("--keep", "WORD", "Word that must be selected; it is hardly penalized."),
    "ban_groups": ("--ban-group", "NAME", "Group of which no word may be selected."),
    "keep_groups": ("--keep-group", "NAME", "Group whose words must all be selected."),
}
METAVARS = {"budget": "B", "cap": "C"}
SWITCHES = {"single_root": "--single-root/--many-roots", "relations": "--relations/--no-relations"}
HIDDEN = ("templates", "optimizer", "average", "strength", "token_costs")  # of Python alone, or with a help of its own
SELECTING = ("selection", "group_weights", "selection_loss", "selection_passes", "every", "shuffles")


def take_config(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, Any] | None:
    """Make the stored options the defaults of the command, and return the configuration; typed options win."""
    if value is None:
        return None
    stored = read_config(value)
    defaults = {**stored.get("recipe", {}), **stored.get("reading", {})}
    defaults.pop("edits", None)  # options on the command line come on top of them, see fit
    unknown = [name for name in defaults if name not in {option.name for option in ctx.command.params}]
    if unknown:
        raise ValueError(f"{value}: the configuration has the unknown entry {unknown[0]!r}")
    given = {name: _as_option(name, entry) for name, entry in defaults.items() if entry is not None}
    ctx.default_map = {**(ctx.default_map or {}), **given}
    return {**stored, "path": value}


def read_config(path: str) -> dict[str, Any]:
    """Return the configuration in a model folder, in its ``model.json``, or in a file of its own."""
    file = Path(path) / "model.json" if Path(path).is_dir() else Path(path)
    stored = read_json(file)
    if isinstance(stored, dict) and "extra" in stored:
        stored = stored["extra"]
    if not isinstance(stored, dict) or not isinstance(stored.get("recipe"), dict):
        raise ValueError(f"{file} holds no configuration; pass a model made by laconic fit, or its model.json")
    return stored


def _as_option(name: str, value: Any) -> Any:
    """Return a stored value as it would be typed on the command line."""
    if name == "ngrams":
        return "-".join(map(str, value))
    if name == "label_col" and isinstance(value, str):
        return [value]
    return str(value) if name in ("min_df", "max_df") else value


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


def _edits(signs: Sequence[str], factors: Sequence[str], skip_unknown: bool, **lists: Sequence[str]) -> Edits | None:
    """Return the edits, None where nothing was decided."""
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


def settings_options(settings: Any, help_of_templates: str, hidden: Sequence[str] = ()) -> Decorator:
    """Return a decorator that adds an option for each setting but some, and hands them on as ``settings``, checked."""
    fields = settings.__dataclass_fields__
    names = [name for name, field in fields.items() if field.metadata and name not in (*HIDDEN, *hidden)]

    def make(**given: Any) -> dict[str, Any]:
        given["templates"] = list(given["templates"])
        if given["budget"] is None:
            asked = click.get_current_context().get_parameter_source
            typed = [name for name in SELECTING if asked(name) is ParameterSource.COMMANDLINE]
            if given["refit"] == "frozen":
                typed.append("refit")
            if typed:
                option = typed[0].replace("_", "-")
                raise ValueError(f"--{option} says how to choose templates; name how many with --budget")
        settings(**given)
        return given

    templates = click.option(
        "--templates",
        multiple=True,
        metavar="NAME",
        default=[fields["templates"].default],
        show_default=True,
        help=help_of_templates,
    )
    return collected("settings", make, ("templates", *names), templates, *(_option(fields[name]) for name in names))


def _option(field: Field) -> Decorator:
    """Return the option of a setting."""
    name, facts = field.name, field.metadata
    option = "--seed" if name == "random_state" else f"--{name.replace('_', '-')}"
    shown = {"help": facts["help"], "default": field.default, "show_default": field.default is not None}
    if facts["among"]:
        return click.option(option, name, type=click.Choice(facts["among"]), **shown)
    if name in SWITCHES:
        return click.option(SWITCHES[name], name, **shown)
    if field.default is False:
        return click.option(option, name, is_flag=True, help=facts["help"])
    least, above = facts["least"], facts["above"]
    if isinstance(least, float) or above is not None:
        kind: Any = click.FloatRange(least if above is None else above, min_open=above is not None)
        return click.option(option, name, type=kind, metavar=METAVARS.get(name), **shown)
    return click.option(option, name, type=click.IntRange(least or 0), metavar=METAVARS.get(name, "N"), **shown)
