"""Parsing in *Structured Sparsity in Structured Prediction* (Martins et al., EMNLP 2011): Figure 3 and Table 3.

For each treebank UAS without punctuation against the number of features, for MIRA on all 684 templates and for
templates chosen by the group lasso, coarse to fine, by the lasso and by information gain. The paper's treebanks are
those of CoNLL-X, of which Danish and Spanish are here (Spanish in another split) and others stand in; its templates are
not listed, ours are `laconic.structured.parsing.named_sets`. So its curves can be compared in shape, not to the digit.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import repeat
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from laconic.data.annotated.treebank import Treebank, read_treebank
from laconic.evaluate.inference import sign_test
from laconic.structured.fit import Fitted
from laconic.structured.parsing.explain import arc_template_rows, kinds_of
from laconic.structured.parsing.fit import fit_arcs
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.score_numba import CompiledParser
from laconic.structured.scores import is_punctuation
from laconic.structured.settings import ParserSettings
from papers.arc_budgets import fit_budgets
from papers.charts import panels
from papers.page import Page

JOURNAL = "emnlp2011_parsing.jsonl"
TREEBANKS = {
    "Danish": "conllx_danish_ddt",
    "Spanish": "conllx_spanish_cast3lb",
    "Turkish": "ud_turkish_imst",
    "Arabic": "ud_arabic_padt_small",
    "Slovene": "ud_slovenian_ssj_small",
    "Japanese": "ud_japanese_gsd",
    "Dutch": "ud_dutch_lassysmall",
    "Portuguese": "ud_portuguese_bosque",
}
MOST_SENTENCES = 3000
BUDGETS = (50, 100, 200, 300, 400)
ALL = "MIRA, all"
GROUP, GAIN = "group lasso", "information gain"
METHODS = {GROUP: "group-lasso", "coarse to fine": "coarse-to-fine", GAIN: "information-gain"}
LASSO = "lasso"
_PASSES = {"passes": 3, "relations": False}
_TWO_STAGES = {**_PASSES, "selection_passes": 2, "every": 1000}
# settings and budgets of each curve; the lasso counts weights
SERIES: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    ALL: (_PASSES, ()),
    **{method: ({**_TWO_STAGES, "selection": selection}, BUDGETS) for method, selection in METHODS.items()},
    LASSO: ({**_TWO_STAGES, "selection": "lasso", "refit": "frozen"}, (100_000, 300_000, 1_000_000)),
}
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class ParsingJob:
    """One curve: which treebank, which series."""

    data: str
    series: str

    @property
    def rows(self) -> list[str]:
        """The rows of the table that it fills, smallest budget first."""
        return [row_name(self.series, budget) for budget in SERIES[self.series][1]] or [self.series]


@dataclass(frozen=True)
class ParsingAnswer:
    """What a fit gave: UAS in % without punctuation, sizes, kinds of templates kept, which test words are right."""

    data: str
    row: str
    dev: float
    test: float
    templates: int
    weights: int
    seconds: float
    right: str = field(repr=False)
    kinds: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)


def check_data(base: Path, names: Sequence[str]) -> None:
    """Refuse a folder without the files of the named treebanks."""
    for name in names:
        for split in ("train", "test"):
            treebank_file(base / TREEBANKS[name], split)


def measure_all(
    base: Path, folder: Path, names: Sequence[str], jobs: int, progress: Progress | None = None
) -> list[ParsingAnswer]:
    """Measure all rows of some treebanks; what the journal in ``folder`` has is not measured again.

    Parameters
    ----------
    base : Path
        The folder of the treebanks.
    folder : Path
    names : sequence of str
        Of `TREEBANKS`.
    jobs : int
        Processes.
    progress : callable, optional
    """
    asked = [ParsingJob(name, series) for name in names for series in SERIES]
    known = _read_journal(folder / JOURNAL)
    missing = [job for job in asked if any((job.data, row) not in known for row in job.rows)]
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        spread = map if pool is None else pool.map
        for done, answers in enumerate(spread(measure_series, missing, repeat(base)), 1):
            known |= {(answer.data, answer.row): answer for answer in answers}
            with open(folder / JOURNAL, "a", encoding="utf-8") as journal:
                journal.writelines(json.dumps(asdict(answer)) + "\n" for answer in answers)
            if progress is not None:
                progress(done, len(missing), f"{answers[0].data}: {answers[0].row}")
    return [known[job.data, row] for job in asked for row in job.rows]


def in_journal(folder: Path, names: Sequence[str]) -> list[str]:
    """Return the treebanks of which the journal in ``folder`` has all rows."""
    known = _read_journal(folder / JOURNAL)
    return [name for name in names if all((name, row) in known for one in SERIES for row in ParsingJob(name, one).rows)]


def row_name(series: str, budget: int) -> str:
    """Return what a row of the table is called.

    Examples
    --------
    >>> row_name("group lasso", 200), row_name("lasso", 100_000)
    ('group lasso, B = 200', 'lasso, 100,000')
    """
    return f"{series}, {budget:,}" if series == LASSO else f"{series}, B = {budget}"


def measure_series(job: ParsingJob, base: Path) -> list[ParsingAnswer]:
    """Fit the parsers of one curve on the training trees without dev and score them on dev and test."""
    splits = _splits(base / TREEBANKS[job.data])
    train = splits[0]
    given, budgets = SERIES[job.series]
    settings = ParserSettings(**given)
    started = process_time()
    if not budgets:
        fitted = fit_arcs(train.sentences, train.trees, settings)
        return [_answer(job, job.series, fitted, process_time() - started, splits)]
    answers = []
    for budget, fitted in fit_budgets(train.sentences, train.trees, settings, budgets):
        seconds = process_time() - started
        answers.append(_answer(job, row_name(job.series, budget), fitted, seconds, splits))
        started = process_time()
    return answers[::-1]


def _answer(
    job: ParsingJob, row: str, fitted: Fitted[ArcModel], seconds: float, splits: tuple[Treebank, Treebank, Treebank]
) -> ParsingAnswer:
    _, dev, test = splits
    parser = CompiledParser(fitted.model)
    right = _right(parser, test)
    info = {"settings": {"templates": "arcs"}, "strengths": fitted.strengths}
    return ParsingAnswer(
        data=job.data,
        row=row,
        dev=100.0 * float(_right(parser, dev).mean()),
        test=100.0 * float(right.mean()),
        templates=len(fitted.model.templates),
        weights=fitted.model.n_weights,
        seconds=seconds,
        right=np.packbits(right).tobytes().hex(),
        kinds=kinds_of(arc_template_rows(fitted.model, info)),
    )


def add_to_page(page: Page, answers: Sequence[ParsingAnswer]) -> None:
    """Add Figure 3, the table of all rows, paired tests and Table 3 to a page."""
    by_data: dict[str, dict[str, ParsingAnswer]] = {}
    for one in answers:
        by_data.setdefault(one.data, {})[one.row] = one
    page.head("Figure 3: UAS against the number of features")
    page.say(
        "UAS in % without punctuation; templates of our own (684, as many as the paper's), treebanks of CoNLL-X or UD "
        "stand-ins. Dev is the treebank's own, or the last tenth of the training sentences, left out of training; "
        f"of the rest the first {MOST_SENTENCES:,} sentences are learned from. "
        f"MIRA in {_PASSES['passes']} passes (the paper: 10 and, on all templates, 15). One selection of "
        f"{_TWO_STAGES['selection_passes']} passes at the largest budget serves all budgets: smaller ones keep the "
        "strongest of its templates (of its weights, for the lasso). Its time is counted with the largest budget."
    )
    curves = {
        data: {
            series: [(rows[row].weights / 1e6, rows[row].test) for row in ParsingJob(data, series).rows]
            for series in SERIES
        }
        for data, rows in by_data.items()
    }
    page.figure("parsing", panels(curves, ("million weights", "UAS"), lines=True), "UAS against number of weights")
    for data, rows in by_data.items():
        full = rows[ALL].test
        table = []
        for row, one in rows.items():
            scores = f"{one.dev:.2f}", f"{one.test:.2f}", f"{one.test - full:+.2f}"
            table.append((row, f"{one.templates}", *scores, f"{one.weights:,}", f"{one.seconds:.0f}"))
        page.head(f"Parsing: {data}")
        page.table(("", "templates", "dev", "test", "less all", "weights", "CPU s"), table)
    page.head("Group lasso beside information gain, at equal budgets")
    page.say("Test words that only one of the two attaches rightly, and the p-value of a one-sided sign test.")
    page.table(("", *(f"B = {budget}" for budget in BUDGETS)), [_paired(data, rows) for data, rows in by_data.items()])
    page.head("Table 3: kinds of templates that the group lasso keeps, B = 200")
    kept = {data: rows[f"{GROUP}, B = 200"].kinds for data, rows in by_data.items()}
    kinds = list(dict.fromkeys(kind for one in kept.values() for kind in one))
    lines = []
    for kind in kinds:
        counts = [one.get(kind, {"kept": 0, "of": 0}) for one in kept.values()]
        lines.append((kind, *(f"{one['kept']} of {one['of']}" for one in counts)))
    page.table(("", *kept), lines)


def _paired(data: str, rows: dict[str, ParsingAnswer]) -> tuple[str, ...]:
    cells = [data]
    for budget in BUDGETS:
        first, second = (_bits(rows[f"{method}, B = {budget}"].right) for method in (GROUP, GAIN))
        test = sign_test(np.ones(len(first), dtype=int), first, second)
        cells.append(f"{test.wins} : {test.losses}, p = {test.p_value:.2g}")
    return tuple(cells)


def _bits(text: str) -> np.ndarray:
    return np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8)).astype(int)


def _right(parser: CompiledParser, treebank: Treebank) -> np.ndarray:
    """Return for each word that is no punctuation whether it gets the right head."""
    words = np.array([not is_punctuation(word) for word in treebank.sentences.columns["word"]], dtype=np.bool_)
    return (parser.heads(treebank.sentences) == treebank.trees)[words]


@cache
def _splits(folder: Path) -> tuple[Treebank, Treebank, Treebank]:
    """Return the first sentences of train, dev and test; without a dev file the last tenth of train is dev."""
    train, test = read_treebank(treebank_file(folder, "train")), read_treebank(treebank_file(folder, "test"))
    try:
        dev = read_treebank(treebank_file(folder, "dev"))
    except FileNotFoundError:
        n = len(train.sentences)
        cut = n - n // 10
        train, dev = train.take(range(cut)), train.take(range(cut, n))
    return train.take(range(min(len(train.sentences), MOST_SENTENCES))), dev, test


def treebank_file(folder: Path, split: str) -> Path:
    """Return the file of a split, in CoNLL-U or CoNLL-X."""
    for ending in ("conllu", "conll"):
        if (path := folder / f"{split}.{ending}.xz").is_file():
            return path
    raise FileNotFoundError(f"{folder / split}.conllu.xz is missing: a treebank in CoNLL-X or CoNLL-U.")


def _read_journal(path: Path) -> dict[tuple[str, str], ParsingAnswer]:
    if not path.is_file():
        return {}
    found = [ParsingAnswer(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return {(one.data, one.row): one for one in found}
