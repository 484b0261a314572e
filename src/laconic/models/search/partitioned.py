"""`fit_partitioned`: `fit_text` for texts that stay in partitions, the job behind ``laconic fit 'parts/*.jsonl'``.

Methods are searched as in memory (`laconic.models.search.race`), but on a dev set, or on documents that are held out of
every partition (one in five, at most 50,000), after which the model to keep is fitted once more on all of them.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups import GivenGroups, SentenceGroups
from laconic.models.search.contenders import chosen_facts, config_of
from laconic.models.search.fit_text import FittedText, kept_model
from laconic.models.search.folds import PARTS
from laconic.models.search.followed import Fit, fit_of
from laconic.models.search.race import Race
from laconic.models.search.recipe import PURSUITS, Recipe
from laconic.models.search.runs import Grid, Run, Scale, family_of
from laconic.models.search.shared_fit import take
from laconic.models.search.tried import OneLabel, Tried
from laconic.models.text_classifier import TextClassifier
from laconic.partitions.corpus import PartitionedCorpus, partition_texts
from laconic.partitions.fitting import TooManyWordsError, fit_partitions, partitioned_problem
from laconic.partitions.passes import Weights
from laconic.partitions.pursuit import fit_budgets

METHODS = ("lasso", "elastic", "omp", "group", "gomp")
DEFAULT = ("lasso", "elastic")
BUDGET = 100  # words of omp and gomp where no other number is given

Show = Callable[[str, int, int, str], None]


def fit_partitioned(
    source: str | Sequence[str],
    folder: str | os.PathLike,
    *,
    recipe: Recipe | None = None,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    text_cols: Sequence[str] = (),
    label_col: str | None = None,
    id_col: str | None = None,
    client: Any = None,
    memory: int | None = None,
    show: Show | None = None,
) -> FittedText:
    """Compare methods (of `METHODS`) on texts in partitions and keep the smallest good model.

    Blocks and checkpoints are kept in ``folder``: the same job started again goes on from there. ``source`` is files or
    a pattern for them; a process may take ``memory`` bytes; ``show(stage, done, total, note)`` is called on the way.
    """
    recipe = Recipe() if recipe is None else recipe
    methods = recipe.methods or ((*DEFAULT, "group") if recipe.groups else DEFAULT)
    if strange := [method for method in methods if method not in METHODS]:
        raise ValueError(f"The method {strange[0]} does not run on partitions; use {' or '.join(METHODS)}.")
    _refuse(recipe)
    sentences, given = _families(recipe)
    bag = recipe.classifier(methods[0]).bag_of_words()
    started = time.perf_counter()
    corpus = partition_texts(
        source,
        folder,
        bag=bag,
        groups=sentences,
        text_col=list(text_cols) or None,
        label_col=label_col,
        id_col=id_col,
        client=client,
        memory=memory,
        report=None if show is None else lambda stage, done, total: show(stage, done, total, ""),
    )
    design_seconds = time.perf_counter() - started
    assert corpus.vocabulary is not None
    held = None if given is None else given.build(None, corpus.vocabulary, bag.analyzer)
    search = _SearchInPartitions(recipe, methods, corpus, dev, held, os.path.join(folder, "fits"), show, design_seconds)
    search.run()
    comparison, model = kept_model(search, test)
    config = config_of(recipe, chosen_facts(comparison), {"dev": dev, "test": test}, comparison)
    name = source if isinstance(source, str) else ", ".join(source)
    config["data"]["train"] = {"name": name, "documents": corpus.n_documents, "fingerprint": corpus.key}
    return FittedText(model, comparison, config)


def _refuse(recipe: Recipe) -> None:
    """Refuse what only a fit in memory offers."""
    asked = {
        "edits": recipe.edits,
        "calibrate": recipe.calibrate,
        "thresholds": recipe.thresholds,
        "prior": recipe.prior,
        "refit_support": recipe.refit_support,
        "refit": recipe.refit,
    }
    if given := [name for name, value in asked.items() if value]:
        raise ValueError(f"A fit on partitions does not offer {given[0]}; leave it out, or fit on a part in memory.")


def _families(recipe: Recipe) -> tuple[SentenceGroups | None, GivenGroups | None]:
    """Return the builder of groups that stay in partitions, and that of groups that are held here."""
    builders = recipe.builders() or []
    if not builders:
        return None, None
    if len(builders) > 1 or not isinstance(builders[0], (SentenceGroups, GivenGroups)):
        raise ValueError(
            f"The groups {', '.join(recipe.groups or ())} cannot be made on partitions; use sentences, or make groups "
            "with laconic groups on a part of the texts and give the .json file."
        )
    builders[0].check()
    return (builders[0], None) if isinstance(builders[0], SentenceGroups) else (None, builders[0])


@dataclass(frozen=True)
class _Whole:
    """The documents of a corpus in partitions, as a method sees them; `codes` are the classes of those held out."""

    search: _SearchInPartitions
    method: str
    out: NDArray[np.intp]

    def along(self, run: Run) -> Iterator[list[Fit]]:
        """Yield the fits of every stride, each from the one before; weights that are too many end it."""
        last: Any = None
        for number, stride in enumerate(run.strides(), 1):
            try:
                models = self.search.fitted(self.method, stride, last, f"{self.method} {number}")
            except TooManyWordsError:
                if last is None:
                    raise
                return
            last = models[-1].solution_
            yield [fit_of(model, self.search.margins(model)) for model in models]


class _SearchInPartitions:
    """A search over one corpus in partitions; ``groups`` are those that are held here, not with their documents."""

    def __init__(
        self,
        recipe: Recipe,
        methods: Sequence[str],
        corpus: PartitionedCorpus,
        dev: Corpus | None,
        groups: Groups | None,
        checkpoints: str,
        show: Show | None,
        design_seconds: float,
    ) -> None:
        assert corpus.vocabulary is not None
        self.recipe, self.corpus, self.vocabulary, self.dev, self.groups = (
            recipe,
            corpus,
            corpus.vocabulary,
            dev,
            groups,
        )
        self.checkpoints, self.show, self.design_seconds = checkpoints, show, design_seconds
        self.part, self.scored_on = ("train", "held-out") if dev is None else ("all", "dev")
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tried: dict[str, list[Tried]] = {method: [] for method in methods}
        codes = self._codes()
        self._out = np.arange(len(codes))
        self.counts = dict(zip(corpus.classes, corpus.class_counts, strict=True))
        self.judge = OneLabel(recipe, codes, len(corpus.classes), self._out % PARTS, on_dev=True)

    def run(self) -> None:
        """Try the settings of all methods."""
        corpus, limits = self.corpus, (self.recipe.budget, self.recipe.words)
        unlimited = bool(set(self.tried) & set(PURSUITS)) and not any(limits)
        recipe = replace(self.recipe, budget=BUDGET) if unlimited else self.recipe
        top, top_group = self._problem(next(iter(self.tried))).largest_levels(self.groups)
        scale = Scale(top, top_group, 1.0, corpus.n_features, len(corpus.classes))
        race = Race(self.judge, lambda method: [_Whole(self, method, self._out)], recipe.words)
        for one in race.run([family_of(method, scale, recipe) for method in self.tried]):
            self.tried[one.method].append(one)

    def fitted(self, method: str, stride: Grid, last: Any, note: str) -> list[Any]:
        """Fit the settings of a stride to all documents but those held out."""
        began, estimator = time.perf_counter(), self._unfitted(method)
        watch = self._watch(note)
        if method in PURSUITS:
            # Groups are trimmed to fit a budget, so each budget of gomp is a pursuit of its own.
            budgets = [setting["budget"] for setting in stride]
            pursuer, problem = estimator.set_params(l2=stride[0]["l2"]), self._problem(method)
            runs = [budgets] if method == "omp" else [[budget] for budget in budgets]
            models = [model for run in runs for model in fit_budgets(pursuer, run, self.corpus, problem)]
        else:
            given: dict[str, Any] = {"part": self.part, "watch": watch, "checkpoints": self.checkpoints}
            models = [fit_partitions(estimator.set_params(**stride[0]), self.corpus, start=last, **given)]
        self.seconds[method] += time.perf_counter() - began
        return models

    def margins(self, model: Any) -> NDArray[np.float64]:
        """Return the margins of the documents that are scored."""
        if self.dev is not None:
            X = self.recipe.classifier().bag_of_words().transform(self.dev.texts, self.vocabulary)
            return np.asarray(model.decision_function(X))
        support = np.flatnonzero(model.coef_.any(axis=0))
        weights = Weights(support, model.coef_[:, support].T, model.intercept_)
        margins = partitioned_problem(model, self.corpus, "held").score(weights)[1]
        return margins[:, 0] if margins.shape[1] == 1 else margins

    def _codes(self) -> NDArray[np.intp]:
        """Return the classes of the documents that are scored, as numbers."""
        if self.dev is not None:
            return np.searchsorted(np.array(self.corpus.classes), np.array(self.dev.labels))
        problem = self._problem(next(iter(self.tried)), "held")
        n = problem.n_outputs
        return np.asarray(problem.score(Weights(np.zeros(0, dtype=np.intp), np.zeros((0, n)), np.zeros(n)))[0])

    def final(self, method: str, place: int, with_path: bool = False) -> tuple[int, TextClassifier]:
        """Return the text classifier of a setting, fitted on all documents."""
        began = time.perf_counter()
        model, params = self.recipe.classifier(method), self.tried[method][place].params
        model.set_params(**{f"estimator__{name}": value for name, value in params.items()})
        fitted = fit_partitions(
            self._unfitted(method).set_params(**params),
            self.corpus,
            watch=self._watch(f"{method}, all documents"),
            checkpoints=self.checkpoints,
        )
        seconds = {"design": self.design_seconds, "fit": time.perf_counter() - began}
        self.seconds[method] += seconds["fit"]
        take(model, fitted, self.vocabulary, seconds)
        model.reference_ = self._reference(fitted)
        return place, model

    def stability(self, model: TextClassifier) -> None:
        """Halves are not fitted on partitions."""

    def _problem(self, method: str, part: str | None = None) -> Any:
        return partitioned_problem(self._unfitted(method), self.corpus, part or self.part)

    def _reference(self, fitted: Any) -> dict[str, Any]:
        """Return what new texts will be compared with, as a fit in memory notes it."""
        kept = np.flatnonzero(np.any(fitted.coef_ != 0.0, axis=0))
        frequency = self.vocabulary.document_frequency.astype(np.float64)
        empty = partitioned_problem(fitted, self.corpus).count_empty(kept) / self.corpus.n_documents
        shares = [count / self.corpus.n_documents for count in self.corpus.class_counts]
        return {"shares": shares, "known": float(frequency[kept].sum() / max(frequency.sum(), 1.0)), "empty": empty}

    def _unfitted(self, method: str) -> Any:
        classifier = self.recipe.classifier(method)
        held = self.groups is not None and classifier.groups is not None
        return classifier.estimator.set_params(groups=self.groups) if held else classifier.estimator

    def _watch(self, note: str) -> Any:
        if self.show is None:
            return None
        show = self.show

        def watch(progress: Any) -> None:
            gap = (progress.objective - progress.dual_objective) / progress.objective if progress.objective else 0.0
            show("fit", progress.iteration, 0, f"{note}; round {progress.iteration}, gap {gap:.1e}")

        return watch
