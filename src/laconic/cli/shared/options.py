"""Options that several commands share, and short ways to write an option; some are collected into a dataclass."""

import functools
import re
from collections.abc import Callable, Collection
from typing import Any

import click

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
LEAST = 200_000_000  # bytes: Python, numba and one small block
Function = Callable[..., Any]
Decorator = Callable[[Function], Function]
SHARE = click.FloatRange(0.0)


class Ngrams(click.ParamType):
    """``2`` or ``1-3``: the longest, or the shortest and the longest n-gram."""

    name = "N or A-B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return (shortest, longest)."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(?:(\d+)-)?(\d+)", str(value))
        first, last = (int(found[1] or 1), int(found[2])) if found else (0, 0)
        if not 1 <= first <= last:
            self.fail(f"{value!r} is not a range of n-grams such as 2, 1-3 or 3-5.", param, ctx)
        return first, last


class HowMany(click.ParamType):
    """``20``: how many to show, the value of an option that may stand alone."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return an int from 1."""
        if not re.fullmatch(r"[1-9]\d*", str(value)):
            option = param.opts[0] if param is not None else "the option"
            self.fail(f"{value!r} is not a number from 1; {option} alone goes behind the other arguments.", param, ctx)
        return int(value)


class DocumentFrequency(click.ParamType):
    """``5``: a number of documents; ``0.1``: a share of them."""

    name = "N or share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Return an int from 1, or a float from 0 to 1."""
        text = str(value)
        try:
            number: int | float = float(text) if "." in text or "e" in text.lower() else int(text)
        except ValueError:
            number = -1
        if not (number >= 1 if isinstance(number, int) else 0.0 <= number <= 1.0):
            self.fail(f"{value!r} is neither a number of documents such as 5 nor a share such as 0.01.", param, ctx)
        return number


class Memory(click.ParamType):
    """``2GB`` or ``500M``: a number of bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return bytes."""
        parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", str(value).strip().lower())
        size = int(float(parts[1]) * UNITS[parts[2]]) if parts else 0
        if size < LEAST:
            self.fail(f"{value!r} is not a size of memory from 200MB on, such as 2GB.", param, ctx)
        return size


