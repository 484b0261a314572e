"""*Structured Sparsity in Structured Prediction* (Martins et al., EMNLP 2011): Tables 1 to 3, Figures 2 and 3.

As published: MIRA (max-loss, averaged, C chosen on held-out sentences) in 15 passes over all templates; the sparseptron
in 5 passes, d = log₂|G|, K = 1000, then 10 passes of MIRA on what survived. Below them stand rows of our own. Where a
row names several settings, dev chooses (see `papers.emnlp2011_fits`), once for all orders of the sentences.
Parsing, Table 3 and Figure 3, is in `papers.emnlp2011_parsing`.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from papers import emnlp2011_parsing
from papers.cells import commit
from papers.charts import panels
from papers.emnlp2011_fits import DEV, JOURNAL, TEST, Answer, Fits, Job, Progress, check_data, find_base
from papers.emnlp2011_numbers import CHUNKING, LANGUAGES, PAPER, ROWS, Row
from papers.emnlp2011_peers import is_installed
from papers.page import PAGE, Page, joined, number, replace_file

SEEDS = 5


@dataclass(frozen=True)
class Line:
    """A row of a table: its settings, and its answers on test, one an order of the sentences."""

    data: str
    name: str
    row: Row
    settings: dict[str, Any]
    answers: tuple[Answer, ...]
    dev: tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """All lines, of tagging and of parsing, and their page."""

    lines: list[Line]
    page: Page
    parsing: list[emnlp2011_parsing.ParsingAnswer] = field(default_factory=list)

    def markdown(self) -> str:
        """Return the section."""
        return self.page.markdown()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the answers as plain data."""
        tagging = [{"row": line.name, **asdict(one)} for line in self.lines for one in line.answers]
        return [*tagging, *map(asdict, self.parsing)]


def run(
    data_dir: str | Path | None,
    out: str | Path,
    quick: bool,
    jobs: int,
    progress: Progress | None = None,
    part: str = "all",
    so_far: bool = False,
) -> Result:
    """Choose on dev, measure all rows on test, and write the page, anew after each order of the sentences.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``structured/``; LACONIC_DATA if not given.
    out : path
        Where the page, the figures and the journals go. What the journals have is not measured again.
    quick : bool
        Chunking alone, one order of the sentences.
    jobs : int
        Processes.
    progress : callable, optional
        Called with (fits done, fits in all, what is done).
    part : {"all", "tagging", "parsing"}
        Which half of the paper. A quick run leaves parsing out; asked for it, it takes Danish alone.
    so_far : bool
        Measure nothing: the page has the rows whose choice on dev and at least one order on test the journal holds,
        and the treebanks that it holds whole.
    """
    folder, base = Path(out), find_base(data_dir)
    wanted = () if part == "parsing" else (CHUNKING,) if quick else (CHUNKING, *LANGUAGES)
    for data in wanted:
        check_data(base / data)
    treebanks = list(emnlp2011_parsing.TREEBANKS)
    if part == "tagging" or (part == "all" and quick):
        treebanks = []
    emnlp2011_parsing.check_data(base, treebanks[: 1 if quick else None])
    folder.mkdir(parents=True, exist_ok=True)
    lines, page = (
        _tagging(Fits(base, folder / JOURNAL, jobs, progress), wanted, quick, folder, so_far)
        if wanted
        else ([], _new())
    )
    parsing: list[emnlp2011_parsing.ParsingAnswer] = []
    names = treebanks[: 1 if quick else None]
    if so_far:
        names = emnlp2011_parsing.in_journal(folder, names)
    for done in range(1, len(names) + 1):  # the page is written anew after each treebank
        parsing = emnlp2011_parsing.measure_all(base, folder, names[:done], jobs, progress)
        page = _page(lines, quick) if lines else _new()
        emnlp2011_parsing.add_to_page(page, parsing)
        _write(page, folder)
    return Result(lines, page, parsing)


def _tagging(fits: Fits, wanted: Sequence[str], quick: bool, folder: Path, so_far: bool) -> tuple[list[Line], Page]:
    rows = [
        (data, name, row)
        for data in wanted
        for name, row in ROWS[data].items()
        if "peer" not in row.settings or is_installed()
    ]
    if so_far:
        rows = [(data, name, row) for data, name, row in rows if _is_known(fits, data, row)]
    chosen = [fits.choose(data, row) for data, _, row in rows]
    for seeds in (1,) if quick or so_far else range(1, SEEDS + 1):
        if not so_far:
            fits.answers(
                [
                    Job.of(data, TEST, one, seed)
                    for (data, _, _), one in zip(rows, chosen, strict=True)
                    for seed in _orders(one, seeds)
                ]
            )
        lines = [
            Line(data, name, row, one, tuple(_measured(fits, data, one)), _tried(fits, data, row))
            for (data, name, row), one in zip(rows, chosen, strict=True)
        ]
        page = _page(lines, quick)
        _write(page, folder)
    return lines, page


