"""Which feature values, n-grams, cut of rare words and penalty make the best models of a given number of words.

Fifteen data sets, the ten of the W-NUT 2018 paper and five of other shapes. Every model is fitted on the training set
and scored on the dev set: accuracy, for several labels macro F1 with a threshold for each label. A cell is the best
model of at most so many words over the path of a penalty, as ``laconic fit --words`` would choose it. Test sets are
read at the very end, by the defaults that were and those that are. Training sets of more than 28 labels are thinned to
at most 4,000 documents, of several labels to 11,000. What was measured is kept in ``defaults.jsonl``, once and for all.
"""

import json
import lzma
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import aligned

WNUT = (
    *("20ng/science", "20ng/sports", "20ng/religion", "20ng/computer", "vote", "movie"),
    *("amazon/books", "amazon/dvd", "amazon/electronics", "amazon/kitchen"),
)
REAL = ("sms", "davidson", "banking77", "arxiv", "goemotions")
SETS = (*WNUT, *REAL)
BUDGETS = (25, 50, 100, 200, 500, 1000)
STEPS = (10, 20, *BUDGETS)  # words at which pursuits are scored
CELLS, NGRAMS, MIN_DF = ("binary", "count", "tfidf"), (1, 2), (1, 2, 5)
PENALTIES = {"lasso": (1.0,), "elastic": (0.9, 0.5), "omp": (10.0, 1.0, 0.1)}  # shares of λ₁; λ₂
MANY_LABELS, THINNED, THINNED_SEVERAL = 28, 4000, 11000
REACHES, REACHES_MANY = (0.1, 0.01, 0.001), (0.05, 0.01)  # of λ_max, until the largest budget is exceeded
POINTS, POINTS_MANY = 40, 16


class Features(NamedTuple):
    """How texts become a matrix."""

    cells: str
    longest: int  # n-gram
    min_df: int


BEFORE, NOW = Features("binary", 1, 1), Features("binary", 1, 1)


class Scored(NamedTuple):
    """Models of a path: how many words each has, and its score on dev (and test, where asked for)."""

    sizes: NDArray[np.int64]
    scores: Sequence[NDArray[np.float64]]

    def best(self, budget: int, last: int = 0) -> tuple[float, float]:
        """Return the score on dev of the best model with at most so many words, and that of another part."""
        dev = np.where(self.sizes <= budget, self.scores[0], -1.0)
        place = int(dev.argmax())
        return float(dev[place]), float(self.scores[last][place])


def run(names: Sequence[str], out: Path) -> str:
    """Measure what the journal lacks and return the tables."""
    journal, names = out / "defaults.jsonl", names or SETS
    for name in names:
        for features, penalty in product(map(Features._make, product(CELLS, NGRAMS, MIN_DF)), PENALTIES):
            _measured(journal, {"data": name, **features._asdict(), "penalty": penalty}, _dev_scores)
    if BEFORE != NOW:
        for name, (who, features) in product(names, (("before", BEFORE), ("now", NOW))):
            _measured(journal, {"data": name, **features._asdict(), "defaults": who}, _test_scores)
    rows = [row for row in _read(journal) if row["data"] in names]
    found = [by_features(rows), by_penalty(rows), by_data(rows)]
    return "\n\n".join(aligned([_percent(row) for row in table]) for table in found if table)


def _measured(journal: Path, cell: dict, measure: Any) -> None:
    """Measure a cell and note it, unless it is noted already."""
    if not any(cell.items() <= row.items() for row in _read(journal)):
        row = {**cell, **measure(cell)}
        with journal.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


def _dev_scores(cell: dict) -> dict:
    features = Features(cell["cells"], cell["longest"], cell["min_df"])
    scored = list(trails(cell["data"], features, cell["penalty"]))
    return {"dev": {k: max(one.best(k)[0] for one in scored) for k in BUDGETS}}