class Seconds(click.ParamType):
    """``90``, ``60s``, ``5m`` or ``1h``: a number of seconds."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return seconds."""
        parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", str(value).strip().lower())
        seconds = float(parts[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[parts[2]] if parts else 0.0
        if seconds <= 0.0:
            self.fail(f"{value!r} is not a time such as 60s, 5m or 1h.", param, ctx)
        return seconds


def flag(*words: str) -> Decorator:
    """Return an option that is on or off; the last word is its help."""
    *names, help = words
    return click.option(*names, is_flag=True, help=help)


def text(*words: str, **more: Any) -> Decorator:
    """Return an option that takes any text, such as the name of a file; the last two words are metavar and help."""
    *names, metavar, help = words
    return click.option(*names, metavar=metavar, help=help, show_default="default" in more, **more)


def number(*words: str, least: int = 1, metavar: str = "N", **more: Any) -> Decorator:
    """Return an option that takes a whole number from ``least``; the last word is its help."""
    *names, help = words
    return click.option(*names, type=click.IntRange(least), metavar=metavar, show_default=True, help=help, **more)


def share(*words: str, type: click.ParamType = SHARE, **more: Any) -> Decorator:
    """Return an option that takes a number from 0; the last word is its help."""
    *names, help = words
    return click.option(*names, type=type, show_default="default" in more, help=help, **more)


def choice(*words: Any, **more: Any) -> Decorator:
    """Return an option that takes one of the values that its owner allows; these and its help are the last words."""
    *names, values, help = words
    return click.option(*names, type=click.Choice(tuple(values)), show_default="default" in more, help=help, **more)


def together(*options: Decorator) -> Decorator:
    """Return a decorator that adds options in the order given."""
    return lambda function: functools.reduce(lambda inner, option: option(inner), reversed(options), function)


def collected(name: str, make: Function, parts: Collection[str], *options: Decorator) -> Decorator:
    """Return a decorator that adds options and hands what ``make`` makes of their values on as one argument."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(*args: Any, **values: Any) -> Any:
            own = {part: values.pop(part) for part in parts}
            return function(*args, **{**values, name: make(**own)})

        return together(*options)(command)

    return decorate


def taken(kind: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Take those values out of ``values`` that are fields of a dataclass."""
    return {name: values.pop(name) for name in kind.__dataclass_fields__ if name in values}


json_option = flag("--json", "as_json", "Print the result as JSON instead of tables.")
data_option = text(
    "--data", "data_dir", "DIR", "Folder of the built-in datasets (the one that holds text/); default: $LACONIC_DATA."
)
quiet_option = flag("--quiet", "-q", "Print only results and errors.")
force_model = flag("--force", "Overwrite an existing model.")
force_file = flag("--force", "Overwrite an existing file.")


def reading_options(label: bool = True) -> Decorator:
    """Return a decorator that adds --text-col, --label-col (if labels matter), --id-col and --data, as ``reading``."""
    text_col = text(
        "--text-col",
        "text_cols",
        "NAME",
        "Text column; repeat to join several. Detected automatically if omitted.",
        multiple=True,
    )
    label_col = text(
        "--label-col",
        "NAME",
        "Label column; repeat for labels in columns of 0 and 1. Detected automatically if omitted.",
        multiple=True,
    )
    label_sep = text("--label-sep", "CHAR", 'What separates several labels in a field; detected, never if "".')
    id_col = text("--id-col", "NAME", 'Column of ids; detected automatically if omitted, none if "".')
    sep = text("--sep", "CHAR", "Separator of fields, or tab; detected automatically if omitted.")
    encoding = text("--encoding", "NAME", "Encoding of FILE, e.g. cp1252; detected automatically if omitted.")
    no_header = flag("--no-header", "The first row is a document; columns are called column 1, column 2, …")
    drop = flag("--drop-unlabelled", "Leave out documents without a label.")
    labels = {"label_col": label_col, "label_sep": label_sep, "drop_unlabelled": drop} if label else {}
    others = {"id_col": id_col, "sep": sep, "encoding": encoding, "no_header": no_header, "data_dir": data_option}
    options = {"text_cols": text_col, **labels, **others}
    return collected("reading", _reading, options, *options.values())


def _reading(**given: Any) -> Any:
    from laconic.workflows.sources import Reading

    labels = given.pop("label_col", ())
    roles: dict[str, str] = {}
    named = {"--text-col": given["text_cols"], "--label-col": labels, "--id-col": [given["id_col"]]}
    for role, columns in named.items():
        for column in columns:
            if column is not None and roles.setdefault(column, role) != role:
                raise click.UsageError(f"{roles[column]} and {role} both name the column {column!r}; it has one role.")
    return Reading(label_col=labels if len(labels) > 1 else labels[0] if labels else None, **given)


def feature_options() -> Decorator:
    """Return a decorator that adds the options by which texts become feature values."""
    from laconic.text.analyzer import KINDS
    from laconic.text.tokenizer import PRESETS

    return together(
        choice(
            "--analyzer",
            [kind for kind in KINDS if kind != "tokens"],
            "Features: words, character n-grams (char), or character n-grams within words (char_wb).",
            default="word",
        ),
        choice("--tokenizer", PRESETS, "How documents are split into words.", default="default"),
        click.option(
            "--ngrams",
            type=Ngrams(),
            metavar="A-B",
            default="1",
            show_default=True,
            help="Range of n-gram lengths, e.g. 1-2 or 3-5.",
        ),
        _frequency("--min-df", "1", "fewer"),
        _frequency("--max-df", "1.0", "more"),
        flag("--strip-mail", "Ignore mail headers, quotations and signatures."),
    )


def _frequency(name: str, default: str, than: str) -> Decorator:
    return click.option(
        name,
        type=DocumentFrequency(),
        metavar="N",
        default=default,
        show_default=True,
        help=f"Ignore words that occur in {than} documents than this number or share, e.g. 5 or 0.01.",
    )
