"""How results reach the reader: JSON, tables in the width at hand, a progress bar only on a terminal."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from laconic.core.plain import plain

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 100


def echo_json(value: Any) -> None:
    """Print a value as indented JSON; numbers that JSON does not know (NaN, infinity) become null."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=False))


def console(err: bool = False) -> "Console":
    """Return a console for stdout or stderr: colours and the window's width on a terminal, plain text in a pipe."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    # Labels and words are shown as they are, even if they look like rich's markup.
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def show(*parts: Any) -> None:
    """Print texts and tables to stdout, a blank line between them; in a pipe without spaces at the ends of lines."""
    out = console()
    with out.capture() as captured:
        for number, part in enumerate(parts):
            if number:
                out.print()
            out.print(part)
    text = captured.get()
    if not out.is_terminal:
        text = "\n".join(line.rstrip() for line in text.split("\n"))
    click.echo(text, nl=False)


@contextmanager
def progress_bar(text: str, quiet: bool = False) -> Iterator[Any]:
    """Show a bar on stderr while a terminal is there, and yield ``advance(done, total, note="")``, else a no-op."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total, note="": None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task(text, total=None, note="")
        yield lambda done, total, note="": bar.update(task, completed=done, total=total, note=note)
