"""What a FILE argument means: a file or folder, standard input, or the name of a known data set; a file wins."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from laconic.data import Corpus, Splits


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
    raise FileNotFoundError(f"no file or folder {source!r}, and no known data set of that name (see: laconic data list)")


def read_labelled(
    source: str, text_cols: Sequence[str] = (), label_col: str | None = None, id_col: str | None = None
) -> "Corpus":
    """Read a labelled corpus; where its columns cannot be told and a person is at the keyboard, ask."""
    from laconic import data

    if source != "-" and not Path(source).is_dir() and sys.stdin.isatty() and not (text_cols and label_col):
        text_cols, label_col = _ask(source, tuple(text_cols), label_col)
    return data.read(source, text_col=list(text_cols) or None, label_col=label_col, id_col=id_col, labelled=True)


def _ask(source: str, text_cols: tuple[str, ...], label_col: str | None) -> tuple[tuple[str, ...], str | None]:
    from laconic.data.peek import peek

    columns, guess = peek(source)
    left = [column for column in columns if column not in (*text_cols, label_col)]
    if not text_cols and guess.text is None and left:
        text_cols = (_choose("text", source, left),)
        left.remove(text_cols[0])
    if label_col is None and guess.label is None:
        left = [column for column in left if column not in (guess.text, guess.id)]
        if left:
            label_col = _choose("label", source, left)
    return text_cols, label_col


def _choose(what: str, source: str, columns: list[str]) -> str:
    click.echo(f"Which column of {source} is the {what}?", err=True)
    for number, column in enumerate(columns, 1):
        click.echo(f"  {number}  {column}", err=True)
    number = click.prompt("Number", type=click.IntRange(1, len(columns)), err=True)
    return columns[number - 1]
