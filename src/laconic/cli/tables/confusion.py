"""The confusion matrix on the terminal: no number is lost, whatever the width.

Where the names of the classes do not fit above the columns, columns are numbered and each row says which number its
class has; where even the numbers do not fit, the largest confusions are listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.shared.output import spaced, table
from laconic.core.summaries.summary import Scores

CORNER = "true \\ predicted"
GAP = 2
MOST_CONFUSIONS = 10


@dataclass(frozen=True)
class ConfusionMatrix:
    """A confusion matrix that takes the form for which there is room when it is printed."""

    scores: Scores

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        """Yield the first form that fits."""
        names = [" ".join(str(one.label).split()) for one in self.scores.classes]
        counts = self.scores.confusion
        numbers = [str(number) for number in range(1, len(names) + 1)]
        numbered = [f"{number:>{len(numbers[-1])}} {name}" for number, name in zip(numbers, names, strict=True)]
        for columns, rows in ((names, names), (numbers, numbered)):
            if _width(columns, rows, counts) <= options.max_width:
                yield _matrix(columns, rows, counts)
                return
        yield from _largest(names, counts)


def _width(columns: Sequence[str], rows: Sequence[str], counts: Sequence[Sequence[int]]) -> int:
    first = max(map(cell_len, (CORNER, *rows)))
    others = (
        max(cell_len(column), *(len(f"{row[j]:,}") for row in counts)) if counts else cell_len(column)
        for j, column in enumerate(columns)
    )
    return first + sum(GAP + width for width in others)


def _matrix(columns: Sequence[str], rows: Sequence[str], counts: Sequence[Sequence[int]]) -> Table:
    made = table(CORNER)
    made.columns[0].no_wrap = True
    for column in columns:
        made.add_column(Text(column), justify="right", no_wrap=True)
    for i, (name, row) in enumerate(zip(rows, counts, strict=True)):
        made.add_row(name, *(Text(f"{n:,}" if n else "·", style="bold" if i == j else "") for j, n in enumerate(row)))
    return made


def _largest(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Iterable[RenderableType]:
    wrong = [(-n, i, j) for i, row in enumerate(counts) for j, n in enumerate(row) if n and i != j]
    shown = sorted(wrong)[:MOST_CONFUSIONS]
    what = f"The {len(shown)} largest of {len(wrong)} confusions" if shown else "No document is confused"
    rest = f"{what}; the whole matrix of {len(names)} classes is in the output of --json."
    made = table("true", "predicted", ">documents")
    for n, i, j in shown:
        made.add_row(names[i], names[j], f"{-n:,}")
    yield spaced(made, rest) if shown else rest
