"""`fit_text`: from labelled texts to the smallest good model, the whole job behind ``laconic fit``.

Every method of the recipe is tuned on the dev set, or by stratified folds without one;
`laconic.models.search.choose_method` then
takes one. Test documents are scored once per method, after everything is settled.
"""

import platform
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from laconic.core.summaries.comparison import Comparison, Contender, CurvePoint
from laconic.data.corpus import Corpus
from laconic.evaluate.calibration.thresholds import parse_goals
from laconic.evaluate.metrics.outputs import outputs
from laconic.evaluate.metrics.scores import higher_is_better, score
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.search import Tuned, tune
from laconic.linear.edit_constraints import check_signs
from laconic.models.group_argument import built_groups
from laconic.models.scoring.calibration import calibrate_by
from laconic.models.search.choose_method import compared, settle
from laconic.models.search.grids import Grid, grid_for, grid_up_to, group_grid_up_to, group_scale, pursuit_grid
from laconic.models.search.model_path import path_through
from laconic.models.search.recipe import PURSUITS, SPARSE, Recipe
from laconic.models.search.word_stability import selection_frequency
from laconic.models.text_classifier import TextClassifier
from laconic.text import CountedTexts

Progress = Callable[[int, int, str, Mapping[str, Any] | None], None]

PACKAGES = ("laconic", "numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class FittedText:
    """What `fit_text` made.

    Attributes
    ----------
    model : TextClassifier
        The one that was kept, fitted.
    comparison : Comparison
    config : dict
        The recipe, the penalty that was taken, the data's fingerprints and the versions: plain data to be saved with
        the model, without timings.
    """

    model: TextClassifier
    comparison: Comparison
    config: dict[str, Any]


def fit_text(
    train: Corpus,
    *,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    recipe: Recipe | None = None,
    progress: Progress | None = None,
) -> FittedText:
    """Compare methods on labelled texts and keep the smallest good model.

    Parameters
    ----------
    train : Corpus
        Labelled.
    dev : Corpus, optional
        Documents to tune on; without them ``train`` is cut into folds, and the final models are fitted on all of it.
    test : Corpus, optional
        Documents to score the chosen models on.
    recipe : Recipe, optional
    progress : callable, optional
        Called as ``progress(done, total, method, best)``; ``best`` is a row of the best candidate so far, or None.

    Examples
    --------
    >>> from laconic.data import demo
    >>> letters = demo()
    >>> made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",)))
    >>> made.comparison.chosen.words == made.model.n_words_ < 300
    True
    """
    recipe = Recipe() if recipe is None else recipe
    _check(train, dev, test, recipe)
    recipe = _without_group_names(recipe, train)
    classifiers = {method: recipe.classifier(method) for method in recipe.methods_to_compare}
    bag = recipe.classifier().bag_of_words()
    documents, labels = bag.count(list(train)), list(train.labels or ())
    held_out = None if dev is None else (bag.count(list(dev)), list(dev.labels or ()))
    tuned: dict[str, Tuned] = {}
    seconds: dict[str, float] = {}
    models: dict[str, TextClassifier] = {}
    with warnings.catch_warnings():
        # A fit in a fold that stops early shows in its gap; of the model that is kept, the gap is checked below.
        warnings.simplefilter("ignore")
        grids = _grids(recipe, train, documents)
        meter = _Meter(progress, grids, recipe, 1 if dev is not None else recipe.folds)
        for method, grid in grids.items():
            started = time.perf_counter()
            tuned[method] = tune(
                classifiers[method],
                [{f"estimator__{name}": value for name, value in setting.items()} for setting in grid],
                documents,
                labels,
                dev=held_out,
                folds=recipe.folds,
                metric=recipe.metric,
                rule=recipe.rule_to_follow,
                max_words=recipe.words,
                seed=recipe.seed,
                progress=meter.of(method),
            )
            seconds[method] = time.perf_counter() - started
        settled = settle(tuned, recipe)
        for method in settled:
            started = time.perf_counter()
            if recipe.refit and dev is not None:
                settled[method], models[method] = _refitted(
                    tuned[method], settled[method], classifiers[method], train, dev, recipe
                )
            else:
                models[method] = tuned[method].model(settled[method], documents, labels)
            seconds[method] += time.perf_counter() - started
    contenders = {
        method: contender(method, tuned[method], place, models[method], seconds[method])
        for method, place in settled.items()
    }
    if test is not None:
        contenders = {
            method: replace(one, test=test_score(models[method], test, recipe.metric))
            for method, one in contenders.items()
        }
    comparison = compared(contenders, tuned, recipe)
    method = comparison.chosen.method
    model = models[method]
    _warn_if_inexact(model)
    if recipe.calibrate is not None or recipe.thresholds is not None:
        calibrate_by(recipe, model, train, dev)
    if method in SPARSE:
        refit_on = [*documents, *dev] if recipe.refit and dev is not None else documents
        _look_around(model, tuned[method], settled[method], classifiers[method], refit_on, recipe)
    config = config_of(recipe, comparison, {"train": train, "dev": dev, "test": test})
    return FittedText(model, comparison, config)


class _Meter:
    """Makes one count and one best candidate of the progress of one tuning after the other."""

    def __init__(self, progress: Progress | None, grids: Mapping[str, Grid], recipe: Recipe, splits: int) -> None:
        self.progress = progress
        self.sizes = {method: len(grid) * splits for method, grid in grids.items()}
        self.total = sum(self.sizes.values())
        self.sign = 1.0 if higher_is_better(recipe.metric) else -1.0
        self.before = 0
        self.best: dict[str, Any] | None = None

    def of(self, method: str) -> Callable[[int, int, dict[str, Any]], None] | None:
        """Return what `tune` calls while it works on a method, which starts now."""
        if self.progress is None:
            return None
        report, before, size, earlier = self.progress, self.before, self.sizes[method], self.best
        self.before += size
        report(before, self.total, method, self.best)

        def advance(done: int, total: int, row: dict[str, Any]) -> None:
            if earlier is None or self.sign * row["mean"] > self.sign * earlier["mean"]:
                self.best = {**row, "method": method}
            report(before + min(done, size), self.total, method, self.best)

        return advance


def _check(train: Corpus, dev: Corpus | None, test: Corpus | None, recipe: Recipe) -> None:
    for what, corpus in (("training", train), ("dev", dev), ("test", test)):
        if corpus is None:
            continue
        if corpus.labels is None:
            raise ValueError(f"The {what} documents have no labels; labels are needed here.")
        if not any(text.strip() for text in corpus.texts):
            raise ValueError(f"All {len(corpus)} {what} documents are empty; there is nothing to learn from.")
        if strange := [label for label in corpus.classes if label not in train.classes]:
            raise ValueError(
                f"The {what} documents have the label {strange[0]!r}, which no training document has; drop those "
                "documents or add some to the training set."
            )
        if any(isinstance(label, tuple) for label in corpus.labels):
            raise ValueError(
                f"The {what} documents have lists of labels; use fit_labels or MultilabelTextClassifier, or fit one "
                "label against the rest with Corpus.one_vs_rest."
            )
    if len(train.classes) < 2:
        raise ValueError(
            f"All {len(train)} training documents have the one label {train.classes[0]!r}; a classifier needs at least "
            "two classes."
        )
    if recipe.thresholds is not None:
        parse_goals(recipe.thresholds, train.classes)
    check_signs(recipe.edits, train.classes)
    for builder in recipe.builders() or ():
        builder.check()
    if recipe.refit and dev is None:
        raise ValueError("refit adds the dev set to the training set, but there is no dev set.")


def _without_group_names(recipe: Recipe, train: Corpus) -> Recipe:
    """Return the recipe with words in place of groups in its edits: methods without groups obey them too.

    Groups of a fold may have other names, or other words under the same name.
    """
    edits = recipe.edits
    if edits is None or not (edits.ban_groups or edits.keep_groups):
        return recipe
    from laconic.linear.edit_constraints import spelled_out

    bag, builders = recipe.classifier().bag_of_words(), recipe.builders()
    vocabulary = bag.fit(train.texts).vocabulary
    groups = None if builders is None else built_groups(builders, train, vocabulary, bag.analyzer)
    return replace(recipe, edits=spelled_out(edits, groups, vocabulary.words))


def _grids(recipe: Recipe, train: Corpus, documents: CountedTexts) -> dict[str, Grid]:
    """Return the grid of each method; the sparse ones are made for the training design."""
    from sklearn.base import clone

    from laconic.linear import lambda_max

    methods = recipe.methods_to_compare
    classifier = recipe.classifier()
    bag = classifier.bag_of_words()
    if not set(methods) & set(SPARSE) and not recipe.edits:
        return {method: grid_for(method, 0.0, len(train.classes)) for method in methods}
    design, y = bag.fit(documents), list(train.labels or ())
    X, estimator = design.X, classifier.estimator
    numbered = recipe.edits.numbered(design.vocabulary.index) if recipe.edits else None
    estimator = clone(estimator).set_params(edits=numbered)
    top, top_group = lambda_max(X, y, estimator), 0.0
    if "group" in methods:
        groups = built_groups(recipe.builders(), train, design.vocabulary, bag.analyzer)
        top_group = group_scale(X, y, groups, classifier.estimator)

    def grid_of(method: str) -> Grid:
        if method in PURSUITS:
            limits = [one for one in (recipe.budget, recipe.words) if one is not None]
            return pursuit_grid(X.shape[1], len(train.classes), min(limits, default=None))
        if recipe.words is None:
            return grid_for(method, top, len(train.classes), top_group)
        if method == "group":
            return group_grid_up_to(recipe.words, X, y, estimator, top_group)
        return grid_up_to(method, recipe.words, X, y, estimator)

    return {method: grid_of(method) for method in methods}


def _refitted(
    tuned: Tuned, place: int, classifier: TextClassifier, train: Corpus, dev: Corpus, recipe: Recipe
) -> tuple[int, TextClassifier]:
    """Fit a candidate on train and dev; if more documents make it too large, the next best that is not."""
    texts, labels = [*train, *dev], np.array([*(train.labels or ()), *(dev.labels or ())])
    sign = -1.0 if higher_is_better(recipe.metric) else 1.0
    others = sorted(range(len(tuned.candidates)), key=lambda i: sign * tuned.candidates[i].mean)
    for i in [place, *others]:
        (model,) = classifier.fit_grid(texts, labels, [tuned.candidates[i].params])
        if recipe.words is None or model.n_words_ <= recipe.words:
            return i, model
    raise ValueError(f"Fitted on train and dev together, no model has at most {recipe.words} words; allow more words.")


def _look_around(
    model: TextClassifier, tuned: Tuned, place: int, classifier: TextClassifier, documents: Sequence, recipe: Recipe
) -> None:
    """Give the model the path it lies on and the frequencies of its words in models of halves."""
    labels = [document.label for document in documents]

    def models(places: list[int]) -> Sequence[TextClassifier]:
        if tuned.folds is None and not recipe.refit:
            return [tuned.model(i, documents, labels) for i in places]  # those that were fitted to be scored on dev
        return classifier.fit_grid(documents, labels, [tuned.candidates[i].params for i in places])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about models beside the one that is kept
        path = path_through(tuned.candidates, place, model, models)
        if path is not None:
            model.path_ = path
        if recipe.resamples and min(Counter(labels).values()) > 1:  # one document cannot be in both halves
            frequency = selection_frequency(model, documents, labels, recipe.resamples, recipe.seed)
            model.selection_frequency_ = frequency


def contender(method: str, tuned: Tuned, place: int, model: TextClassifier, seconds: float) -> Contender:
    """Return the row of a method in the comparison."""
    candidate = tuned.candidates[place]
    return Contender(
        method=method,
        l1=getattr(model.estimator_, "l1", 0.0),
        l2=model.estimator_.l2,
        group=getattr(model.estimator_, "group", 0.0),
        budget=getattr(model.estimator_, "budget", None),
        curve=_curve(tuned, candidate) if method in PURSUITS else (),
        score=candidate.mean,
        error=candidate.standard_error,
        test=None,
        words=model.n_words_,
        gap=float(model.estimator_.dual_gap_),
        seconds=seconds,
    )


def _curve(tuned: Tuned, chosen: Candidate) -> tuple[CurvePoint, ...]:
    """Return score against words along the pursuit that the chosen candidate was cut from."""
    l2 = chosen.params["estimator__l2"]
    points = {
        one.words: CurvePoint(one.words, one.mean, one.standard_error, one is chosen)
        for one in sorted(tuned.candidates, key=lambda one: one is chosen)
        if one.params["estimator__l2"] == l2
    }
    return tuple(points[words] for words in sorted(points))


def test_score(model: TextClassifier, test: Corpus, metric: str) -> float:
    """Return a model's score on test documents."""
    return score(metric, list(test.labels or ()), **outputs(model, metric, list(test.texts)))


def _warn_if_inexact(model: TextClassifier) -> None:
    solution, tol = model.estimator_.solution_, model.estimator_.tol
    if solution.message:
        warnings.warn(solution.message, stacklevel=3)
    elif not solution.converged:
        warnings.warn(
            f"The fit of the model that was kept stopped at a relative duality gap of {solution.relative_gap:.1e}, "
            f"above {tol:g}: it is not proven to be as close to the optimum as asked.",
            stacklevel=3,
        )


def config_of(recipe: Recipe, comparison: Comparison, data: Mapping[str, Corpus | None]) -> dict[str, Any]:
    """Return how a model was made, as plain data to be saved with it."""

    def finite(value: float | None) -> float | None:
        return None if value is None or value in (float("inf"), float("-inf")) or value != value else value

    def facts(one: Contender) -> dict[str, Any]:
        return {name: finite(value) if isinstance(value, float) else value for name, value in asdict(one).items()}

    rows = [{name: value for name, value in facts(one).items() if name != "seconds"} for one in comparison.contenders]
    chosen = comparison.chosen
    return {
        "recipe": recipe.to_dict(),
        "chosen": {name: getattr(chosen, name) for name in ("method", "l1", "l2", "group", "budget")},
        "comparison": {
            "metric": comparison.metric,
            "scored_on": comparison.scored_on,
            "reason": comparison.reason,
            "contenders": rows,
        },
        "data": {
            split: {"name": corpus.name, "documents": len(corpus), "fingerprint": corpus.fingerprint()}
            for split, corpus in data.items()
            if corpus is not None
        },
        "versions": {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
    }
