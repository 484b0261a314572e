"""Fits of the EMNLP 2011 experiments: which were asked for, what they gave, and the journal that keeps it.

Choices look at dev alone: the dev file, or for CoNLL-2000, which has none, every tenth training sentence, which is then
left out of training, another tenth in each order of the sentences. Only what was chosen is fitted to all training
sentences and meets the test file.
"""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any

from laconic.core.folder import TIMINGS
from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.tagged_files import read_tagged
from laconic.structured.fit import Fitted
from laconic.structured.folder import made_with
from laconic.structured.scores import score_tags
from laconic.structured.settings import TaggerSettings
from laconic.structured.tagging.estimator import SequenceTagger
from laconic.structured.tagging.fit import fit_chain
from papers.emnlp2011_numbers import Row
from papers.emnlp2011_peers import PEER, fit_peer

DEV, TEST = "dev", "test"
HELD_OUT = 10  # every tenth sentence, where there is no dev file
JOURNAL = "emnlp2011.jsonl"
Tagged = tuple[Sentences, list[list[str]]]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Job:
    """One fit: which data, scored on dev or test, with which settings (as JSON), in which order of the sentences."""

    data: str
    split: str
    settings: str
    seed: int

    @classmethod
    def of(cls, data: str, split: str, settings: Mapping[str, Any], seed: int) -> "Job":
        """Return the job of settings."""
        return cls(data, split, json.dumps(settings, sort_keys=True), seed)


@dataclass(frozen=True)
class Answer:
    """What a fit gave: F1 in %, sizes, features with weights after each pass, processor seconds."""

    data: str
    split: str
    settings: dict[str, Any]
    seed: int
    f1: float
    templates: int
    weights: int
    kilobytes: float
    memory: list[int]
    seconds: float

    @property
    def job(self) -> Job:
        """What was asked."""
        return Job.of(self.data, self.split, self.settings, self.seed)


class Fits:
    """Answers, from the journal or measured now.

    Parameters
    ----------
    base : path
        Holds one folder a data set.
    journal : path
        What it has is not measured again.
    jobs : int
        Processes.
    progress : callable, optional
        Called with (fits done, fits asked for so far, what is done).
    """

    def __init__(self, base: Path, journal: Path, jobs: int = 1, progress: Progress | None = None) -> None:
        self.base, self.journal, self.jobs, self.progress = base, journal, jobs, progress
        lines = journal.read_text("utf-8").splitlines() if journal.is_file() else []
        answers = [Answer(**json.loads(line)) for line in lines if line.strip()]
        self.known = {one.job: one for one in answers}
        self._done = 0

    def answers(self, asked: Sequence[Job]) -> list[Answer]:
        """Return the answers to some jobs; those that are not known are measured and written to the journal."""
        missing = [job for job in dict.fromkeys(asked) if job not in self.known]
        total = self._done + len(missing)
        with ProcessPoolExecutor(self.jobs) if self.jobs > 1 else nullcontext() as pool:
            spread = map if pool is None else pool.map
            for answer in spread(measure, missing, repeat(self.base)):
                self.known[answer.job] = answer
                with open(self.journal, "a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(answer)) + "\n")
                self._done += 1
                if self.progress is not None:
                    self.progress(self._done, total, f"{answer.data} on {answer.split}")
        return [self.known[job] for job in asked]

    def choose(self, data: str, row: Row) -> dict[str, Any]:
        """Return the settings of a row: of several that it names, those of the highest mean F1 on dev, the first of
        equal ones.
        """
        options = row.options()
        if len(options) == 1:
            return options[0]
        scores = self.dev_scores(data, row)
        return options[max(range(len(options)), key=lambda number: (scores[number], -number))]

    def dev_scores(self, data: str, row: Row) -> list[float]:
        """Return the mean F1 on dev of each of the settings that a row tries."""
        seeds = row.orders
        found = self.answers([Job.of(data, DEV, one, seed) for one in row.options() for seed in range(seeds)])
        return [statistics.fmean(one.f1 for one in found[i : i + seeds]) for i in range(0, len(found), seeds)]


def measure(job: Job, base: Path) -> Answer:
    """Fit once and score."""
    settings = json.loads(job.settings)
    options = {key: value for key, value in settings.items() if key != "scheme"}
    tenth = (HELD_OUT - 1 - job.seed) % HELD_OUT
    train, held_out = splits(base / job.data, job.split, settings.get("scheme", "iob2"), tenth)
    started = time.process_time()  # what else the machine does is not counted
    if settings.get("peer") == PEER:
        tags, peer_sizes = fit_peer(*train, held_out[0], settings)
        f1 = 100.0 * score_tags(held_out[1], tags).overall.f1
        seconds = time.process_time() - started
        return Answer(job.data, job.split, settings, job.seed, f1, memory=[], seconds=seconds, **peer_sizes)
    asked = TaggerSettings(**options, random_state=job.seed)
    fitted = fit_chain(*train, asked)
    seconds = time.process_time() - started
    tagger = SequenceTagger.from_model(fitted.model, made_with(asked, Fitted(fitted.model)))
    f1 = 100.0 * tagger.evaluate(*held_out).overall.f1
    with tempfile.TemporaryDirectory() as folder:
        saved = tagger.save(Path(folder, "model"))
        kilobytes = sum(file.stat().st_size for file in saved.iterdir() if file.name != TIMINGS) / 1000.0
    sizes = len(fitted.model.templates), fitted.model.n_weights
    return Answer(job.data, job.split, settings, job.seed, f1, *sizes, kilobytes, fitted.memory, seconds)


@lru_cache(maxsize=4)
def splits(folder: Path, split: str, scheme: str, tenth: int = HELD_OUT - 1) -> tuple[Tagged, Tagged]:
    """Return the sentences to learn from and those to score on; the test file is opened for ``split`` "test" alone.

    Where there is no dev file, training sentences whose number leaves the remainder ``tenth`` are held out.
    """
    train = _read(folder / "train.conll.xz", scheme)
    if split == TEST:
        return train, _read(folder / "test.conll.xz", scheme)
    if (folder / "dev.conll.xz").exists():
        return train, _read(folder / "dev.conll.xz", scheme)
    sentences, tags = train
    dev = [number % HELD_OUT == tenth for number in range(len(sentences))]
    parts = []
    for wanted in (False, True):
        which = [number for number, one in enumerate(dev) if one == wanted]
        parts.append((sentences.take(which), [tags[number] for number in which]))
    return parts[0], parts[1]


def _read(path: Path, scheme: str) -> Tagged:
    sentences, tags, _ = read_tagged(path, scheme=scheme)
    return sentences, tags


def find_base(data_dir: str | Path | None) -> Path:
    """Return the folder of the structured data sets."""
    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError("Pass --data or set LACONIC_DATA to the folder that holds structured/.")
    return Path(base) / "structured"


def check_data(folder: Path) -> None:
    """Refuse a folder without the files of a shared task."""
    for split in ("train", "test"):
        if not (folder / f"{split}.conll.xz").is_file():
            raise FileNotFoundError(f"{folder / split}.conll.xz is missing: a CoNLL shared task, one token a line.")
