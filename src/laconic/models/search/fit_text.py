"""`fit_text` and `fit_labels`: from labelled texts to the smallest good model, the whole job behind ``laconic fit``.

Settings are tuned on the dev set, or by stratified folds without one: of texts with one label each, every method of the
recipe, among which `laconic.models.search.choose_method` then takes one; of texts with several labels, one method for
every label by itself, see `laconic.models.search.tune_labels`. Test documents are scored once, after everything is
settled.
"""

import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.data.corpus import Corpus
from laconic.evaluate.calibration.thresholds import parse_goals
from laconic.evaluate.metrics.multilabel import LabelEvaluation, evaluate_labels
from laconic.evaluate.metrics.scores import higher_is_better
from laconic.evaluate.tuning.search import Tuned, tune
from laconic.linear.edit_constraints import spelled_out
from laconic.models.group_argument import built_groups
from laconic.models.links import INDEPENDENT, SOFTMAX, Link
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.scoring.calibration import calibrate_by
from laconic.models.search.choose_method import compared, settle
from laconic.models.search.contenders import chosen_facts, config_of, contender, test_score
from laconic.models.search.grids import Grid, grid_for, grids_of
from laconic.models.search.model_path import path_through
from laconic.models.search.recipe import SPARSE, Recipe
from laconic.models.search.tune_labels import LabelRow, tune_labels
from laconic.models.search.word_stability import selection_frequency
from laconic.models.text_classifier import TextClassifier
from laconic.text import CountedTexts

Progress = Callable[[int, int, str, Mapping[str, Any] | None], None]


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

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the model."""
        return {"comparison": asdict(self.comparison), "config": self.config}


@dataclass(frozen=True)
class FittedLabels:
    """What `fit_labels` made: the model, a row per label and why, scores on test documents if any, and its config."""

    model: MultilabelTextClassifier
    rows: tuple[LabelRow, ...]
    reason: str
    test: LabelEvaluation | None
    config: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the model."""
        test = None if self.test is None else self.test.to_dict()
        rows = [asdict(row) for row in self.rows]
        return {"labels": rows, "reason": self.reason, "test": test, "config": self.config}


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
    recipe = _checked_recipe(recipe, SOFTMAX, train, dev, test)
    with warnings.catch_warnings():
        # A fit in a fold that stops early shows in its gap; of the model that is kept, the gap is checked below.
        warnings.simplefilter("ignore")
        search = _SearchInMemory(recipe, train, dev, progress)
        comparison, settled = search.run(test)
    method = comparison.chosen.method
    model = search.models[method]
    _warn_if_inexact(model)
    _calibrate(recipe, model, train, dev)
    if method in SPARSE:
        search.look_around(method, settled[method])
    config = config_of(recipe, chosen_facts(comparison), {"train": train, "dev": dev, "test": test}, comparison)
    return FittedText(model, comparison, config)


