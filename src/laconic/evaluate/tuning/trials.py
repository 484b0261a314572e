"""Running a grid on splits: one scored fit per setting and split, and the candidates they are combined into.

The standard error on a dev set: accuracy is a share p of n documents, √(p(1 − p)/n). For other metrics it is the
standard deviation over bootstrap samples of the documents (Efron and Tibshirani, *An Introduction to the Bootstrap*,
1993, chapter 6, which finds 50 to 200 samples enough for a standard error). Samples are drawn within each class, so
that every metric stays defined.

A `Journal` keeps the trials on disk, so that a search can be interrupted and resumed: a file of JSON lines. The first
names the search: a hash over estimator, grid, documents, labels and splits. Each further line holds the trials of
settings that were fitted together on one split, so that all of them or none are kept. A last line that was cut off when
a run was killed is ignored.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np

from laconic.evaluate.metrics.scores import (
    LABEL_METRICS,
    as_labels,
    class_codes,
    label_score,
    outputs,
    probability_score,
    score,
)
from laconic.evaluate.splits import Split
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.grid_fits import failure, fit_points, n_words, relative_gap, shares_work

N_SAMPLES = 100
KIND = "laconic tune journal"


def standard_error(metric: str, y_true: np.ndarray, outputs: dict[str, Any], seed: int) -> float:
    """Return the standard error of a metric on one set of documents; ``outputs`` are the other arguments of `score`."""
    if metric == "accuracy":
        share = score(metric, y_true, **outputs)
        return float(np.sqrt(share * (1.0 - share) / len(y_true)))
    rng = np.random.default_rng(seed)
    if metric in LABEL_METRICS:
        values = _from_confusion(metric, y_true, as_labels(outputs["y_pred"], "y_pred"), rng)
    else:
        values = _from_documents(metric, y_true, outputs, rng)
    return float(np.std(values, ddof=1))


def _from_confusion(metric: str, y_true: np.ndarray, y_pred: np.ndarray, rng: np.random.Generator) -> list[float]:
    """Draw rows of the confusion matrix, which such a metric depends on: the same as drawing documents, but fast."""
    from sklearn.metrics import confusion_matrix

    confusion = confusion_matrix(y_true, y_pred)
    truth, predicted = np.indices(confusion.shape)
    sizes = confusion.sum(axis=1)
    shares = confusion / np.maximum(sizes, 1)[:, None]
    shares[sizes == 0, 0] = 1.0  # a class that is only predicted: nothing is drawn, but shares must sum to 1
    draws = rng.multinomial(sizes, shares, size=(N_SAMPLES, len(sizes)))
    return [
        label_score(metric, truth[drawn > 0], predicted[drawn > 0], sample_weight=drawn[drawn > 0].astype(np.float64))
        for drawn in draws
    ]


def _from_documents(metric: str, y_true: np.ndarray, outputs: dict[str, Any], rng: np.random.Generator) -> list[float]:
    proba, classes = np.asarray(outputs["proba"], dtype=np.float64), as_labels(outputs["classes"], "classes")
    codes = class_codes(metric, y_true, classes)
    members = [np.flatnonzero(codes == k) for k in np.unique(codes)]
    values = []
    for _ in range(N_SAMPLES):
        drawn = np.concatenate([rng.choice(indices, size=len(indices)) for indices in members])
        values.append(probability_score(metric, codes[drawn], proba[drawn], classes))
    return values


@dataclass(frozen=True)
class Trial:
    """One fit of one setting: its score on held-out documents, its size and, if kept, its model."""

    setting: int
    score: float
    standard_error: float | None  # None if it follows from several folds
    words: int
    gap: float
    seconds: float
    model: Any


def run(
    estimator: Any,
    settings: Sequence[dict[str, Any]],
    splits: Sequence[Split],
    metric: str,
    seed: int,
    n_jobs: int | None,
    journal: "Journal | None" = None,
) -> Iterator[Trial]:
    """Yield the scored fit of every setting on every split; of one split with its model, unless a journal holds it."""
    from sklearn.utils.parallel import Parallel, delayed

    parts = _families(settings) if shares_work(estimator) else [[i] for i in range(len(settings))]
    jobs = [(number, tuple(part)) for number in range(len(splits)) for part in parts]
    known = {job: None if journal is None else journal.find(*job) for job in jobs}
    alone = len(splits) == 1
    # Threads: the kernels release the interpreter lock, and neither data nor estimator need be copied. This is only a
    # preference: joblib.parallel_config(backend="loky" or "dask") overrides it.
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    task = delayed(_trials)
    fresh = parallel(
        task(estimator, settings, part, splits[number], metric, seed, alone)
        for number, part in jobs
        if known[number, part] is None
    )
    for number, part in jobs:
        trials = known[number, part]
        if trials is None:
            trials = next(fresh)
            if journal is not None:
                journal.add(number, part, trials)
        yield from trials


def _families(settings: Sequence[dict[str, Any]]) -> list[list[int]]:
    """Return the positions of settings that differ only in numbers or estimators: these share work when fitted."""
    families: list[tuple[dict[str, Any], list[int]]] = []
    for i, setting in enumerate(settings):
        own = {
            name: value
            for name, value in setting.items()
            if isinstance(value, bool) or not (isinstance(value, Number) or hasattr(value, "get_params"))
        }
        members = next((members for other, members in families if _same(other, own)), None)
        if members is None:
            families.append((own, [i]))
        else:
            members.append(i)
    return [members for _, members in families]


def _same(own: dict[str, Any], other: dict[str, Any]) -> bool:
    return own.keys() == other.keys() and all(own[name] is other[name] or own[name] == other[name] for name in own)


def candidate(params: dict[str, Any], trials: Sequence[Trial]) -> Candidate:
    """Return the candidate that the trials of one setting, one per split, are combined into."""
    scores = [trial.score for trial in trials]
    error = trials[0].standard_error
    if error is None:  # NaN after the first fold
        error = float(np.std(scores, ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else float("nan")
    return Candidate(
        params=params,
        scores=tuple(scores),
        mean=float(np.mean(scores)),
        standard_error=error,
        words=float(np.mean([trial.words for trial in trials])),
        gap=max(trial.gap for trial in trials),
        seconds=float(np.mean([trial.seconds for trial in trials])),
    )


def _trials(
    estimator: Any,
    settings: Sequence[dict[str, Any]],
    part: Sequence[int],
    split: Split,
    metric: str,
    seed: int,
    alone: bool,
) -> list[Trial]:
    X_fit, y_fit, X_score, y_score = split()
    fitted = fit_points(estimator, [settings[i] for i in part], X_fit, y_fit)
    trials = []
    for i, (model, seconds) in zip(part, fitted, strict=True):
        words = n_words(model)
        try:
            given = outputs(model, metric, X_score)
            value = score(metric, y_score, **given)
            error = standard_error(metric, y_score, given, seed) if alone else None
        except Exception as problem:
            raise failure("Scoring", [settings[i]], problem) from problem
        if not np.isfinite(value):
            raise failure("Scoring", [settings[i]], ValueError(f"{metric} is {value}."))
        trials.append(Trial(i, value, error, words, relative_gap(model), seconds, model if alone else None))
    return trials


class Journal:
    """The trials of a search on disk; ``search`` is all that determines them, as something ``joblib.hash`` takes."""

    def __init__(self, path: str | os.PathLike, search: Any) -> None:
        import joblib

        self.path = Path(path)
        self.search = joblib.hash(search)
        self._trials: dict[tuple[int, tuple[int, ...]], list[Trial]] = {}
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise ValueError(f"The journal {str(self.path)!r} cannot be written; name a file in an existing folder.")
        if self.path.exists() and self.path.stat().st_size:
            self._read()
        else:
            self._append({"kind": KIND, "format": 1, "search": self.search})

    def find(self, split: int, settings: Sequence[int]) -> list[Trial] | None:
        """Return the trials of settings that were fitted together on a split, or None."""
        return self._trials.get((split, tuple(settings)))

    def add(self, split: int, settings: Sequence[int], trials: Sequence[Trial]) -> None:
        """Append trials, without their models."""
        rows = [{name: value for name, value in asdict(trial).items() if name != "model"} for trial in trials]
        self._append({"split": split, "settings": list(settings), "trials": rows})

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> None:
        text = self.path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        try:
            header, *lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            header, lines = {}, []
        if not isinstance(header, dict) or header.get("kind") != KIND:
            raise ValueError(f"{self.path} is not a journal of tune; name another file or remove it.")
        if header["search"] != self.search:
            raise ValueError(
                f"{self.path} is the journal of another search (other documents, labels, estimator, grid or splits); "
                f"name another file or remove it."
            )
        if len(whole) < len(text):
            with self.path.open("rb+") as file:
                file.truncate(len(whole.encode("utf-8")))
        for line in lines:
            trials = [Trial(**trial, model=None) for trial in line["trials"]]
            self._trials[line["split"], tuple(line["settings"])] = trials
