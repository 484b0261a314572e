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

from laconic.core.summaries.summary import Scores

CORNER = "true \\ predicted"
GAP = 2
MOST_CONFUSIONS = 10


@dataclass(frozen=True)
class ConfusionMatrix:
    """A confusion matrix that takes the form for which there is room when it is printed.

    Parameters
    ----------
    scores : Scores

    Examples
    --------
    >>> from laconic.core.summaries.summary import ClassRow
    >>> rows = ClassRow("no", 1.0, 1.0, 1.0, 2), ClassRow("yes", 1.0, 1.0, 1.0, 1)
    >>> matrix = ConfusionMatrix(Scores("letters", 3, {}, rows, ((2, 0), (0, 1))))
    >>> Console(width=40).print(matrix)
    true \\ predicted  no  yes
    no                 2    ·
    yes                ·    1
    """

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
    table = _table()
    table.add_column(CORNER, no_wrap=True)
    for column in columns:
        table.add_column(Text(column), justify="right", no_wrap=True)
    for i, (name, row) in enumerate(zip(rows, counts, strict=True)):
        cells = [Text(f"{n:,}" if n else "·", style="bold" if i == j else "") for j, n in enumerate(row)]
        table.add_row(Text(name), *cells)
    return table


def _largest(names: Sequence[str], counts: Sequence[Sequence[int]]) -> Iterable[RenderableType]:
    wrong = [(-n, i, j) for i, row in enumerate(counts) for j, n in enumerate(row) if n and i != j]
    shown = sorted(wrong)[:MOST_CONFUSIONS]
    if shown:
        table = _table()
        table.add_column("true", overflow="fold")
        table.add_column("predicted", overflow="fold")
        table.add_column("documents", justify="right", no_wrap=True)
        for n, i, j in shown:
            table.add_row(Text(names[i]), Text(names[j]), f"{-n:,}")
        yield table
        yield Text()
    what = f"The {len(shown)} largest of {len(wrong)} confusions" if shown else "No document is confused"
    yield Text(f"{what}; the whole matrix of {len(names)} classes is in the output of --json.")


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
