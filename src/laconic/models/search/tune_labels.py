"""One method tuned for every label by itself, over one matrix of words and the same folds for all labels.

The settings of each label are tried by a race of its own (`laconic.models.search.race`); those of all labels are then
chosen together: the fewest weights whose mean score is within one standard error, or half a point if that is more, of
the best (rule "sparse"); within one standard error ("one_se"); or the best. So words go to the labels that gain most
by them. Labels are shared out among threads, which know nothing of each other: the result does not depend on them.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from laconic.core.calibration import Calibration
from laconic.core.interruption import SEARCH, Stop
from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.evaluation import label_matrix
from laconic.evaluate.tuning.candidates import SLACK
from laconic.models.links import INDEPENDENT
from laconic.models.multilabel import MultilabelTextClassifier, OnePerLabel
from laconic.models.search.choose_method import HALF_A_POINT
from laconic.models.search.folds import Folds
from laconic.models.search.followed import InMemory
from laconic.models.search.race import Race
from laconic.models.search.recipe import GROUPED, Recipe
from laconic.models.search.runs import Scale, family_of
from laconic.models.search.tried import EachLabel, Tried, goodness
from laconic.solvers.dispatch import one_blas_thread

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class LabelRow:
    """What was chosen for one label: documents that have it, penalty, threshold with its scores held out, words."""

    label: Any
    documents: int
    setting: dict[str, Any]
    threshold: float
    precision: float
    recall: float
    f1: float
    words: int


@dataclass(frozen=True)
class Choice:
    """The setting of each label, with their mean score, the best mean of all settings, its standard error, and why."""

    settings: tuple[Tried, ...]
    score: float
    best: float
    error: float
    reason: str


def tune_labels(
    method: str,
    recipe: Recipe,
    train: Corpus,
    dev: Corpus | None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> tuple[MultilabelTextClassifier, tuple[LabelRow, ...], str, list[str]]:
    """Return the fitted model of the settings that were chosen, a row per label, why these, and what was left out."""
    stop = stop or Stop()
    folds = Folds.of(recipe, INDEPENDENT, train, dev, method in GROUPED, brief=stop.seconds is not None)
    has = label_matrix(folds.labels, folds.classes)

    def path(k: int) -> list[Tried]:
        try:
            return _label_path(method, folds, has[:, k], k, stop)
        except ValueError as error:
            raise ValueError(f"The label {folds.classes[k]!r} cannot be fitted. {error}") from error

    tried = _in_threads(path, has.sum(axis=0), folds.classes, progress)
    left_out = folds.left_out + [f"{method}: weaker penalties of some labels"] * stop.now(SEARCH)
    choice = chosen_together(tried, recipe)
    text = recipe.classifier(method)
    settings = {label: tried.params for label, tried in zip(folds.classes, choice.settings, strict=True)}
    model = MultilabelTextClassifier(text.estimator, settings, text)
    model.fit_design(folds.design, folds.labels, folds.groups)
    on = "out of fold" if dev is None else "dev"
    model.calibration_ = _thresholds(choice, folds.classes, on, len(folds.truth))
    return model, _rows(choice, model, has), choice.reason, left_out


def _label_path(method: str, folds: Folds, has: NDArray[np.bool_], k: int, stop: Stop) -> list[Tried]:
    """Return the settings that were tried for the k-th label, which documents have or not."""

    def own(groups: Any) -> Any:
        return OnePerLabel(folds.estimator(method, groups), folds.classes).of_label(folds.classes[k])

    def sides(_: str) -> list[InMemory]:
        estimators = [own(split.groups) for split in folds.splits]
        return [
            InMemory(estimator, estimator.look(split.X, has[split.rows]), split)
            for estimator, split in zip(estimators, folds.splits, strict=True)
        ]

    plain = OnePerLabel(folds.estimator("elastic", None), folds.classes).of_label(folds.classes[k])
    scale = Scale.of(folds.columns, has, plain, folds.groups)
    judge = EachLabel(folds.recipe, folds.truth[:, k], folds.part)
    return Race(judge, sides, ends=lambda: stop.now(SEARCH)).run([family_of(method, scale, folds.recipe)])


def chosen_together(tried: Sequence[Sequence[Tried]], recipe: Recipe) -> Choice:
    """Choose the settings of all labels by the rule of the recipe."""
    metric = recipe.metric
    scores = [np.array([goodness(metric, one.mean) for one in own]) for own in tried]
    weights = [np.array([one.weights for one in own]) for own in tried]

    def taken(price: float) -> tuple[list[Tried], float]:
        """Return what is best for each label if every weight costs so much, and its mean score."""
        values = [own - price * size for own, size in zip(scores, weights, strict=True)]
        # Where no score is defined, for want of documents with the label, the first setting is taken: the smallest.
        settings = [own[int(np.argmax(value))] for own, value in zip(tried, values, strict=True)]
        return settings, float(np.nanmean([goodness(metric, one.mean) for one in settings]))

    settings, best = taken(0.0)
    by_part = np.nanmean([one.scores for one in settings], axis=0)
    error = float(np.std(by_part, ddof=1) / np.sqrt(len(by_part)))
    rule = recipe.rule_to_follow
    half = rule == "sparse" and recipe.metric != "log_loss"
    margin = 0.0 if rule == "best" else max(error, HALF_A_POINT) if half else error
    low, high = 0.0, 1.0  # the price of a weight
    for _ in range(50 if margin else 0):
        middle = (low + high) / 2.0
        low, high = (middle, high) if taken(middle)[1] >= best - margin - SLACK else (low, middle)
    kept, score = taken(low)
    return Choice(tuple(kept), score, best, error, _reason(rule, margin, best, error, settings, tried))


def _reason(
    rule: str, margin: float, best: float, error: float, settings: Sequence[Tried], tried: Sequence[Sequence[Tried]]
) -> str:
    many, largest = sum(map(len, tried)), sum(one.weights for one in settings)
    top = f"{abs(best):.3f} ± {error:.3f} with {largest:,.0f} weights"
    if rule == "best":
        return f"Each label has its best of all {many} settings tried."
    near = "half a point" if margin > error else "one standard error"
    return f"The labels have the fewest weights within {near} of the best of all {many} settings tried ({top})."


def _in_threads(
    path: Callable[[int], list[Tried]],
    documents: NDArray[np.intp],
    classes: Sequence[Any],
    progress: Progress | None,
) -> list[list[Tried]]:
    """Return the path of each label; the most frequent labels, which take longest, come first."""
    tell = progress or (lambda done, total, label: None)
    tell(0, len(classes), "")
    with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(-1)) as pool:
        paths = {pool.submit(path, int(k)): int(k) for k in np.argsort(-documents, kind="stable")}
        try:
            for done, finished in enumerate(as_completed(paths), start=1):
                finished.result()
                tell(done, len(classes), str(classes[paths[finished]]))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [one.result() for one, _ in sorted(paths.items(), key=lambda pair: pair[1])]


def _thresholds(choice: Choice, classes: Sequence[Any], on: str, documents: int) -> Calibration:
    """Return the thresholds of all labels as a calibration that leaves probabilities as they are."""
    chosen = [
        None if one.threshold is None else replace(one.threshold, label=label)
        for one, label in zip(choice.settings, classes, strict=True)
    ]
    made = {"on": on, "documents": documents, "thresholds": [one.to_dict() for one in chosen if one is not None]}
    values = tuple(None if one is None else one.value for one in chosen)
    return Calibration(several=True, thresholds=values, made=made)


def _rows(choice: Choice, model: MultilabelTextClassifier, has: NDArray[np.bool_]) -> tuple[LabelRow, ...]:
    words, documents = np.count_nonzero(model.coef_, axis=1), has.sum(axis=0)
    rows = []
    for k, (label, tried) in enumerate(zip(model.classes_.tolist(), choice.settings, strict=True)):
        found = tried.threshold
        value, precision, recall = (0.5, 0.0, 0.0) if found is None else (found.value, found.precision, found.recall)
        f1 = 2.0 * precision * recall / max(precision + recall, 1e-300)
        rows.append(LabelRow(label, int(documents[k]), tried.params, value, precision, recall, f1, int(words[k])))
    return tuple(rows)
