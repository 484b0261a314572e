"""Options of ``laconic tag fit`` and ``laconic parse fit``, made of the settings of taggers and parsers."""

from collections.abc import Sequence
from dataclasses import Field
from typing import Any

import click
from click.core import ParameterSource

from laconic.cli.shared.options import Decorator, collected

METAVARS = {"budget": "B", "cap": "C"}
SWITCHES = {"single_root": "--single-root/--many-roots", "relations": "--relations/--no-relations"}
HIDDEN = ("templates", "optimizer", "average", "strength", "token_costs")  # of Python alone, or with a help of its own
SELECTING = ("selection", "group_weights", "selection_loss", "selection_passes", "every", "shuffles")


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
