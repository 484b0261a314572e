"""`Cell`: one number of a paper's tables, measured; and the journal of all that were, so that a run can be resumed.

Every cell that is done is a JSON file of its own in the journal. Its name holds a hash over the cell and over the
source code of this package's experiments, so that a cell is measured again when its settings changed. A file is written
whole or not at all; cells know nothing of each other, so a run that is killed and started again ends with the same
numbers, and so do runs on more processes.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

NUMBERS = ("dev", "cv", "test", "low", "high")  # NaN where there is none
EXPERIMENTS = ("tasks", "families", "searches", "measuring", "today", "readings")


@dataclass(frozen=True)
class Cell:
    """What is measured.

    Parameters
    ----------
    task : str
        See `papers.tasks`.
    method : str
        See `papers.measuring`.
    block : {"published", "ours", "today"}
    groups : str
        The family, of methods that have groups.
    variant : str
        What is done differently.
    levels : str
        Which grid: "wnut" or "papers" (with 1000), of the block "published".
    weights : {"sqrt", "ones"}
        d_g.
    rho : float
        ρ, of ADMM.
    size : {"full", "small", "quick"}
        Of the grid; "quick" also makes smaller families.
    details : tuple of str
        What else is written down: see `papers.readings`.
    most : float
        Of our block: the largest model that may be chosen, in % of the words that the W-NUT 2018 paper had; 0 for any.
    """

    task: str
    method: str
    block: str
    groups: str = ""
    variant: str = ""
    levels: str = "wnut"
    weights: str = "sqrt"
    rho: float = 1.0
    size: str = "full"
    details: tuple[str, ...] = ()
    most: float = 0.0

    @property
    def title(self) -> str:
        """A few words for a progress bar."""
        return " ".join(filter(None, (self.task, self.block, self.method, self.groups, self.variant)))

    @property
    def file(self) -> str:
        """The name of its file in the journal."""
        digest = hashlib.sha256(json.dumps([asdict(self), _sources()], sort_keys=True).encode()).hexdigest()
        readable = "".join(one if one.isalnum() else "_" for one in self.title)
        return f"{readable}_{digest[:12]}.json"


@dataclass(frozen=True)
class Measured:
    """What came out; ``missing`` says why nothing did.

    Accuracies and sizes are in %. ``cv`` is the cross-validated accuracy over train and dev, of our block. ``ties``
    counts the settings that tie with the chosen one on dev or, of our block, stand on the shortlist with it; ``low``
    and ``high`` are the range of their test accuracies. ``predictions`` are the numbers of the classes that the chosen
    model gives to the test documents.
    """

    cell: Cell
    dev: float = float("nan")
    cv: float = float("nan")
    test: float = float("nan")
    words: int = 0
    vocabulary: int = 0
    params: dict[str, Any] = field(default_factory=dict)
    settings: int = 0
    ties: int = 0
    low: float = float("nan")
    high: float = float("nan")
    gap: float | None = None
    truth: tuple[int, ...] = ()
    predictions: tuple[int, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    commit: str = ""
    missing: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def size(self) -> float:
        """Words in % of the training vocabulary."""
        return 100.0 * self.words / self.vocabulary if self.vocabulary else float("nan")


Measure = Callable[[Cell, str | None, Path], Measured]


def run_cells(
    cells: Iterable[Cell],
    measure: Measure,
    data_dir: str | None,
    folder: Path,
    jobs: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
    so_far: bool = False,
) -> dict[Cell, Measured]:
    """Measure cells that the journal does not hold, and return all; or only those that it holds.

    Parameters
    ----------
    cells : iterable of Cell
    measure : callable
        ``measure(cell, data_dir, folder)``; what cannot be measured comes back with ``missing`` and is not kept.
    data_dir : path, optional
    folder : path
        Holds the journal.
    jobs : int
        Processes.
    progress : callable, optional
        Called as ``progress(done, total, text)``.
    so_far : bool
        Measure nothing.
    """
    from joblib import Parallel, delayed

    wanted = list(dict.fromkeys(cells))
    journal = folder / "journal"
    journal.mkdir(parents=True, exist_ok=True)
    found = {cell: one for cell in wanted if (one := read(journal / cell.file, cell)) is not None}
    todo = [] if so_far else [cell for cell in wanted if cell not in found]
    report = progress or (lambda done, total, text: None)
    report(len(found), len(wanted), todo[0].title if todo else "")
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    for batch in parallel(delayed(_all_measured)(measure, batch, data_dir, folder) for batch in batches(todo)):
        for one in batch:
            found[one.cell] = one
            report(len(found), len(wanted), one.cell.title)
    return {cell: found[cell] for cell in wanted if cell in found}


def read(path: Path, cell: Cell) -> Measured | None:
    """Return what a file of the journal holds, or None if there is none."""
    if not path.is_file():
        return None
    stored = json.loads(path.read_text("utf-8"))
    names = {one.name for one in fields(Measured)}
    given = {name: value for name, value in stored.items() if name in names and name != "cell"}
    numbers = {name: float("nan") for name in NUMBERS if given.get(name) is None}
    lists = {name: tuple(given[name]) for name in ("truth", "predictions")}
    return Measured(cell, **{**given, **numbers, **lists})


def write(path: Path, one: Measured) -> None:
    """Write a file of the journal."""
    content = asdict(one)
    for name in NUMBERS:
        content[name] = None if content[name] != content[name] else content[name]
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(path)


def by_task(cells: Sequence[Cell]) -> list[Cell]:
    """Return cells so that those of one task follow each other: they share matrices."""
    order = {task: i for i, task in enumerate(dict.fromkeys(cell.task for cell in cells))}
    return sorted(cells, key=lambda cell: order[cell.task])


def batches(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Return cells in batches that one process measures: those that differ in what is done differently share fits.

    Examples
    --------
    >>> same = Cell("science", "omp", "ours"), Cell("science", "omp", "ours", variant="no larger", most=5.0)
    >>> [len(batch) for batch in batches([same[0], Cell("science", "lasso", "ours"), same[1]])]
    [2, 1]
    """
    found: dict[Cell, list[Cell]] = {}
    for cell in cells:
        found.setdefault(replace(cell, variant="", most=0.0, details=()), []).append(cell)
    return list(found.values())


def commit() -> str:
    """Return the commit of this checkout, "" if the code does not lie in a repository of its own."""
    import subprocess

    top = Path(__file__).parents[1]
    if not (top / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude", "*"],
            cwd=top,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _all_measured(measure: Measure, cells: Sequence[Cell], data_dir: str | None, folder: Path) -> list[Measured]:
    return [_measured(measure, cell, data_dir, folder) for cell in cells]


def _measured(measure: Measure, cell: Cell, data_dir: str | None, folder: Path) -> Measured:
    started = time.process_time()  # what else the machine does is not counted
    one = measure(cell, data_dir, folder)
    if one.missing:
        return one
    path = folder / "journal" / cell.file
    write(path, replace(one, seconds=time.process_time() - started, commit=commit()))
    return read(path, cell) or one  # as a run that is resumed would have it


@cache
def _sources() -> str:
    digest = hashlib.sha256()
    for name in EXPERIMENTS:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()
