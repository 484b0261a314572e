"""`fit_partitioned`: `fit_text` for texts that stay in partitions, the job behind ``laconic fit 'parts/*.jsonl'``.

Methods are tuned on a dev set, or on documents that are held out of every partition (one in five, at most 50,000); the
settings of each follow one another from strong to weak, each from the last solution, and end where scores have fallen
for some settings in a row. After held-out documents the models to compare are fitted once more on all of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.core.losses import softmax
from laconic.core.summaries.comparison import Contender
from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.outputs import outputs
from laconic.evaluate.metrics.scores import LABEL_METRICS, higher_is_better, score
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.rules import pick
from laconic.evaluate.tuning.search import Tuned
from laconic.evaluate.tuning.uncertainty import standard_error
from laconic.groups import GivenGroups, SentenceGroups
from laconic.models.search.choose_method import compared, settle
from laconic.models.search.contenders import chosen_facts, config_of, contender, test_score
from laconic.models.search.fit_text import FittedText
from laconic.models.search.grids import Grid, budgets_up_to, grid_for
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
    """Compare methods on texts in partitions and keep the smallest good model.

    Parameters
    ----------
    source : str or list of str
        Files, or a pattern for them.
    folder : path
        Where blocks and checkpoints are kept; the same job started again goes on from there.
    recipe : Recipe, optional
        Its methods must be among lasso, elastic, omp, group and gomp; by default lasso and elastic, and with groups
        group. Groups are sentences, which stay with their documents, or come from a file.
    dev, test : Corpus, optional
        Small enough for memory.
    text_cols, label_col, id_col
        As for `laconic.data.read`.
    client : distributed.Client, optional
    memory : int, optional
        Bytes that one process may take.
    show : callable, optional
        Called as ``show(stage, done, total, note)``.
    """
    recipe = Recipe() if recipe is None else recipe
    methods = recipe.methods or ((*DEFAULT, "group") if recipe.groups else DEFAULT)
    if strange := [method for method in methods if method not in METHODS]:
        raise ValueError(f"The method {strange[0]} does not run on partitions; use {' or '.join(METHODS)}.")
    _refuse(recipe)
    classifiers = {method: recipe.classifier(method) for method in methods}
    sentences, given = _families(recipe)
    report = None if show is None else lambda stage, done, total: show(stage, done, total, "")
    started = time.perf_counter()
    corpus = partition_texts(
        source,
        folder,
        bag=next(iter(classifiers.values())).bag_of_words(),
        groups=sentences,
        text_col=list(text_cols) or None,
        label_col=label_col,
        id_col=id_col,
        client=client,
        memory=memory,
        report=report,
    )
    design_seconds = time.perf_counter() - started
    held: Any = None
    if given is not None and corpus.vocabulary is not None:
        held = given.build(None, corpus.vocabulary, recipe.classifier().bag_of_words().analyzer)
    job = _Job(corpus, recipe, dev, held, os.path.join(folder, "fits"), show)
    tuned: dict[str, Tuned] = {}
    seconds: dict[str, float] = {}
    for method, classifier in classifiers.items():
        started = time.perf_counter()
        tuned[method] = job.tune(method, classifier)
        seconds[method] = time.perf_counter() - started
    settled = settle(tuned, recipe)
    contenders: dict[str, Contender] = {}
    models: dict[str, TextClassifier] = {}
    for method, place in settled.items():
        started = time.perf_counter()
        models[method] = job.final(method, classifiers[method], tuned[method].candidates[place].params, design_seconds)
        seconds[method] += time.perf_counter() - started
        contenders[method] = contender(method, tuned[method], place, models[method], seconds[method])
        if test is not None:
            contenders[method] = replace(contenders[method], test=test_score(models[method], test, recipe.metric))
    comparison = compared(contenders, tuned, recipe)
    if dev is None:
        comparison = replace(comparison, scored_on="held-out")
    data: dict[str, Any] = {"dev": dev, "test": test}
    config = config_of(recipe, chosen_facts(comparison), data, comparison)
    name = source if isinstance(source, str) else ", ".join(source)
    config["data"]["train"] = {"name": name, "documents": corpus.n_documents, "fingerprint": corpus.key}
    return FittedText(models[comparison.chosen.method], comparison, config)


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


class _Job:
    """One corpus, and how models on it are fitted and scored."""

    def __init__(
        self,
        corpus: PartitionedCorpus,
        recipe: Recipe,
        dev: Corpus | None,
        groups: Groups | None,
        checkpoints: str,
        show: Show | None,
    ) -> None:
        self.corpus, self.recipe, self.dev, self.groups = corpus, recipe, dev, groups
        self.checkpoints, self.show = checkpoints, show
        self.part = "all" if dev is not None else "train"

    def tune(self, method: str, classifier: TextClassifier) -> Tuned:
        """Fit one setting after the other, and score each."""
        candidates: list[Candidate] = []
        models: list[Any] = []
        for params, model, taken in self._fits(method, classifier, candidates):
            mean, error = self._scored(classifier, model)
            words = int(np.count_nonzero(np.any(model.coef_ != 0.0, axis=0)))
            params = {f"estimator__{name}": value for name, value in params.items()}
            candidates.append(Candidate(params, (mean,), mean, error, float(words), float(model.dual_gap_), taken))
            models.append(model)
        metric, rule = self.recipe.metric, self.recipe.rule_to_follow
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
        grid = self._grid(method, estimator)
        for i, setting in enumerate(grid):
            if {**setting, "l1": 0.0} != {**before, "l1": 0.0}:
                last, first, before = None, len(seen), setting
            if self._fallen(seen[first:]):
                continue
            started = time.perf_counter()
            try:
                model = self._fitted(clone(estimator).set_params(**setting), last, f"{method} {i + 1}/{len(grid)}")
            except TooManyWordsError:
                if not seen[first:]:
                    raise
                return
            last = model.solution_
            yield setting, model, time.perf_counter() - started

    def _fitted(self, estimator: Any, start: Any, note: str) -> Any:
        return fit_partitions(
            estimator,
            self.corpus,
            part=self.part,
            start=start,
            watch=self._watch(note),
            checkpoints=self.checkpoints,
        )

    def _fallen(self, seen: list[Candidate]) -> bool:
        """Say whether a path has led to too many words, or to lower and lower scores."""
        if not seen:
            return False
        if self.recipe.words is not None and seen[-1].words > self.recipe.words:
            return True
        sign = 1.0 if higher_is_better(self.recipe.metric) else -1.0
        best = max(seen, key=lambda one: sign * one.mean)
        lower = [sign * one.mean < sign * best.mean - best.standard_error for one in seen[-PATIENCE:]]
        return len(lower) == PATIENCE and all(lower)

    def _pursuits(self, method: str, estimator: Any) -> Iterator[tuple[dict[str, Any], Any, float]]:
        limits = [one for one in (self.recipe.budget, self.recipe.words) if one is not None]
        budgets = budgets_up_to(min([*(limits or [BUDGET]), self.corpus.n_features]))
        # Groups are trimmed to fit a budget, so each budget of gomp is a pursuit of its own.
        runs = [budgets] if method == "omp" else [[one] for one in budgets]
        for l2 in PURSUIT_L2:
            for run in runs:
                started = time.perf_counter()
                if self.show is not None:
                    self.show("fit", 0, 0, f"{method}, λ₂ = {l2:g}, up to {run[-1]} words")
                one = clone(estimator).set_params(l2=l2)
                problem = partitioned_problem(one, self.corpus, self.part)
                fitted = fit_budgets(one, run, self.corpus, problem)
                taken = (time.perf_counter() - started) / len(run)
                for budget, model in zip(run, fitted, strict=True):
                    yield {"l2": l2, "budget": budget}, model, taken

    def final(
        self, method: str, classifier: TextClassifier, params: Mapping[str, Any], design_seconds: float
    ) -> TextClassifier:
        """Return the text classifier of a setting, fitted on all documents."""
        started = time.perf_counter()
        model = clone(classifier).set_params(**params)
        fitted = fit_partitions(
            self._unfitted(model),
            self.corpus,
            watch=self._watch(f"{method}, all documents"),
            checkpoints=self.checkpoints,
        )
        assert self.corpus.vocabulary is not None
        seconds = {"design": design_seconds, "fit": time.perf_counter() - started}
        take(model, fitted, self.corpus.vocabulary, seconds)
        model.reference_ = self._reference(fitted)
        return model

    def _reference(self, fitted: Any) -> dict[str, Any]:
        """Return what new texts will be compared with, as a fit in memory notes it."""
        assert self.corpus.vocabulary is not None
        kept = np.flatnonzero(np.any(fitted.coef_ != 0.0, axis=0))
        frequency = self.corpus.vocabulary.document_frequency.astype(np.float64)
        empty = partitioned_problem(fitted, self.corpus).count_empty(kept) / self.corpus.n_documents
        shares = [count / self.corpus.n_documents for count in self.corpus.class_counts]
        return {"shares": shares, "known": float(frequency[kept].sum() / max(frequency.sum(), 1.0)), "empty": empty}

    def _unfitted(self, classifier: TextClassifier) -> Any:
        estimator = clone(classifier.estimator)
        return (
            estimator if self.groups is None or classifier.groups is None else estimator.set_params(groups=self.groups)
        )

    def _grid(self, method: str, estimator: Any) -> Grid:
        problem = partitioned_problem(estimator, self.corpus, self.part)
        top, top_group = largest_levels(problem, self.groups)
        return grid_for(method, top, len(self.corpus.classes), top_group)

    def _scored(self, classifier: TextClassifier, fitted: Any) -> tuple[float, float]:
        metric = self.recipe.metric
        if self.dev is not None:
            assert self.corpus.vocabulary is not None
            X = classifier.bag_of_words().transform(self.dev.texts, self.corpus.vocabulary)
            y, found = np.array(self.dev.labels), outputs(fitted, metric, X)
        else:
            held = partitioned_problem(fitted, self.corpus, "held")
            support = np.flatnonzero(fitted.coef_.any(axis=0))
            codes, margins = held.score(Weights(support, fitted.coef_[:, support].T, fitted.intercept_))
            y, found = fitted.classes_[codes], _outputs(metric, fitted, margins)
        return score(metric, y, **found), standard_error(metric, y, found, self.recipe.seed)

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
    if margins.shape[1] == 1:
        margins = np.hstack([np.zeros_like(margins), margins])
    if metric in LABEL_METRICS:
        return {"y_pred": model.classes_[margins.argmax(axis=1)]}
    return {"proba": softmax(margins), "classes": model.classes_}
