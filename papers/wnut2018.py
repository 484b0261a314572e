"""Skianis, Tziortziotis & Vazirgiannis, *Orthogonal Matching Pursuit for Text Classification* (W-NUT 2018).

Tables 2 and 3 (accuracy and size), 4 (largest weights), 5 (neural baselines), Figures 3 (accuracy against size) and 4
(dev accuracy against atoms), times; twice: as published, and ours. GOMP also with other groups and without singletons.
"""

from collections.abc import Sequence
from pathlib import Path

from papers import wnut2018_numbers as paper
from papers.cells import Cell, by_task
from papers.measuring import WITHIN
from papers.page import table_rows, write_all
from papers.paper import (
    TODAY,
    Column,
    Progress,
    Reproduction,
    Run,
    at_rho,
    counterpart,
    rho_of_families,
    say_unfinished,
    with_readings,
)
from papers.tasks import NEWSGROUPS, RESPLIT, RESPLITS
from papers.wnut2018_page import COLUMNS, MORE_GOMP, OMP_RULES, OURS, STRIPPED, largest_size, make_page

TASKS = tuple(paper.ACCURACY)
FAMILIES = ("lda", "lsi", "sentences", "graph", "vectors")


def run(
    data_dir: str | None = None,
    out: str | Path = "reproduction",
    quick: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    tasks: Sequence[str] = TASKS,
    so_far: bool = False,
) -> Reproduction:
    """Measure every cell that the journal in ``out`` does not hold, and write page, table and figures.

    Parameters
    ----------
    data_dir : path, optional
        Folder of the data sets; the environment variable LACONIC_DATA without it.
    out : path
        Folder to write to; a run that was stopped goes on from the journal in it.
    quick : bool
        Small grids, small families of groups, no resplits.
    jobs : int
        Processes.
    progress : callable, optional
        Called as ``progress(done, total, text)``.
    tasks : sequence of str
        Data sets of the paper.
    so_far : bool
        Measure nothing: write the page from what the journal holds.
    """
    place = Run(data_dir, Path(out), quick, jobs, progress, so_far)
    place.start(tasks)
    rhos = rho_of_families(place, FAMILIES, "wnut")
    cells = [at_rho(cell, rhos) for cell in all_cells(tasks, quick)]
    found = place.cells(by_task(cells))
    page = make_page(found, tasks, place, rhos)
    say_unfinished(page, found, cells)
    rows = table_rows((one, *papers_numbers(one.cell)) for one in found.values())
    write_all(page, rows, place.folder)
    return Reproduction(page, tuple(rows))


def all_cells(tasks: Sequence[str], quick: bool) -> list[Cell]:
    """Return everything that is measured."""
    size = "quick" if quick else "full"
    cells = []
    for task in with_readings(tasks):
        cells += [_cell(task, one, "published", size) for one in COLUMNS]
        for one in OURS:
            cells.append(_cell(task, one, "ours", size))
            if one.name in paper.STRUCTURED:
                limit = largest_size(task)
                cells.append(Cell(task, one.method, "ours", one.groups, WITHIN, size=size, most=limit))
        cells += [Cell(task, method, "today", size=size) for _, method in TODAY]
    for task in tasks if not quick else [one for one in tasks if one == "religion"]:
        less = size if quick or task in NEWSGROUPS else "small"
        cells += [Cell(task, "gomp", "ours", groups, variant, size=less) for _, groups, variant in MORE_GOMP]
    for task in [one for one in tasks if one in NEWSGROUPS]:
        cells += [Cell(task, "omp", "published", variant=variant, size=size) for variant in OMP_RULES]
        cells += [_cell(f"{task} stripped", one, "ours", size) for one in (STRIPPED[:4] if quick else STRIPPED)]
        cells += [Cell(f"{task} stripped", method, "today", size=size) for _, method in TODAY]
    for task in [] if quick else [one for one in tasks if one in RESPLIT]:
        for k in range(1, RESPLITS + 1):
            cells += [_cell(f"{task} #{k}", one, "ours", "small") for one in OURS]
            cells.append(Cell(f"{task} #{k}", "svm", "today", size="quick"))
    return cells


def papers_numbers(cell: Cell) -> tuple[float | None, float | None]:
    """Return the paper's accuracy and size for a cell, None where it has none that can be compared."""
    if cell.method == "fasttext":
        neural = paper.NEURAL.get(counterpart(cell.task))
        return (None if neural is None else neural[1]), None
    name = next((one.name for one in COLUMNS if (one.method, one.groups) == (cell.method, cell.groups)), None)
    task = counterpart(cell.task)
    if name is None or cell.variant or task not in paper.ACCURACY:
        return None, None
    return paper.ACCURACY[task][name], paper.SIZE[task].get(name)


def _cell(task: str, column: Column, block: str, size: str) -> Cell:
    details: tuple[str, ...] = ()
    if task == "science" and column.name in paper.LARGEST_WORDS:
        details += ("words",)
    if column.name == "OMP" and task in paper.BEST_ATOMS:
        details += ("curve",)
    return Cell(task, column.method, block, column.groups, size=size, details=details)
