"""*Structured Sparsity in Structured Prediction* (Martins et al., EMNLP 2011): Tables 1 and 2, Figure 2.

As published: MIRA (max-loss, averaged) in 15 passes over all templates; the sparseptron in 5 passes, d = log₂|G|,
K = 1000, then 10 passes of MIRA on what survived. Below them stand rows of our own. Chunking has no dev set of its own:
every tenth training sentence is held out for choices, and final models are trained on all of them.
"""

import json
import os
import statistics
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from itertools import repeat
from pathlib import Path
from time import perf_counter
from typing import Any

from laconic.data.sentences import Sentences
from laconic.data.tagged_files import read_tagged
from laconic.reproduce.charts import panels
from laconic.reproduce.emnlp2011_numbers import CHUNKING, LANGUAGES, OURS, PAPER, PUBLISHED
from laconic.reproduce.page import PAGE, Page, joined, number, replace_file
from laconic.structured.fitting import fit_chain
from laconic.structured.named_sets import resolve_templates
from laconic.structured.settings import Settings
from laconic.structured.span_scores import score_tags
from laconic.structured.tag_scorer import TagScorer

SEEDS = 5
JOURNAL = "emnlp2011.jsonl"
Tagged = tuple[Sentences, list[list[str]]]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Job:
    """One fit: which data, which row of which table, which order of the sentences."""

    data: str
    row: str
    seed: int


@dataclass(frozen=True)
class Answer:
    """What a fit gave: F1 in % on dev and test, sizes, features with weights after each pass."""

    data: str
    row: str
    seed: int
    dev: float | None
    test: float
    templates: int
    weights: int
    memory: list[int]
    seconds: float


