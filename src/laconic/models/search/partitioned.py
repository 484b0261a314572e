"""`fit_partitioned`: `fit_text` for texts that stay in partitions, the job behind ``laconic fit 'parts/*.jsonl'``.

Methods are tuned on a dev set, or on documents that are held out of every partition (one in five, at most 50,000); the
settings of each follow one another from strong to weak, each from the last solution, and end where scores have fallen
for some settings in a row. After held-out documents the models to compare are fitted once more on all of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.outputs import outputs
from laconic.evaluate.metrics.scores import LABEL_METRICS, higher_is_better, score
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.rules import pick
from laconic.evaluate.tuning.search import Tuned
from laconic.evaluate.tuning.uncertainty import standard_error
from laconic.groups import GivenGroups, SentenceGroups
from laconic.models.scoring.decisions import most_likely, probabilities
from laconic.models.search.contenders import chosen_facts, config_of
from laconic.models.search.fit_text import FittedText, MethodSearch
from laconic.models.search.grids import budgets_up_to, grid_for
from laconic.models.search.recipe import PURSUITS, Recipe
from laconic.models.search.shared_fit import take
from laconic.models.text_classifier import TextClassifier
from laconic.partitions.corpus import PartitionedCorpus, partition_texts
from laconic.partitions.fit_pursuit import fit_budgets
from laconic.partitions.fitting import fit_partitions, partitioned_problem
from laconic.partitions.lambda_scales import largest_levels
from laconic.partitions.passes import Weights
from laconic.partitions.solving import TooManyWordsError

METHODS = ("lasso", "elastic", "omp", "group", "gomp")
DEFAULT = ("lasso", "elastic")
PURSUIT_L2 = (10.0, 1.0, 0.1)
BUDGET = 100  # words of omp and gomp where no other number is given
PATIENCE = 3  # settings in a row below the best by more than a standard error, after which weaker ones are not tried

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
    comparison, _ = search.run(test)
    if dev is None:
        comparison = replace(comparison, scored_on="held-out")
    config = config_of(recipe, chosen_facts(comparison), {"dev": dev, "test": test}, comparison)
    name = source if isinstance(source, str) else ", ".join(source)
    config["data"]["train"] = {"name": name, "documents": corpus.n_documents, "fingerprint": corpus.key}
    return FittedText(search.models[comparison.chosen.method], comparison, config)


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


class _SearchInPartitions(MethodSearch):
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
        super().__init__(recipe, methods)
        assert corpus.vocabulary is not None
        self.corpus, self.vocabulary, self.dev, self.groups = corpus, corpus.vocabulary, dev, groups
        self.checkpoints, self.show, self.design_seconds = checkpoints, show, design_seconds
        self.part = "all" if dev is not None else "train"

    def _tune(self, method: str) -> Tuned:
        """Fit one setting after the other, and score each."""
        classifier = self.classifiers[method]
        candidates: list[Candidate] = []
        models: list[Any] = []
        for params, model, taken in self._fits(method, classifier, candidates):
            mean, error = self._scored(classifier, model)
            words = int(np.count_nonzero(np.any(model.coef_ != 0.0, axis=0)))
            params = {f"estimator__{name}": value for name, value in params.items()}
            candidates.append(Candidate(params, (mean,), mean, error, float(words), float(model.dual_gap_), taken))
            models.append(model)
        metric, rule = self.recipe.metric, self.recipe.rule_in_method
        picked = pick(candidates, metric, rule, self.recipe.words)
        return Tuned(
            candidates=tuple(candidates),
            best=picked.best,
            chosen=picked.chosen,
            ties=picked.ties,
            metric=metric,
            rule=rule,
            folds=None,
            estimator=models[picked.chosen],
            _template=None,
            _models=tuple(models),
        )

    def _fits(
        self, method: str, classifier: TextClassifier, seen: list[Candidate]
    ) -> Iterator[tuple[dict[str, Any], Any, float]]:
        """Yield settings with their models and seconds; what was seen of them decides where a path ends."""
        estimator = self._unfitted(classifier)
        if method in PURSUITS:
            yield from self._pursuits(method, estimator)
            return
        last: Any = None
        before: dict[str, Any] = {}
        first = 0
        top, top_group = largest_levels(partitioned_problem(estimator, self.corpus, self.part), self.groups)
        grid = grid_for(method, top, len(self.corpus.classes), top_group)
        for i, setting in enumerate(grid):
            if {**setting, "l1": 0.0} != {**before, "l1": 0.0}:
                last, first, before = None, len(seen), setting
            if self._fallen(seen[first:]):
                continue
            started = time.perf_counter()
            try:
                model = fit_partitions(
                    clone(estimator).set_params(**setting),
                    self.corpus,
                    part=self.part,
                    start=last,
                    watch=self._watch(f"{method} {i + 1}/{len(grid)}"),
                    checkpoints=self.checkpoints,
                )
            except TooManyWordsError:
                if not seen[first:]:
                    raise
                return
            last = model.solution_
            yield setting, model, time.perf_counter() - started

    def _fallen(self, seen: list[Candidate]) -> bool:
        """Say whether a path has led to too many words, or to lower and lower scores."""
        if not seen:
            return False
        if self.recipe.words is not None and seen[-1].words > self.recipe.words:
            return True
        sign = 1.0 if higher_is_better(self.recipe.metric) else -1.0
        best = max(seen, key=lambda candidate: sign * candidate.mean)
        least = sign * best.mean - best.standard_error
        lower = [sign * candidate.mean < least for candidate in seen[-PATIENCE:]]
        return len(lower) == PATIENCE and all(lower)

    def _pursuits(self, method: str, estimator: Any) -> Iterator[tuple[dict[str, Any], Any, float]]:
        limits = [limit for limit in (self.recipe.budget, self.recipe.words) if limit is not None]
        budgets = budgets_up_to(min([*(limits or [BUDGET]), self.corpus.n_features]))
        # Groups are trimmed to fit a budget, so each budget of gomp is a pursuit of its own.
        runs = [budgets] if method == "omp" else [[budget] for budget in budgets]
        for l2 in PURSUIT_L2:
            for run in runs:
                started = time.perf_counter()
                if self.show is not None:
                    self.show("fit", 0, 0, f"{method}, λ₂ = {l2:g}, up to {run[-1]} words")
                pursuer = clone(estimator).set_params(l2=l2)
                fitted = fit_budgets(pursuer, run, self.corpus, partitioned_problem(pursuer, self.corpus, self.part))
                taken = (time.perf_counter() - started) / len(run)
                for budget, model in zip(run, fitted, strict=True):
                    yield {"l2": l2, "budget": budget}, model, taken

    def _final(self, method: str, place: int) -> tuple[int, TextClassifier]:
        """Return the text classifier of a setting, fitted on all documents."""
        started = time.perf_counter()
        model = clone(self.classifiers[method]).set_params(**self.tuned[method].candidates[place].params)
        fitted = fit_partitions(
            self._unfitted(model),
            self.corpus,
            watch=self._watch(f"{method}, all documents"),
            checkpoints=self.checkpoints,
        )
        seconds = {"design": self.design_seconds, "fit": time.perf_counter() - started}
        take(model, fitted, self.vocabulary, seconds)
        model.reference_ = self._reference(fitted)
        return place, model

    def _reference(self, fitted: Any) -> dict[str, Any]:
        """Return what new texts will be compared with, as a fit in memory notes it."""
        kept = np.flatnonzero(np.any(fitted.coef_ != 0.0, axis=0))
        frequency = self.vocabulary.document_frequency.astype(np.float64)
        empty = partitioned_problem(fitted, self.corpus).count_empty(kept) / self.corpus.n_documents
        shares = [count / self.corpus.n_documents for count in self.corpus.class_counts]
        return {"shares": shares, "known": float(frequency[kept].sum() / max(frequency.sum(), 1.0)), "empty": empty}

    def _unfitted(self, classifier: TextClassifier) -> Any:
        estimator = clone(classifier.estimator)
        held = self.groups is not None and classifier.groups is not None
        return estimator.set_params(groups=self.groups) if held else estimator

    def _scored(self, classifier: TextClassifier, fitted: Any) -> tuple[float, float]:
        metric = self.recipe.metric
        if self.dev is not None:
            X = classifier.bag_of_words().transform(self.dev.texts, self.vocabulary)
            y, said = np.array(self.dev.labels), outputs(fitted, metric, X)
        else:
            held = partitioned_problem(fitted, self.corpus, "held")
            support = np.flatnonzero(fitted.coef_.any(axis=0))
            codes, margins = held.score(Weights(support, fitted.coef_[:, support].T, fitted.intercept_))
            y, said = fitted.classes_[codes], _outputs(metric, fitted, margins)
        return score(metric, y, **said), standard_error(metric, y, said, self.recipe.seed)

    def _watch(self, note: str) -> Any:
        if self.show is None:
            return None
        show = self.show

        def watch(progress: Any) -> None:
            gap = (progress.objective - progress.dual_objective) / progress.objective if progress.objective else 0.0
            show("fit", progress.iteration, 0, f"{note}; round {progress.iteration}, gap {gap:.1e}")

        return watch


def _outputs(metric: str, model: Any, margins: np.ndarray) -> dict[str, Any]:
    """Return what a metric needs, from margins."""
    margins = margins[:, 0] if margins.shape[1] == 1 else margins
    if metric in LABEL_METRICS:
        return {"y_pred": model.classes_[most_likely(margins)]}
    return {"proba": probabilities(margins), "classes": model.classes_}
