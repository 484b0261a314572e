"""Fit several text classifiers on the same texts, sharing what they can.

Classifiers with equal text parameters share one matrix, and those with equal groups the groups built on it. Those
whose estimators are of one class and offer ``fit_grid`` are then fitted by one call of it, which may start each
fit from its neighbour.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.core.solution import Solution
from laconic.data.corpus import Corpus
from laconic.groups.given import built_groups, check_groups, corpus_of
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.linear.edit_constraints import check_edits, spelled_out
from laconic.linear.pursuit_base import Pursuer
from laconic.models.edit.warm_start import matched_start, older_model
from laconic.models.inputs import checked_documents
from laconic.text import Analyzer, BagOfWords, CountedTexts, Design, Vocabulary

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier
    from laconic.models.text_model import TextModel


def fit_together(
    models: Sequence["TextModel"],
    texts: Iterable[Any],
    y: Any,
    sample_weight: ArrayLike | None = None,
    start: Any = None,
) -> None:
    """Fit all models, of one link, in place; ``start`` is an older model, see `TextClassifier.fit`."""
    sharing: defaultdict[BagOfWords, list[TextModel]] = defaultdict(list)
    for model in models:  # all of them before any work: this refuses wrong parameters
        sharing[model._reader().bag_of_words()].append(model)
        _check_parts(model._reader())
    if not sharing:
        return
    counted = texts if isinstance(texts, CountedTexts) else None
    documents: Any = texts
    for kind in sorted({bag.analyzer.kind for bag in sharing}):
        documents = list(checked_documents(documents, kind, whole=True))
    if not documents:
        raise ValueError("There are no texts; a classifier needs at least one of each class.")
    target = _Target(models[0], y, len(documents))
    for model in models:
        model._over(None, target.classes)  # refuses settings and edits of other labels
    older = None if start is None else older_model(start)
    weight = {} if sample_weight is None else {"sample_weight": sample_weight}
    corpus = corpus_of(documents)
    for bag, members in sharing.items():
        began = time.perf_counter()
        design = bag.fit(corpus.texts if counted is None or counted.analyzer != bag.analyzer else counted)
        groups = _SharedGroups(corpus, design, bag.analyzer)
        estimators = [
            model._over(estimator_on(reader, design, groups.of(reader.groups)), target.classes)
            for model, reader in ((model, model._reader()) for model in members)
        ]
        given = {} if older is None else {"start": matched_start(older, design.vocabulary, target.classes)}
        _fit_estimators(members, estimators, design, target.values, weight, given, time.perf_counter() - began)


def fit_on_design(model: "TextModel", design: Design, y: Any, groups: Groups | None, start: Any = None) -> None:
    """Fit one model in place on a matrix of its own text parameters that was made before; see `fit_together`.

    ``start`` may also be a solution over the same words.
    """
    began = time.perf_counter()
    target = _Target(model, y, design.X.shape[0])
    estimator = model._over(estimator_on(model._reader(), design, groups), target.classes)
    if start is not None and not isinstance(start, Solution):
        start = matched_start(older_model(start), design.vocabulary, target.classes)
    given = {} if start is None else {"start": start}
    _fit_estimators([model], [estimator], design, target.values, {}, given, time.perf_counter() - began)


class _Target:
    """Checked labels: the classes, and what to fit to: labels, or which document has which of several."""

    def __init__(self, model: "TextModel", y: Any, n_documents: int) -> None:
        labels = model.link.checked(y, n_documents)
        self.classes = model.link.classes(labels)
        self.values = model.link.has(labels, self.classes) if model.link.several else labels


def designed(classifier: "TextClassifier", texts: Iterable[Any]) -> tuple[Design, Any]:
    """Return the matrix of texts that a classifier would be fitted on, and its estimator with the groups set."""
    bag = classifier.bag_of_words()
    _check_parts(classifier)
    corpus = corpus_of(list(checked_documents(texts, bag.analyzer.kind, whole=True)))
    design = bag.fit(corpus.texts)
    return design, estimator_on(classifier, design, _SharedGroups(corpus, design, bag.analyzer).of(classifier.groups))


def default_estimator(groups: Any) -> Any:
    """Return the estimator that a text classifier takes if none is given: with groups, one that has them."""
    return ElasticNetClassifier() if groups is None else GroupLassoClassifier(group=0.01, l1=0.1)


class _SharedGroups:
    """Groups on one design; equal ones are built once."""

    def __init__(self, corpus: Corpus, design: Design, analyzer: Analyzer) -> None:
        self.corpus, self.design, self.analyzer = corpus, design, analyzer
        self.built: list[tuple[Any, Groups]] = []

    def of(self, given: Any) -> Groups | None:
        if given is None:
            return None
        for other, groups in self.built:
            if other is given or other == given:
                return groups
        groups = built_groups(given, self.corpus, self.design.vocabulary, self.analyzer)
        self.built.append((given, groups))
        return groups


def estimator_on(member: "TextClassifier", design: Design, groups: Groups | None) -> Any:
    """Return the unfitted estimator of a text classifier, its groups and edits in numbers of a design's columns."""
    estimator = default_estimator(groups) if member.estimator is None else clone(member.estimator)
    if member.edits:
        edits = spelled_out(member.edits, groups, design.vocabulary.words)
        estimator.set_params(edits=edits.numbered(design.vocabulary.index))
    return estimator if groups is None else estimator.set_params(groups=groups)