def fit_labels(
    train: Corpus,
    *,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    recipe: Recipe | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> FittedLabels:
    """Fit one model to texts with lists of labels, by one method: lasso by default, or with groups the group lasso.

    Arguments are those of `fit_text`, but that progress is called as ``progress(done, total, label)``.
    """
    method = _method_for_labels(recipe or Recipe())
    recipe = _checked_recipe(recipe, INDEPENDENT, train, dev, test)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit in a fold that stops early shows in its score
        model, rows, reason = tune_labels(method, recipe, train, dev, progress)
    _calibrate(recipe, model, train, dev)
    scores = None
    if test is not None:
        scores = evaluate_labels(model.predict(test), test.labels or (), model.classes_.tolist())
    config = config_of(recipe, {"method": method}, {"train": train, "dev": dev, "test": test})
    return FittedLabels(model, rows, reason, scores, config)


def has_several(corpus: Corpus) -> bool:
    """Return whether some document of a corpus has a list of labels."""
    return any(isinstance(label, tuple) for label in corpus.labels or ())


class MethodSearch:
    """The methods of a recipe: what was tuned of each, its final model, and the seconds that both took.

    Subclasses say how a method is tuned (``_tune``) and how the model of a setting is fitted on all documents
    (``_final``), which may be of another setting where the first gives too many words.
    """

    def __init__(self, recipe: Recipe, methods: Sequence[str]) -> None:
        self.recipe = recipe
        self.classifiers = {method: recipe.classifier(method) for method in methods}
        self.tuned: dict[str, Tuned] = {}
        self.models: dict[str, TextClassifier] = {}
        self.seconds: dict[str, float] = {}

    def _tune(self, method: str) -> Tuned:
        raise NotImplementedError

    def _final(self, method: str, place: int) -> tuple[int, TextClassifier]:
        raise NotImplementedError

    def run(self, test: Corpus | None) -> tuple[Comparison, dict[str, int]]:
        """Tune and fit; return the comparison, with scores on test documents if any, and positions in the grids."""
        for method in self.classifiers:
            started = time.perf_counter()
            self.tuned[method] = self._tune(method)
            self.seconds[method] = time.perf_counter() - started
        settled = settle(self.tuned, self.recipe)
        rows: dict[str, Contender] = {}
        for method, place in settled.items():
            started = time.perf_counter()
            settled[method], self.models[method] = self._final(method, place)
            self.seconds[method] += time.perf_counter() - started
            rows[method] = self._contender(method, settled[method], test)
        return compared(rows, self.tuned, self.recipe), settled

    def _contender(self, method: str, place: int, test: Corpus | None) -> Contender:
        row = contender(method, self.tuned[method], place, self.models[method], self.seconds[method])
        return row if test is None else replace(row, test=test_score(self.models[method], test, self.recipe.metric))


class _SearchInMemory(MethodSearch):
    def __init__(self, recipe: Recipe, train: Corpus, dev: Corpus | None, progress: Progress | None) -> None:
        super().__init__(recipe, recipe.methods_to_compare)
        bag = recipe.classifier().bag_of_words()
        self.dev, self.documents, self.labels = dev, bag.count(list(train)), list(train.labels or ())
        self.held_out = None if dev is None else (bag.count(list(dev)), list(dev.labels or ()))
        self.grids = _grids(recipe, train, self.documents)
        self.meter = _Meter(progress, self.grids, recipe, 1 if dev is not None else recipe.folds)

    def _tune(self, method: str) -> Tuned:
        recipe = self.recipe
        return tune(
            self.classifiers[method],
            [{f"estimator__{name}": value for name, value in setting.items()} for setting in self.grids[method]],
            self.documents,
            self.labels,
            dev=self.held_out,
            folds=recipe.folds,
            metric=recipe.metric,
            rule=recipe.rule_in_method,
            max_words=recipe.words,
            seed=recipe.seed,
            progress=self.meter.of(method),
        )

    def _final(self, method: str, place: int) -> tuple[int, TextClassifier]:
        """Return the tuned model, or a candidate fitted on train and dev: the next best if that has too many words."""
        if not self.recipe.refit or self.dev is None:
            return place, self.tuned[method].model(place, self.documents, self.labels)
        words, candidates = self.recipe.words, self.tuned[method].candidates
        texts, labels = [*self.documents, *self.dev], np.array([*self.labels, *(self.dev.labels or ())])
        sign = -1.0 if higher_is_better(self.recipe.metric) else 1.0
        others = sorted(range(len(candidates)), key=lambda i: sign * candidates[i].mean)
        for i in [place, *others]:
            (model,) = self.classifiers[method].fit_grid(texts, labels, [candidates[i].params])
            if words is None or model.n_words_ <= words:
                return i, model
        raise ValueError(f"Fitted on train and dev together, no model has at most {words} words; allow more words.")

    def look_around(self, method: str, place: int) -> None:
        """Give the model of a method the path it lies on and the frequencies of its words in models of halves."""
        model, tuned, recipe = self.models[method], self.tuned[method], self.recipe
        documents = [*self.documents, *self.dev] if recipe.refit and self.dev is not None else self.documents
        labels: list[Any] = [document.label for document in documents]

        def models(places: list[int]) -> Sequence[TextClassifier]:
            if tuned.folds is None and not recipe.refit:
                return [tuned.model(i, documents, labels) for i in places]  # fitted already, to be scored on dev
            return self.classifiers[method].fit_grid(documents, labels, [tuned.candidates[i].params for i in places])

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about models beside the one that is kept
            path = path_through(tuned.candidates, place, model, models)
            if path is not None:
                model.path_ = path
            if recipe.resamples and min(Counter(labels).values()) > 1:  # one document cannot be in both halves
                frequency = selection_frequency(model, documents, labels, recipe.resamples, recipe.seed)
                model.selection_frequency_ = frequency


def _checked_recipe(
    recipe: Recipe | None, link: Link, train: Corpus, dev: Corpus | None, test: Corpus | None
) -> Recipe:
    """Refuse documents and a recipe that do not fit together, before any work; return the recipe, ready to be used."""
    recipe = Recipe() if recipe is None else recipe
    for what, corpus in (("training", train), ("dev", dev), ("test", test)):
        if corpus is not None:
            _check_documents(what, corpus, train, link)
    link.classes(link.checked(train.labels, len(train)))
    if recipe.thresholds is not None:
        parse_goals(recipe.thresholds, train.classes)
    link.check_edits(recipe.edits, train.classes)
    for builder in recipe.builders() or ():
        builder.check()
    if recipe.refit and dev is None:
        raise ValueError("refit adds the dev set to the training set, but there is no dev set.")
    return _without_group_names(recipe, train)


def _check_documents(what: str, corpus: Corpus, train: Corpus, link: Link) -> None:
    if corpus.labels is None:
        raise ValueError(f"The {what} documents have no labels; labels are needed here.")
    if not any(text.strip() for text in corpus.texts):
        raise ValueError(f"All {len(corpus)} {what} documents are empty; there is nothing to learn from.")
    if strange := [label for label in corpus.classes if label not in train.classes]:
        raise ValueError(
            f"The {what} documents have the label {strange[0]!r}, which no training document has; drop those "
            "documents or add some to the training set."
        )
    if has_several(corpus) and not link.several:
        raise ValueError(
            f"The {what} documents have lists of labels; use fit_labels or MultilabelTextClassifier, or fit one "
            "label against the rest with Corpus.one_vs_rest."
        )


def _method_for_labels(recipe: Recipe) -> str:
    methods = recipe.methods or (("group",) if recipe.groups else ("lasso",))
    if len(methods) > 1:
        raise ValueError(f"Texts with several labels are fitted by one method, not by {', '.join(methods)}; name one.")
    if given := [name for name in ("words", "prior", "refit") if getattr(recipe, name)]:
        raise ValueError(f"{given[0]} is not for texts with several labels for now; leave it out.")
    return methods[0]


def _without_group_names(recipe: Recipe, train: Corpus) -> Recipe:
    """Return the recipe with words in place of groups in its edits: methods without groups obey them too.

    Groups of a fold may have other names, or other words under the same name.
    """
    edits = recipe.edits
    if edits is None or not (edits.ban_groups or edits.keep_groups):
        return recipe
    bag, builders = recipe.classifier().bag_of_words(), recipe.builders()
    vocabulary = bag.fit(train.texts).vocabulary
    groups = None if builders is None else built_groups(builders, train, vocabulary, bag.analyzer)
    return replace(recipe, edits=spelled_out(edits, groups, vocabulary.words))


def _grids(recipe: Recipe, train: Corpus, documents: CountedTexts) -> dict[str, Grid]:
    """Return the grid of each method; the sparse ones are made for the training design."""
    methods = recipe.methods_to_compare
    bag = recipe.classifier().bag_of_words()
    if not set(methods) & set(SPARSE) and not recipe.edits:
        return {method: grid_for(method, 0.0, len(train.classes)) for method in methods}
    design = bag.fit(documents)
    numbered = recipe.edits.numbered(design.vocabulary.index) if recipe.edits else None
    groups = None
    if "group" in methods:
        groups = built_groups(recipe.builders(), train, design.vocabulary, bag.analyzer)
    return grids_of(methods, design.X, list(train.labels or ()), recipe, numbered, groups)


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


def _calibrate(
    recipe: Recipe, model: TextClassifier | MultilabelTextClassifier, train: Corpus, dev: Corpus | None
) -> None:
    if recipe.calibrate is not None or recipe.thresholds is not None:
        calibrate_by(recipe, model, train, dev)


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
