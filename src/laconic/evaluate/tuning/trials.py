"""Running a grid on splits: one scored fit per setting and split, and the candidates they are combined into.

The standard error on a dev set: accuracy is a share p of n documents, √(p(1 − p)/n). For other metrics it is the
standard deviation over bootstrap samples of the documents (Efron and Tibshirani, *An Introduction to the Bootstrap*,
1993, chapter 6, which finds 50 to 200 samples enough for a standard error). Samples are drawn within each class, so
that every metric stays defined.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Number
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
from laconic.evaluate.tuning.journal import Journal

N_SAMPLES = 100


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
    journal: Journal | None = None,
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
