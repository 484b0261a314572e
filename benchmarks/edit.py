"""A model after an edit, started from the model before it, against the same from nothing; processor seconds on IMDB.

*Fit alone*: the lasso at λ_max / (20, 100, 500) on one matrix in memory, after its strongest word is banned, its ten
strongest are, or these are asked for the other sign; both fits to a gap of 1e-6.

*Whole job*, ten bans, from what is on the disk to a fitted model: ``laconic fit`` of the lasso (reads the texts, tunes
on dev) and one lasso of a given λ (reads the texts, fits once) against ``laconic edit``, from texts and from the matrix
that ``--editable`` keeps. Starting Python and compiling are in none of them.
"""

import tempfile
import time
from collections.abc import Callable

import numpy as np

from benchmarks import datasets
from benchmarks.measure import summary

DIVISORS = (20, 100, 500)
RUNS = 9


def run() -> list[dict]:
    """Time both parts."""
    return [*fits(datasets.get("imdb")), *whole_jobs()]


def fits(data: datasets.Data) -> list[dict]:
    """Time fits on one matrix, cold and warm in turns."""
    from laconic import Edits, ElasticNetClassifier
    from laconic.linear import lambda_max

    X, y = data.X.tocsc(), data.y
    rows = []
    for divisor in DIVISORS:
        level = lambda_max(X, y) / divisor
        before = ElasticNetClassifier(level, 0.0).fit(X, y)
        strongest = np.argsort(-np.abs(before.coef_[0]))[:10].tolist()
        signs = {j: "-" if before.coef_[0, j] > 0 else "+" for j in strongest}
        edits = {"1 ban": Edits(ban=strongest[:1]), "10 bans": Edits(ban=strongest), "10 signs": Edits(signs=signs)}
        for name, one in edits.items():
            estimator = ElasticNetClassifier(level, 0.0, edits=one)
            jobs = {
                "cold": lambda estimator=estimator: estimator.fit(X, y),
                "warm": lambda estimator=estimator, start=before.solution_: estimator.fit(X, y, start=start),
            }
            rows.append({"job": f"fit, λ_max / {divisor}", "edit": name, "words": words(before), **race(jobs)})
    return rows


def whole_jobs() -> list[dict]:
    """Time the whole way from the disk to models, a few times each."""
    from laconic import Edits, TextClassifier
    from laconic.data import load
    from laconic.models import Recipe, edit_text, fit_text, keep_design, load_design

    splits = load("imdb")
    plain = fit_text(splits.train, dev=splits.dev, recipe=Recipe(methods=("lasso",)))
    before = plain.model.to_scorer()
    before.info["extra"] = plain.config
    order = np.argsort(-np.abs(before.model.weights[:, 0]))[:10]
    edits = Edits(ban=[before.model.words[i] for i in order])
    single = TextClassifier(plain.model.estimator, edits=edits)

    def tuned():
        texts = load("imdb")
        return fit_text(texts.train, dev=texts.dev, recipe=Recipe(methods=("lasso",), edits=edits)).model

    def once():
        texts = load("imdb").train
        return single.fit(texts, texts.labels)

    with tempfile.TemporaryDirectory() as place:
        kept = keep_design(f"{place}/imdb.design", plain.model, splits.train)
        jobs = {
            "edit, matrix": lambda: edit_text(before, load_design(kept), edits).model,
            "edit, texts": lambda: edit_text(before, load("imdb").train, edits).model,
            "one λ": once,
            "tuned": tuned,
        }
        answers = {name: job().estimator_.solution_.objective for name, job in jobs.items() if name != "tuned"}
        if max(answers.values()) > (1 + 1e-5) * min(answers.values()):
            raise RuntimeError(f"The fits disagree: {answers}")
        seconds = {name: [processor_seconds(job) for _ in range(3)] for name, job in jobs.items()}
    rows = []
    for cold in ("tuned", "one λ"):
        for warm in ("edit, texts", "edit, matrix"):
            ratios = [a / b for a, b in zip(seconds[cold], seconds[warm], strict=True)]
            times = {"cold s": float(np.median(seconds[cold])), "warm s": float(np.median(seconds[warm]))}
            row = {"job": f"{cold} : {warm}", "edit": "10 bans", "words": len(before.model.words), **times}
            rows.append({**row, "ratio": float(np.median(ratios)), "interval": f"{min(ratios):.1f}-{max(ratios):.1f}"})
    return rows


def race(jobs: dict[str, Callable[[], object]]) -> dict:
    """Return medians of both jobs and of the ratio, after one run that may compile, and check that answers agree."""
    answers = {name: job().solution_.objective for name, job in jobs.items()}
    if abs(answers["cold"] - answers["warm"]) > 1e-5 * answers["cold"]:
        raise RuntimeError(f"The two fits disagree: {answers}")
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(RUNS):
        for name, job in jobs.items():
            seconds[name].append(processor_seconds(job))
    ratio, low, high = summary([a / b for a, b in zip(seconds["cold"], seconds["warm"], strict=True)])
    medians = {f"{name} s": float(np.median(values)) for name, values in seconds.items()}
    return {**medians, "ratio": ratio, "interval": f"{low:.1f}-{high:.1f}"}


def processor_seconds(job: Callable[[], object]) -> float:
    """Run a job and return its processor seconds, so that other work of the machine does not count."""
    started = time.process_time()
    job()
    return time.process_time() - started


def words(model) -> int:
    """Return the number of words with a weight."""
    return int(np.count_nonzero(model.coef_))
