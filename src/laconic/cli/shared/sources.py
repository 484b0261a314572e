"""What a FILE argument means: a file or folder, standard input, or the name of a known data set; a file wins."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from laconic.data import Corpus, Splits


@dataclass(frozen=True)
class Reading:
    """Which columns to read; what is not given is found by the reader.

    Raises
    ------
    click.UsageError
        If one column is given two roles.
    """

    text_cols: tuple[str, ...] = ()
    label_col: str | None = None
    id_col: str | None = None

    def __post_init__(self) -> None:
        named = [("--text-col", one) for one in self.text_cols]
        named += [("--label-col", self.label_col)] if self.label_col is not None else []
        named += [("--id-col", self.id_col)] if self.id_col is not None else []
        roles: dict[str | None, str] = {}
        for role, column in named:
            if roles.setdefault(column, role) != role:
                raise click.UsageError(f"{roles[column]} and {role} both name the column {column!r}; it has one role.")


def known_splits(source: str, data_dir: str | None) -> "Splits | None":
    """Load the known data set of that name; None if a file or folder has the name, or it is standard input.

    Raises
    ------
    FileNotFoundError
        If there is neither a file nor a known data set of the name.
    """
    from laconic import data

    if source == "-" or Path(source).exists():
        return None
    if source in {one.name for one in data.known()}:
        return data.load(source, data_dir)
    raise FileNotFoundError(
        f"no file or folder {source!r}, and no known data set of that name (see: laconic data list)"
    )


def read_labelled(source: str, reading: Reading) -> "Corpus":
    """Read a labelled corpus."""
    from laconic import data

    return data.read(
        source,
        text_col=list(reading.text_cols) or None,
        label_col=reading.label_col,
        id_col=reading.id_col,
        labelled=True,
    )


def earlier_columns(source: str, reading: Reading, *earlier: Reading) -> Reading:
    """Take columns that were not given from earlier readings, the first of them first, where the file has them.

    Standard input cannot be looked at twice and a folder has no columns: of these the reading is returned as it is.
    """
    from laconic.data.files.peek import columns_of

    if source == "-" or Path(source).is_dir() or not earlier:
        return reading
    columns = columns_of(source)
    for one in earlier:
        reading = _completed(reading, one, columns)
    return reading


def find_columns(source: str, reading: Reading, *earlier: Reading) -> Reading:
    """Find the columns of a file that were not given; where they cannot be told and a person is there, ask.

    Columns of ``earlier`` readings come first, as in `earlier_columns`.
    """
    from laconic.data.files.peek import peek

    if source == "-" or Path(source).is_dir():
        return reading
    reading = earlier_columns(source, reading, *earlier)
    columns, guess = peek(source, reading.text_cols, reading.label_col, reading.id_col)
    text_cols = reading.text_cols or ((guess.text,) if guess.text else ())
    found = replace(reading, text_cols=text_cols, label_col=guess.label)
    left = [column for column in columns if column not in (*found.text_cols, found.label_col, found.id_col)]
    if not found.text_cols:
        found = replace(found, text_cols=(_ask("text", source, columns, left),))
        left.remove(found.text_cols[0])
    if found.label_col is None and left:  # without another column the reader says that there are no labels
        found = replace(found, label_col=_ask("label", source, columns, left))
    return found


def load_text_model(folder: str, several: bool = False) -> Any:
    """Load a model that classifies texts; refuse a tagger or a parser, and one of several labels unless asked for.

    Raises
    ------
    ValueError
        Naming the commands for such a model.
    """
    from laconic.models.folder.model import SEVERAL
    from laconic.models.scoring.scorer import PARSER, TAGGER

    refused = {TAGGER, PARSER} if several else {TAGGER, PARSER, SEVERAL}
    return _load_unless(folder, lambda kind: kind in refused)


def load_tagger(folder: str) -> Any:
    """Load a tagger; any other model is refused, with the commands for it."""
    from laconic.models.scoring.scorer import TAGGER

    return _load_unless(folder, lambda kind: kind != TAGGER)


def load_parser(folder: str) -> Any:
    """Load a parser; any other model is refused, with the commands for it."""
    from laconic.models.scoring.scorer import PARSER

    return _load_unless(folder, lambda kind: kind != PARSER)


def _load_unless(folder: str, refused: Callable[[Any], bool]) -> Any:
    from laconic.models.folder.model import SEVERAL
    from laconic.models.scoring.scorer import PARSER, TAGGER, load

    scorer = load(folder)
    kind = scorer.info.get("kind")
    if refused(kind):
        few, more = "predict, evaluate or inspect", "predict, evaluate, inspect, edit, diff, stability or report"
        is_what, command, verbs = {
            TAGGER: ("is a tagger", "laconic tag", few),
            PARSER: ("is a parser", "laconic parse", few),
            SEVERAL: ("gives several labels", "laconic", more),
        }.get(kind, ("classifies texts", "laconic", few))
        raise ValueError(f"the model {folder} {is_what}; use {command} {verbs} with it")
    return scorer


def stored_reading(info: Mapping[str, Any]) -> Reading:
    """Return the columns that ``laconic fit`` read; other models have none stored."""
    stored = (info.get("extra") or {}).get("reading") or {}
    return Reading(tuple(stored.get("text_cols") or ()), stored.get("label_col"), stored.get("id_col"))


def stem(source: str) -> str:
    """Return a name for what is made of a source: the file's without its suffixes.

    Examples
    --------
    >>> stem("letters/2024.jsonl.gz"), stem("20ng/science"), stem("-")
    ('2024', 'science', 'stdin')
    """
    return "stdin" if source == "-" else Path(source).resolve().name.split(".")[0] or "model"


def _completed(reading: Reading, earlier: Reading, columns: tuple[str, ...]) -> Reading:
    """Take what was not given from an earlier reading, if all its columns are there and have no other role."""
    free = [column for column in columns if column not in (*reading.text_cols, reading.label_col, reading.id_col)]
    if not reading.text_cols and set(earlier.text_cols) <= set(free):
        reading = replace(reading, text_cols=earlier.text_cols)
        free = [column for column in free if column not in reading.text_cols]
    if reading.label_col is None and earlier.label_col in free:
        reading = replace(reading, label_col=earlier.label_col)
        free.remove(str(earlier.label_col))
    if reading.id_col is None and earlier.id_col in free:
        reading = replace(reading, id_col=earlier.id_col)
    return reading


def _ask(what: str, source: str, columns: tuple[str, ...], left: list[str]) -> str:
    """Ask which of the columns that are left is the text or the label; without a terminal, explain."""
    if not left or not sys.stdin.isatty():
        raise ValueError(
            f"cannot tell which column of {source} is the {what}; its columns are "
            f"{', '.join(map(repr, columns)) or 'none'}. Pass --{what}-col"
        )
    click.echo(f"Which column of {source} is the {what}?", err=True)
    for number, column in enumerate(left, 1):
        click.echo(f"  {number}  {column}", err=True)
    return left[click.prompt("Number", type=click.IntRange(1, len(left)), err=True) - 1]