def _test_scores(cell: dict) -> dict:
    """Return the test score of the model of any penalty that is best on dev."""
    features = Features(cell["cells"], cell["longest"], cell["min_df"])
    scored = [one for penalty in PENALTIES for one in trails(cell["data"], features, penalty, tested=True)]
    return {"test": {k: max((one.best(k, last=1) for one in scored), key=lambda pair: pair[0])[1] for k in BUDGETS}}


def trails(name: str, features: Features, penalty: str, tested: bool = False) -> Iterator[Scored]:
    """Yield the scored models of each path of a penalty."""
    (X, y), *others = matrices(name, features, tested)
    for strength in PENALTIES[penalty]:
        if isinstance(y[0], tuple):
            yield _several(X, y, others, penalty, strength)
        else:
            path = _path(X, np.array(y), penalty, strength, BUDGETS[-1])
            tried = np.isin(path.sizes, STEPS) if penalty == "omp" else slice(None)
            yield Scored(path.sizes[tried], [path.score(Z, np.array(own))[tried] for Z, own in others])


def _path(X: Any, y: NDArray, penalty: str, strength: float, words: int) -> Any:
    """Return a path of one penalty up to so many words."""
    from laconic import ElasticNetClassifier, OMPClassifier
    from laconic.linear import elastic_net_path

    if penalty == "omp":
        return OMPClassifier(min(words, X.shape[1]), l2=strength, refit="scaled").fit(X, y).path_
    two = len(np.unique(y)) == 2
    for reach in REACHES if two else REACHES_MANY:
        estimator = ElasticNetClassifier(tol=1e-4 if two else 1e-3)
        n_points = POINTS if two else POINTS_MANY
        path = elastic_net_path(X, y, estimator, l1_ratio=strength, n_points=n_points, smallest=reach)
        if path.sizes[-1] > words:
            break
    return path


def _several(X: Any, y: Sequence[tuple], others: list, penalty: str, strength: float) -> Scored:
    """Return models of several labels: a path for each label, all at the same share of λ_max or number of words."""
    labels = sorted({label for own in y for label in own})
    steps = np.array([0, 1, 2, 3, 5, 7, 10, 20, 30, 50]) if penalty == "omp" else np.arange(POINTS_MANY)
    supports: list[set[int]] = [set() for _ in steps]
    f1 = [np.zeros((len(labels), len(steps))) for _ in others]
    for k, label in enumerate(labels):
        path = _path_of_label(X, np.array([label in own for own in y]), penalty, strength, steps[-1])
        for i, step in enumerate(steps):
            supports[i] |= set(path.points[min(step, len(path) - 1)].support.tolist())
        margins = [path.decision_function(Z)[np.minimum(steps, len(path) - 1), :, 0] for Z, _ in others]
        has = [np.array([label in own for own in truth]) for _, truth in others]
        thresholds = [_threshold(one, has[0]) for one in margins[0]]
        for values, own, truth in zip(f1, margins, has, strict=True):
            values[k] = [_f1(one >= at, truth) for one, at in zip(own, thresholds, strict=True)]
    return Scored(np.array([len(one) for one in supports]), [values.mean(axis=0) for values in f1])


def _path_of_label(X: Any, y: NDArray, penalty: str, strength: float, words: int) -> Any:
    from laconic import ElasticNetClassifier
    from laconic.linear import elastic_net_path

    if penalty == "omp":
        return _path(X, y, penalty, strength, words)
    return elastic_net_path(
        X, y, ElasticNetClassifier(tol=1e-3), l1_ratio=strength, n_points=POINTS_MANY, smallest=REACHES_MANY[-1]
    )


def _threshold(margins: NDArray, has: NDArray) -> float:
    """Return the margin from which to give a label for the best F1."""
    order = np.argsort(-margins, kind="stable")
    hits = np.cumsum(has[order])
    f1 = 2.0 * hits / (np.arange(1, len(has) + 1) + hits[-1])
    ends = np.append(np.diff(margins[order]) != 0, True)  # equal margins are given together
    return float(margins[order][np.where(ends, f1, -1.0).argmax()])