def _check_parts(member: "TextClassifier") -> None:
    check_groups(member.groups)
    takers = {"groups": "GroupLassoClassifier or GroupOMPClassifier", "edits": "an estimator of laconic"}
    for what, those in takers.items():
        known = member.estimator is None or what in member.estimator.get_params(deep=False)
        if getattr(member, what) is not None and not known:
            raise ValueError(
                f"The estimator {type(member.estimator).__name__} has no {what}, but {what} were given; use {those}, "
                "or leave out one of the two."
            )
    check_edits(member.edits)


def _fit_estimators(
    members: Sequence["TextModel"],
    unfitted: Sequence[Any],
    design: Design,
    target: np.ndarray,
    weight: Mapping[str, Any],
    start: Mapping[str, Any],
    design_seconds: float,
) -> None:
    """Fit the estimators of models in place, those of one class together; pursuits make no use of a start."""
    by_class: defaultdict[type, list[tuple[TextModel, Any]]] = defaultdict(list)
    for member, estimator in zip(members, unfitted, strict=True):
        by_class[type(estimator)].append((member, estimator))
    for pairs in by_class.values():
        began = time.perf_counter()
        estimators = [estimator for _, estimator in pairs]
        if len(pairs) > 1 and hasattr(estimators[0], "fit_grid"):
            settings = [estimator.get_params(deep=False) for estimator in estimators]
            estimators = estimators[0].fit_grid(design.X, target, settings, **weight)
        else:
            for estimator in estimators:
                estimator.fit(design.X, target, **weight, **({} if isinstance(estimator, Pursuer) else start))
        seconds = {"design": design_seconds, "fit": (time.perf_counter() - began) / len(pairs)}
        for (member, _), estimator in zip(pairs, estimators, strict=True):
            take_fitted(member, estimator, design, target, seconds)


def take_fitted(
    member: "TextModel", estimator: Any, design: Design, target: np.ndarray, seconds: dict[str, float]
) -> None:
    """Make a text model a fitted one by an estimator that was fitted to a design, and note what `check` needs."""
    take(member, estimator, design.vocabulary, seconds)
    if not member.link.several:
        member.reference_ = _reference(member, design, target)


def _reference(member: "TextModel", design: Design, labels: np.ndarray) -> dict[str, Any]:
    """Return what `laconic.models.monitor` will compare new texts with."""
    _, counts = np.unique(labels, return_counts=True)
    shares = {"shares": (counts / len(labels)).tolist()}
    if not hasattr(member, "n_words_"):
        return shares
    kept = np.any(np.atleast_2d(member.estimator_.coef_) != 0.0, axis=0)
    known = int(design.vocabulary.document_frequency[kept].sum())
    empty = float(np.mean(design.X @ kept.astype(np.float64) == 0.0))  # no cell is below zero
    return {**shares, "known": known / max(design.X.nnz, 1), "empty": empty}


def take(member: "TextModel", estimator: Any, vocabulary: Vocabulary, seconds: dict[str, float]) -> None:
    """Make a text model a fitted one: with this estimator, over these words."""
    member.estimator_ = estimator
    member.classes_ = estimator.classes_
    member.vocabulary_ = vocabulary
    member.n_vocabulary_ = len(vocabulary)
    member.calibration_ = member.link.calibration
    member.timings_ = seconds
    if hasattr(estimator, "coef_"):
        member.n_words_ = int(np.count_nonzero(np.any(np.atleast_2d(estimator.coef_) != 0.0, axis=0)))
