"""The documents that a search fits and scores: one matrix of all of them, cut into folds or scored on a dev set.

Words are counted once, over all documents to fit; a word that those of a fold lack has no weight there. Groups of words
are built for every fold on the documents that it fits.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.evaluation import label_matrix
from laconic.groups.given import built_groups, corpus_of
from laconic.models.links import Link
from laconic.models.search.recipe import GROUPED, Recipe
from laconic.models.search.shared_fit import estimator_on
from laconic.text import Design

PARTS = 5  # of a dev set, for paired differences
MANY = 20_000  # documents, of which one fold is enough to score on where time is short


class Split(NamedTuple):
    """Documents to fit by columns, those held out by rows, where both stand among all, and the groups of the first."""

    X: csc_array
    rows: NDArray[np.intp]
    X_out: csr_array
    out: NDArray[np.intp]
    groups: Groups | None


@dataclass(frozen=True)
class Folds:
    """The splits of a corpus: ``labels`` of the documents to fit, which class each of those to score has (``truth``),
    and its part: the fold, or one of `PARTS` parts of a dev set or a single fold; ``name`` is what scores are of.
    """

    recipe: Recipe
    design: Design
    classes: list[Any]
    labels: NDArray[Any]
    truth: NDArray[np.bool_]
    part: NDArray[np.intp]
    name: str
    splits: tuple[Split, ...]
    groups: Groups | None
    seconds: float

    @classmethod
    def of(
        cls, recipe: Recipe, link: Link, train: Corpus, dev: Corpus | None, grouped: bool, brief: bool = False
    ) -> "Folds":
        """Cut a training corpus into the folds of a recipe, or take it whole beside a dev set.

        A ``brief`` search of `MANY` documents holds one fold out only.
        """
        began = time.perf_counter()
        labels, documents = link.checked(train.labels, len(train)), list(train)
        classes, every = link.classes(labels), np.arange(len(train))
        pairs = [] if dev is not None else list(link.folds(labels, recipe.folds, recipe.seed))
        truth = label_matrix(labels if dev is None else dev.labels or (), classes)
        name = "dev" if dev is not None else f"{recipe.folds}-fold cv"
        if pairs and brief and len(train) >= MANY:
            pairs, name = pairs[:1], f"1 of {recipe.folds} folds"
        bag = recipe.classifier().bag_of_words()
        design = bag.fit(train.texts)
        X = design.X

        def groups(rows: NDArray[np.intp]) -> Groups | None:
            if not grouped:
                return None
            corpus = corpus_of([documents[i] for i in rows])
            return built_groups(recipe.builders(), corpus, design.vocabulary, bag.analyzer)

        whole = groups(every)
        splits: tuple[Split, ...]
        if dev is not None:
            out = np.arange(len(dev))
            splits = (Split(csc_array(X), every, bag.transform(dev.texts, design.vocabulary), out, whole),)
            part = out % PARTS
        elif len(pairs) == 1:
            ((fit, held_out),) = pairs
            out, truth = np.arange(len(held_out)), truth[held_out]
            splits, part = (Split(csc_array(X[fit]), fit, X[held_out], out, groups(fit)),), out % PARTS
        else:
            splits = tuple(Split(csc_array(X[fit]), fit, X[out], out, groups(fit)) for fit, out in pairs)
            part = np.empty(len(train), dtype=np.intp)
            for number, (_, out) in enumerate(pairs):
                part[out] = number
        seconds = time.perf_counter() - began
        return cls(recipe, design, classes, labels, truth, part, name, splits, whole, seconds)

    @cached_property
    def columns(self) -> csc_array:
        """All documents to fit, by columns."""
        first = self.splits[0]
        return first.X if len(first.rows) == len(self.labels) else csc_array(self.design.X)

    @property
    def left_out(self) -> list[str]:
        """What a brief search does without."""
        return [f"all folds but one of {self.recipe.folds}"] if self.name.startswith("1 of ") else []

    def estimator(self, method: str, groups: Groups | None) -> Any:
        """Return the unfitted estimator of a method, with groups if it takes any."""
        # All documents have the words that edits name, though folds may lack them.
        text = self.recipe.classifier(method).set_params(edits=self.recipe.edits)
        return estimator_on(text, self.design, groups if method in GROUPED else None)
