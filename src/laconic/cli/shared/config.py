"""``--config``: the options of an earlier fit, from a model folder or a JSON file, as defaults of this one."""

from pathlib import Path
from typing import Any

import click

from laconic.core.files import read_json


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