def _f1(given: NDArray, has: NDArray) -> float:
    return float(2.0 * np.count_nonzero(given & has) / max(np.count_nonzero(given) + np.count_nonzero(has), 1))


@lru_cache(maxsize=1)
def matrices(name: str, features: Features, tested: bool) -> list[tuple[Any, Sequence]]:
    """Return the matrices of the training, dev and, where asked for, test set, each with its labels."""
    from laconic import TextClassifier

    bag = TextClassifier(cells=features.cells, ngrams=(1, features.longest), min_df=features.min_df).bag_of_words()
    train, *others = (counted(name, split, features.longest) for split in ("train", "dev", "test")[: 2 + tested])
    design = bag.fit(train[0])
    return [(design.X, train[1]), *((bag.transform(docs, design.vocabulary), y) for docs, y in others)]


@lru_cache(maxsize=6)
def counted(name: str, split: str, longest: int) -> tuple[Any, Sequence]:
    """Return the counted n-grams of a part of a data set, and its labels."""
    from laconic import TextClassifier

    texts, labels = read(name, split)
    if split == "train":
        several = isinstance(labels[0], tuple)
        most = THINNED_SEVERAL if several else THINNED if len(set(labels)) > MANY_LABELS else len(texts)
        step = -(-len(texts) // most)
        texts, labels = texts[::step], labels[::step]
    return TextClassifier(ngrams=(1, longest)).bag_of_words().count(texts), labels


def read(name: str, split: str) -> tuple[list[str], list]:
    """Return the texts and the labels of a part of a data set."""
    if name in REAL:
        place = Path(os.environ["LACONIC_DATA"], "text", "real", name, f"{split}.jsonl.xz")
        with lzma.open(place, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        labels = [tuple(row["labels"]) if "labels" in row else row["label"] for row in rows]
        return [row["text"] for row in rows], labels
    from laconic.data import load

    corpus = getattr(load(name), split)
    return list(corpus.texts), list(corpus.labels)


def by_features(rows: Sequence[dict]) -> list[dict]:
    """Return the mean dev score of the best penalty for each way to make features, by budget."""
    return [_means(rows, "dev", Features(*each)._asdict()) for each in product(CELLS, NGRAMS, MIN_DF)]


def by_penalty(rows: Sequence[dict]) -> list[dict]:
    """Return the mean dev score of each penalty with the defaults' features, by budget."""
    return [_means(rows, "dev", {**NOW._asdict(), "penalty": penalty}) for penalty in PENALTIES]


def by_data(rows: Sequence[dict]) -> list[dict]:
    """Return the test scores of the defaults that were and those that are, by budget, and their means."""
    kinds = [{"defaults": who} for who in ("before", "now") if any(row.get("defaults") == who for row in rows)]
    names = list(dict.fromkeys(row["data"] for row in rows))
    return [_means(rows, "test", fixed) for name in names for fixed in ({"data": name, **kind} for kind in kinds)] + [
        {"data": "mean", **_means(rows, "test", kind)} for kind in kinds
    ]


def _means(rows: Sequence[dict], split: str, fixed: dict) -> dict:
    """Return the mean over data sets of the best score among the rows with these values."""
    own = [row for row in rows if fixed.items() <= row.items() and split in row]
    names = sorted({row["data"] for row in own})
    best = {k: [max(row[split][str(k)] for row in own if row["data"] == name) for name in names] for k in BUDGETS}
    return {**fixed, "sets": len(names), **{str(k): float(np.mean(best[k])) for k in BUDGETS if names}}


def _percent(row: dict) -> dict:
    return {key: f"{100 * value:.1f}" if isinstance(value, float) else value for key, value in row.items()}


def _read(journal: Path) -> list[dict]:
    return [json.loads(line) for line in journal.read_text("utf-8").splitlines()] if journal.exists() else []
