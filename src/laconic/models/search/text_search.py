"""The search behind `fit_text`: methods side by side on the same folds, then the final models of what they came to."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.interruption import FINAL, SEARCH, Stop, Stopped, check, in_threads, stoppable
from laconic.data.corpus import Corpus
from laconic.evaluate.tuning.candidates import describe
from laconic.groups.given import built_groups, corpus_of
from laconic.linear.base import Seen
from laconic.models.links import SOFTMAX
from laconic.models.search.folds import Folds, Split
from laconic.models.search.followed import LOOSE, Fit, InMemory
from laconic.models.search.model_path import AT_LEAST, LIMIT, PathStep, path_through, step_of
from laconic.models.search.race import Job, Race
from laconic.models.search.recipe import GROUPED, PURSUITS, SPARSE, Recipe
from laconic.models.search.runs import Scale, family_of
from laconic.models.search.shared_fit import estimator_on, take_fitted
from laconic.models.search.tried import OneLabel, Tried, goodness
from laconic.models.search.word_stability import selection_frequency
from laconic.models.text_classifier import TextClassifier
from laconic.solvers.dispatch import one_blas_thread
from laconic.text import Design

FINAL_FITS = 10  # of a final model with its path, about
STAGE, STAGES = 0.3, 3  # λ₁ falls by where a final fit goes on beyond what was tried, and so often

Progress = Callable[[int, int, str, Mapping[str, Any] | None], None]


class Whole(NamedTuple):
    """The documents that final models are fitted to."""

    design: Design
    labels: NDArray[Any]
    groups: Groups | None


class TextSearch:
    """The methods of a recipe: what was tried of each, and the processor seconds that it took."""

    def __init__(
        self, recipe: Recipe, train: Corpus, dev: Corpus | None, progress: Progress | None, stop: Stop
    ) -> None:
        methods = recipe.methods_to_compare
        self.recipe, self._train, self._dev = recipe, train, dev
        self._grouped = bool(set(methods) & set(GROUPED))
        self.folds = Folds.of(recipe, SOFTMAX, train, dev, self._grouped, brief=stop.seconds is not None)
        self.scored_on = self.folds.name
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tried: dict[str, list[Tried]] = {method: [] for method in methods}
        part, codes = self.folds.part, self.folds.truth.argmax(axis=1)
        self.judge = OneLabel(recipe, codes, len(self.folds.classes), part, len(self.folds.splits) == 1)
        self.counts = train.class_counts()
        self._stop, self.left_out = stop, self.folds.left_out
        self._progress, self._done = progress or (lambda *_: None), 0
        self._left = FINAL_FITS + recipe.resamples  # fits after the search

    def run(self) -> None:
        """Try the settings of all methods."""
        folds, plain = self.folds, self.folds.estimator("elastic", None)
        scale = Scale.of(folds.columns, folds.labels, plain, folds.groups if "group" in self.tried else None)
        race = Race(self.judge, self._sides, self.recipe.words, fits=lambda jobs: self._fits(jobs, race))
        race.ends = lambda: self._stop.now(SEARCH)

        def look(split: Split) -> Seen:
            return plain.look(split.X, folds.labels[split.rows])

        with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(-1)) as self._pool:
            self._progress(0, 1, next(iter(self.tried)), None)
            self._seen = list(self._pool.map(look, folds.splits))
            for one in race.run([family_of(method, scale, self.recipe) for method in self.tried]):
                self.tried[one.method].append(one)
        self.left_out += race.left_out()
        self.tried = {method: tried for method, tried in self.tried.items() if tried}

    def _sides(self, method: str) -> list[InMemory]:
        pairs = zip(self.folds.splits, self._seen, strict=True)
        return [InMemory(self.folds.estimator(method, split.groups), seen, split) for split, seen in pairs]

    def _fits(self, jobs: Sequence[Job], race: Race) -> Iterator[list[Fit]]:
        """Yield what jobs give, which share all processors."""

        ended = self._done

        def fit(job: Job) -> tuple[list[Fit], float]:
            began = time.thread_time()
            return job[0].fit(job[1]), time.thread_time() - began

        done = self._pool.map(in_threads(fit), jobs)
        for (run, _), (fits, seconds) in zip(jobs, done, strict=True):
            self.seconds[run.run.method] += seconds
            self._done += 1
            best = race.best()
            row = None if best is None else {"mean": best.mean, "words": best.words, "method": best.method}
            self._progress(self._done, max(self._done, ended + race.ahead()) + self._left, run.run.method, row)
            yield fits

    def final(self, method: str, place: int, with_path: bool = False) -> tuple[int, TextClassifier]:
        """Return the model of a setting on all documents, of the next best if that has more words than are allowed.

        The path of a sparse model are the smaller and larger models of its run.
        """
        whole, limit, tried = self._whole, self.recipe.words, self.tried[method]
        next_best = sorted(range(len(tried)), key=lambda i: -goodness(self.recipe.metric, tried[i].mean))
        for i in [place, *next_best]:
            began = time.thread_time()
            one, model = self._fitted(tried[i], self._run_of(tried[i]) if with_path else [tried[i]], whole)
            if one not in tried:
                shown = describe(tried[i].params)
                self.left_out.append(f"scores of {describe(one.params)}: those of {shown} are shown")
                one = replace(one, words=float(model.n_words_))
                tried.append(one)
            self.seconds[method] += time.thread_time() - began
            self._fitted_finally(self._left - self.recipe.resamples)
            if limit is None or model.n_words_ <= limit:
                return tried.index(one), model
        raise ValueError(f"Fitted on all documents, no model has at most {limit} words; allow more words.")

    def stability(self, model: TextClassifier) -> None:
        """Give a model the frequencies of its words in models of random halves of the documents."""
        whole, recipe = self._whole, self.recipe
        if not recipe.resamples or min(Counter(whole.labels.tolist()).values()) < 2:  # which cannot be in both halves
            return
        data = whole.design.X, whole.labels, recipe.resamples, recipe.seed
        with stoppable(lambda: self._stop.now(FINAL)):
            try:
                check()
                model.selection_frequency_ = selection_frequency(model, *data, lambda: self._fitted_finally(1))
            except Stopped:
                self.left_out.append("resamples")

    def _fitted_finally(self, fits: int) -> None:
        """Tell that some fits after the search are done."""
        self._done, self._left = self._done + max(fits, 0), self._left - max(fits, 0)
        self._progress(self._done, self._done + self._left, "final model", None)

    @cached_property
    def _whole(self) -> Whole:
        folds, recipe = self.folds, self.recipe
        if not recipe.refit or self._dev is None:
            return Whole(folds.design, folds.labels, folds.groups)
        documents = [*self._train, *self._dev]
        bag, corpus = recipe.classifier().bag_of_words(), corpus_of(documents)
        design = bag.fit(corpus.texts)
        groups = built_groups(recipe.builders(), corpus, design.vocabulary, bag.analyzer) if self._grouped else None
        return Whole(design, np.concatenate([folds.labels, np.array(self._dev.labels)]), groups)

    def _run_of(self, chosen: Tried) -> list[Tried]:
        """Return the settings of a run from its strongest to one, and those beyond that make a path with it."""
        if chosen.method not in SPARSE:
            return [chosen]
        level = "group" if "group" in chosen.params else "l2"
        run = [one for one in self.tried[chosen.method] if one.params[level] == chosen.params[level]]
        most, place = max(LIMIT * chosen.words, AT_LEAST), run.index(chosen)
        if self._stop.now(SEARCH):  # fewer steps on the way
            return run[place % 2 : place + 1 : 2] + self._beyond(chosen, run)
        return run[: place + 1] + [one for one in run[place + 1 :] if one.words <= most]

    def _beyond(self, chosen: Tried, run: Sequence[Tried]) -> list[Tried]:
        """Return smaller λ₁ to go on to where time cut a search short; their scores are those of the last one tried."""
        unfinished = f"{chosen.method}: weaker penalties" in self.left_out
        if not (unfinished and chosen is run[-1] and "l1" in chosen.params and self._stop.late(SEARCH)):
            return []
        if self.recipe.words is not None:
            return []
        levels = (chosen.params["l1"] * STAGE**k for k in range(1, STAGES + 1))
        return [replace(chosen, params={**chosen.params, "l1": level}) for level in levels]

    def _fitted(self, chosen: Tried, run: Sequence[Tried], whole: Whole) -> tuple[Tried, TextClassifier]:
        """Return the model of a setting, fitted along its run, with that as its path; of the last that time allowed."""
        began = time.perf_counter()
        model = self.recipe.classifier(chosen.method)
        model.set_params(**{f"estimator__{name}": value for name, value in chosen.params.items()})
        estimator = estimator_on(model, whole.design, whole.groups if chosen.method in GROUPED else None)
        limited, pursued = self._stop.seconds is not None, chosen.method in PURSUITS
        loose = {} if pursued else {"tol": max(LOOSE, estimator.tol)}
        late = self._stop.late(SEARCH)
        settings = [one.params if one is chosen and not late else {**one.params, **loose} for one in run]
        at_once = pursued and not limited
        strides = [settings] if at_once else [[setting] for setting in settings]
        fits = chain.from_iterable(estimator.fit_along(estimator.look(whole.design.X, whole.labels), strides))
        steps: list[PathStep] = []
        place = run.index(chosen) if run[-1] in self.tried[chosen.method] else len(run) - 1
        # The first with words is fitted in any case: there is always a model.
        with stoppable(lambda: any(step.words for step in steps) and self._stop.late(FINAL)), suppress(Stopped):
            for tried, fitted in zip(run, fits, strict=True):
                steps.append(step_of(tried, fitted, whole.design.vocabulary.words))
                if len(steps) <= place + 1:
                    last = tried, fitted
        if last[0] is not chosen:
            if run.index(last[0]) < run.index(chosen):
                self.left_out.append(f"the final model of {describe(chosen.params)}: a smaller one was fitted in time")
            model.set_params(**{f"estimator__{name}": value for name, value in last[0].params.items()})
        own = min(place, len(steps) - 1)
        steps[own] = replace(steps[own], chosen=True)
        seconds = {"design": self.folds.seconds, "fit": time.perf_counter() - began}
        take_fitted(model, last[1], whole.design, whole.labels, seconds)
        path = path_through(steps, next(step for step in steps if step.chosen))
        if path is not None:
            model.path_ = path
        return last[0], model
