"""What the reproductions of all papers share: ρ of the published ADMM, columns of tables, the result, its tests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from laconic.evaluate.inference import sign_test
from papers.cells import Cell, Measured, run_cells
from papers.measuring import measure
from papers.page import Page
from papers.tasks import splits_of

RHOS = (0.1, 1.0, 10.0, 100.0, 1000.0)
TODAY = (("tf-idf SVM", "svm"), ("NB-SVM", "nbsvm"), ("fastText", "fasttext"))
Progress = Callable[[int, int, str], None]


class Column(NamedTuple):
    """A column of a paper's table: its name there, our method, and the family of groups."""

    name: str
    method: str
    groups: str = ""


@dataclass(frozen=True)
class Reproduction:
    """The page and all rows of one paper."""

    page: Page
    rows: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"paper": self.page.paper, "rows": list(self.rows)}

    def markdown(self) -> str:
        """Return the section of the page."""
        return self.page.markdown()


@dataclass(frozen=True)
class Run:
    """Where a paper is rerun, and how."""

    data_dir: str | None
    folder: Path
    quick: bool = False
    jobs: int = 1
    progress: Progress | None = None
    so_far: bool = False

    @property
    def size(self) -> str:
        """The size of grids."""
        return "quick" if self.quick else "full"

    def start(self, tasks: Sequence[str]) -> None:
        """Make the folder; raise FileNotFoundError, before any work, if none of the data sets is there."""
        reasons = []
        for task in tasks:
            try:
                splits_of(task, self.data_dir)
                break
            except FileNotFoundError as error:
                reasons.append(error)
        else:
            raise reasons[0]
        self.folder.mkdir(parents=True, exist_ok=True)

    def cells(self, cells: Sequence[Cell]) -> dict[Cell, Measured]:
        """Measure cells, or take them from the journal."""
        return run_cells(cells, measure, self.data_dir, self.folder, self.jobs, self.progress, self.so_far)


class Found:
    """What was measured, by what was asked for."""

    def __init__(self, found: Mapping[Cell, Measured]) -> None:
        self.every = list(found.values())
        self._index = {(c.task, c.block, c.method, c.groups, c.variant): one for c, one in found.items()}

    def get(self, task: str, block: str, column: Column, variant: str = "") -> Measured | None:
        """Return one cell; None if it was not asked for."""
        return self._index.get((task, block, column.method, column.groups, variant))

    def row(self, task: str, block: str, columns: Sequence[Column]) -> dict[str, Measured]:
        """Return the cells of a row, by the names of their columns."""
        return {one.name: got for one in columns if (got := self.get(task, block, one)) is not None}


def with_readings(tasks: Sequence[str]) -> list[str]:
    """Return tasks with the second reading of vote, if it is among them.

    Examples
    --------
    >>> with_readings(("movie", "vote"))
    ['movie', 'vote', 'vote segments']
    """
    return [*tasks, *(["vote segments"] if "vote" in tasks else [])]


def counterpart(task: str) -> str:
    """Return the name under which a paper has a task: both readings of vote stand beside its numbers for vote.

    Examples
    --------
    >>> counterpart("vote segments"), counterpart("books")
    ('vote', 'books')
    """
    return "vote" if task == "vote segments" else task


def rho_of_families(run: Run, families: Sequence[str], levels: str, weights: str = "sqrt") -> dict[str, float]:
    """Return ρ for each family of groups: the best on dev of religion, of equal ones the smallest; then it is fixed.

    A quick run does not look for it and takes 1.
    """
    if run.quick:
        return dict.fromkeys(families, 1.0)
    cells = {
        (family, rho): Cell(
            "religion", "group", "published", family, levels=levels, weights=weights, rho=rho, size="small"
        )
        for family in families
        for rho in RHOS
    }
    found = run.cells(list(cells.values()))
    dev = {place: found[cell].dev for place, cell in cells.items() if cell in found}
    return {family: max(RHOS, key=lambda rho: (_or_zero(dev.get((family, rho), 0.0)), -rho)) for family in families}


def say_unfinished(page: Page, found: Mapping[Cell, Measured], asked: Sequence[Cell]) -> None:
    """Say how much of a page was measured, if not all of it was."""
    if (every := len(set(asked))) > len(found):
        page.say(f'So far {len(found):,} of {every:,} numbers are measured; "–" stands for those that are not.')


def significance(found: Mapping[str, Measured], baseline: str = "lasso", level: float = 0.05) -> set[str]:
    """Return the columns that beat the baseline by the one-sided micro sign test, as the papers mark them."""
    first = found.get(baseline)
    if first is None or first.missing:
        return set()
    return {
        name
        for name, one in found.items()
        if name != baseline
        and not one.missing
        and one.truth == first.truth
        and sign_test(one.truth, one.predictions, first.predictions).p_value < level
    }


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation.

    Examples
    --------
    >>> spread([80.0, 82.0])
    (81.0, 1.4142135623730951)
    """
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, (sum((one - mean) ** 2 for one in values) / (len(values) - 1)) ** 0.5


def at_rho(cell: Cell, rhos: Mapping[str, float]) -> Cell:
    """Return a cell of the published group lasso with the ρ of its family; other cells as they are."""
    if cell.block == "published" and cell.method == "group":
        return replace(cell, rho=rhos[cell.groups])
    return cell


def _or_zero(value: float) -> float:
    return 0.0 if value != value else value