def _is_known(fits: Fits, data: str, row: Row) -> bool:
    """Say whether the journal has all that a line needs: its choice on dev, and an order of the sentences on test."""
    if len(row.tried) > 1:
        dev = [Job.of(data, DEV, one, seed) for one in row.options() for seed in range(row.orders)]
        if any(job not in fits.known for job in dev):
            return False
    return bool(_measured(fits, data, fits.choose(data, row)))


def _orders(settings: Mapping[str, Any], seeds: int) -> range:
    """Return the orders of the sentences to measure; a peer gives the same in all of them."""
    return range(1 if "peer" in settings else seeds)


def _measured(fits: Fits, data: str, settings: Mapping[str, Any]) -> list[Answer]:
    """Return what the journal has of one line on test, which may be more orders of the sentences than others have."""
    jobs = [Job.of(data, TEST, settings, seed) for seed in _orders(settings, SEEDS)]
    return [fits.known[job] for job in jobs if job in fits.known]


def _write(page: Page, folder: Path) -> None:
    for name, svg in page.figures.items():
        replace_file(folder / name, svg)
    place = folder / PAGE
    replace_file(place, joined(place.read_text("utf-8") if place.is_file() else "", page))


def _new() -> Page:
    page = Page("emnlp2011", "Structured sparsity in structured prediction (EMNLP 2011)")
    page.say(
        f"Made by `python -m papers emnlp2011`, written at commit {commit() or 'unknown'}; journals keep what was "
        "measured before, so single rows may be of earlier commits."
    )
    return page


def _tried(fits: Fits, data: str, row: Row) -> tuple[float, ...]:
    return tuple(fits.dev_scores(data, row)) if len(row.tried) > 1 else ()


def _page(lines: Sequence[Line], quick: bool) -> Page:
    page = _new()
    page.say(
        "Span F1 in % and number of weights, after the refit; mean and standard deviation over orders of the "
        "sentences, whose number a column says. Δ is ours minus the paper's; kB is the size of the model. Settings "
        "were chosen on dev alone (of CoNLL-2000 every tenth training sentence, another tenth in each order), as "
        "listed at the end, and what was chosen was fitted to all training sentences."
        + (" A quick run: chunking alone." if quick else "")
    )
    for data in dict.fromkeys(line.data for line in lines):
        page.head(f"{'Table 1' if data == CHUNKING else 'Table 2'}: {data}")
        rows = [_cells(line) for line in lines if line.data == data]
        page.table(("", "templates", "orders", "test F1", "paper", "Δ", "weights", "paper", "kB"), rows)
    curves = {
        line.name: list(enumerate(map(float, line.answers[0].memory), 1))
        for line in lines
        if line.data == CHUNKING and line.name in ("MIRA", "B = 30")
    }
    if curves:
        page.head("Figure 2: features with weights after each pass")
        svg = panels({"chunking": curves}, ("pass", "features"), lines=True)
        page.figure("memory", svg, "features with weights against passes, MIRA and sparseptron with a budget of 30")
    choices = [cells for line in lines for cells in _choices(line)]
    if choices:
        page.head("Chosen on dev")
        page.table(("data", "row", "settings", "chosen", "orders", "dev F1"), choices, names=4)
    return page


def _cells(line: Line) -> tuple[str, ...]:
    paper: Mapping[str, Any] = PAPER[line.data].get(line.name, {})
    test = [one.f1 for one in line.answers]
    spread = f" ± {statistics.stdev(test):.2f}" if len(test) > 1 else ""
    return (
        line.name,
        f"{statistics.fmean(one.templates for one in line.answers):.0f}",
        str(len(line.answers)),
        f"{statistics.fmean(test):.2f}{spread}",
        number(paper.get("test"), 2),
        number(statistics.fmean(test) - paper["test"], 2, "+") if paper else "–",
        f"{statistics.fmean(one.weights for one in line.answers):,.0f}",
        f"{paper['weights']:,}" if paper else "–",
        f"{statistics.fmean(one.kilobytes for one in line.answers):,.0f}",
    )


def _choices(line: Line) -> list[tuple[str, ...]]:
    """Return one table row for each setting that was tried."""
    return [
        (
            line.data,
            line.name,
            ", ".join(f"{key} {value}" for key, value in tried.items()),
            "yes" if option == line.settings else "",
            str(line.row.orders),
            f"{score:.2f}",
        )
        for tried, option, score in zip(line.row.tried, line.row.options(), line.dev, strict=False)
    ]