@dataclass(frozen=True)
class Result:
    """All answers and their page."""

    answers: list[Answer]
    page: Page

    def markdown(self) -> str:
        """Return the section."""
        return self.page.markdown()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the answers as plain data."""
        return [asdict(one) for one in self.answers]


def run(
    data_dir: str | Path | None, out: str | Path, quick: bool, jobs: int, progress: Progress | None = None
) -> Result:
    """Measure all rows and write the page.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``structured/``; LACONIC_DATA if not given.
    out : path
        Where the page, the figure and the journal go. What the journal has is not measured again.
    quick : bool
        Chunking alone, one order of the sentences.
    jobs : int
        Processes.
    progress : callable, optional
        Called with (fits done, fits in all, what is done).
    """
    folder = Path(out)
    asked = [
        Job(data, row, seed)
        for data in ((CHUNKING,) if quick else (CHUNKING, *LANGUAGES))
        for seed in range(1 if quick else SEEDS)
        for row in (*PUBLISHED[data], *OURS[data])
    ]
    base = _base(data_dir)
    for data in dict.fromkeys(job.data for job in asked):
        _check(base / data)
    folder.mkdir(parents=True, exist_ok=True)
    known = _read_journal(folder / JOURNAL)
    missing = [job for job in asked if job not in known]
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        spread = map if pool is None else pool.map
        for done, answer in enumerate(spread(measure, missing, repeat(base)), 1):
            known[Job(answer.data, answer.row, answer.seed)] = answer
            with open(folder / JOURNAL, "a", encoding="utf-8") as journal:
                journal.write(json.dumps(asdict(answer)) + "\n")
            if progress is not None:
                progress(done, len(missing), f"{answer.data}: {answer.row}")
    answers = [known[job] for job in asked]
    page = _page(answers, quick)
    for name, svg in page.figures.items():
        replace_file(folder / name, svg)
    place = folder / PAGE
    replace_file(place, joined(place.read_text("utf-8") if place.is_file() else "", page))
    return Result(answers, page)


def measure(job: Job, base: Path) -> Answer:
    """Fit one row and score it."""
    settings = {**PUBLISHED[job.data], **OURS[job.data]}[job.row]
    started = perf_counter()
    train, dev, test = _splits(base / job.data)
    options = {key: value for key, value in settings.items() if key != "templates"}
    templates = resolve_templates(settings["templates"])
    fitted = fit_chain(*train, templates, Settings(**options, random_state=job.seed))
    seconds = perf_counter() - started
    scorer = TagScorer(fitted.model, {})
    held_out = None if dev is None else _f1(scorer, dev)
    sizes = len(fitted.model.templates), fitted.model.n_weights
    return Answer(job.data, job.row, job.seed, held_out, _f1(scorer, test), *sizes, fitted.memory, seconds)


def _f1(scorer: TagScorer, tagged: Tagged) -> float:
    return 100.0 * score_tags(tagged[1], scorer.predict(tagged[0])).overall.f1


@cache
def _splits(folder: Path) -> tuple[Tagged, Tagged | None, Tagged]:
    """Return train, dev (chunking has none) and test, in IOB2."""
    found = {}
    for split in ("train", "dev", "test"):
        file = folder / f"{split}.conll.xz"
        if file.exists():
            sentences, tags, _ = read_tagged(file, scheme="iob2")
            found[split] = sentences, tags
    return found["train"], found.get("dev"), found["test"]


def _base(data_dir: str | Path | None) -> Path:
    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError("Pass --data or set LACONIC_DATA to the folder that holds structured/.")
    return Path(base) / "structured"


def _check(folder: Path) -> None:
    for split in ("train", "test"):
        if not (folder / f"{split}.conll.xz").is_file():
            raise FileNotFoundError(f"{folder / split}.conll.xz is missing: a CoNLL shared task, one token a line.")


def _read_journal(path: Path) -> dict[Job, Answer]:
    if not path.is_file():
        return {}
    answers = [Answer(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return {Job(one.data, one.row, one.seed): one for one in answers}


def _page(answers: Sequence[Answer], quick: bool) -> Page:
    page = Page("emnlp2011", "Structured sparsity in structured prediction (EMNLP 2011)")
    seeds = len({one.seed for one in answers})
    page.say(
        f"Span F1 in % and number of weights, after the refit; mean and standard deviation over {seeds} "
        f"order{'s' * (seeds > 1)} of the sentences. Δ is ours minus the paper's."
        + (" A quick run: chunking alone." if quick else "")
    )
    for data in dict.fromkeys(one.data for one in answers):
        page.head(f"{'Table 1' if data == CHUNKING else 'Table 2'}: {data}")
        rows = [_line(data, row, answers) for row in (*PUBLISHED[data], *OURS[data])]
        page.table(("", "templates", "dev F1", "test F1", "paper", "Δ", "weights", "paper"), rows)
    chunking = [one for one in answers if one.data == CHUNKING and one.seed == 0]
    curves = {one.row: list(enumerate(map(float, one.memory), 1)) for one in chunking if one.row in ("MIRA", "B = 30")}
    page.head("Figure 2: features with weights after each pass")
    svg = panels({"chunking": curves}, ("pass", "features"), lines=True)
    page.figure("memory", svg, "features with weights against passes, MIRA and sparseptron with a budget of 30")
    return page


def _line(data: str, row: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    mine = [one for one in answers if (one.data, one.row) == (data, row)]
    test = [one.test for one in mine]
    dev = [one.dev for one in mine if one.dev is not None]
    paper: Mapping[str, Any] = PAPER[data].get(row, {})
    mean = statistics.fmean(test)
    return (
        row,
        f"{statistics.fmean(one.templates for one in mine):.0f}",
        _mean(dev),
        _mean(test),
        number(paper.get("test"), 2),
        number(mean - paper["test"], 2, "+") if paper else "–",
        f"{statistics.fmean(one.weights for one in mine):,.0f}",
        f"{paper['weights']:,}" if paper else "–",
    )


def _mean(values: Sequence[float]) -> str:
    if not values:
        return "–"
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.fmean(values):.2f}{spread}"
