"""How results reach the reader: JSON, tables in the width at hand, progress and questions only on a terminal."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from laconic.core.values import plain
from laconic.workflows.watch import Watch

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType
    from rich.table import Table
    from rich.text import Text

PIPE_WIDTH = 100
BAR = 8
LONGEST_WORD = 24


def echo_json(value: Any) -> None:
    """Print a value as indented JSON; numbers that JSON does not know (NaN, infinity) become null."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=False))


def answer(as_json: bool, data: Any, *parts: Any) -> None:
    """Print a result as JSON, or as texts and tables."""
    if as_json:
        echo_json(data)
    else:
        show(*parts)


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
            out.print(part, soft_wrap=isinstance(part, str))  # commands are copied whole
    shown = captured.get()
    if not out.is_terminal:
        shown = "\n".join(line.rstrip() for line in shown.split("\n"))
    click.echo(shown, nl=False)


def spaced(*parts: "RenderableType") -> "Group":
    """Return parts as one, with a blank line between them."""
    from rich.console import Group

    return Group(*[line for part in parts for line in ("", part)][1:])


def table(*headings: "str | Text", header: bool = True, rows: Iterable[Iterable[Any]] = ()) -> "Table":
    """Return a table; a heading that begins with ``>`` is aligned right, a column without one never broken."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0), show_header=header)
    for heading in headings:
        if isinstance(heading, str) and heading.startswith(">"):
            made.add_column(heading[1:], justify="right", no_wrap=heading == ">")
        else:
            made.add_column(heading, overflow="fold", no_wrap=not heading)
    for row in rows:
        made.add_row(*row)
    return made


def facts_table(facts: Mapping[str, str]) -> "Table":
    """Return names and values beside each other."""
    made = table("name", "value", header=False, rows=facts.items())
    made.columns[0].style = "bold"
    return made


def bar(share: float, longest: int = BAR) -> str:
    """Return a bar of up to ``longest`` characters, in eighths of a character."""
    eighths = max(1, round(share * longest * 8))
    return "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]


def program() -> str:
    """Return how laconic is called here: by its name or, where that would not find it, by its place."""
    from shutil import which

    called = Path(sys.argv[0])
    return "laconic" if called.name != "laconic" or which("laconic") else str(called)


def shortened(word: str, longest: int = LONGEST_WORD) -> str:
    """Return a word of at most some characters, with an ellipsis where it was cut."""
    return word if len(word) <= longest else word[: longest - 1] + "…"


class Terminal(Watch):
    """Shows progress as a bar and remarks as lines on stderr, and asks a person, where each of them is wanted."""

    def __init__(self, text: str, quiet: bool, stack: ExitStack) -> None:
        self._text, self._quiet, self._stack = text, quiet, stack
        self._advance: Any = None

    def advance(self, done: int, total: int | None, note: str = "") -> None:
        """Move the bar, which appears with the first step."""
        if self._advance is None:
            self._advance = self._stack.enter_context(progress_bar(self._text, self._quiet))
        self._advance(done, total, note)

    def say(self, text: str) -> None:
        """Print a remark, on a terminal broken between words."""
        if self._quiet:
            return
        if sys.stderr.isatty():
            width, indent = get_terminal_size().columns, "    " if text.startswith(" ") else "  "
            text = fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        click.echo(text, err=True)

    def ask(self, question: str, answers: Sequence[str]) -> str | None:
        """Let a person choose, if standard input is a terminal."""
        if not sys.stdin.isatty():
            return None
        click.echo(question, err=True)
        for number, answer in enumerate(answers, 1):
            click.echo(f"  {number}  {answer}", err=True)
        return answers[click.prompt("Number", type=click.IntRange(1, len(answers)), err=True) - 1]


@contextmanager
def terminal(text: str = "", quiet: bool = False) -> Iterator[Terminal]:
    """Yield what shows the way of a workflow; its bar ends with the block."""
    with ExitStack() as stack:
        yield Terminal(text, quiet, stack)


@contextmanager
def progress_bar(text: str, quiet: bool = False) -> Iterator[Any]:
    """Show a bar on stderr while a terminal is there, and yield ``advance(done, total, note="")``, else a no-op."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total, note="": None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn(text),
        BarColumn(bar_width=16),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(done: int, total: int | None, note: str = "") -> None:
            """Move the bar on a scale from 0 to 1; until the work begins anew it never runs back."""
            before = bar.tasks[task].completed if done else 0.0
            bar.tasks[task].total = 1.0 if total else None
            share, said = (max(before, done / total), ["left"]) if total else (0.0, [])
            bar.update(task, completed=share, description="; ".join([*said, *[note] * bool(note)]))

        yield advance
