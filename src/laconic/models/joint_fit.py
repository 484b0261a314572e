"""Fit several text classifiers on the same texts, sharing what they can.

Classifiers with equal text parameters share one matrix, and those with equal groups the groups built on it. Those
whose estimators are of one class and offer ``fit_grid`` are then fitted by one call of it, which may start each
fit from its neighbour.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.models.checks import checked_documents, checked_labels
from laconic.models.grouping import built_groups, check_groups, corpus_of
from laconic.text import Analyzer, BagOfWords, Design

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier


def fit_together(
    classifiers: Sequence["TextClassifier"],
    texts: Iterable[Any],
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> None:
    """Fit all classifiers in place.

    Parameters
    ----------
    classifiers : sequence of TextClassifier
    texts : iterable of documents
    y : labels
    sample_weight : array, optional

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> models = [TextClassifier(cells=cells) for cells in ("binary", "count")]
    >>> fit_together(models, ["broken lamp", "kind thanks"], ["repair", "praise"])
    >>> [model.n_words_ for model in models]
    [4, 4]
    """
    sharing: defaultdict[BagOfWords, list[TextClassifier]] = defaultdict(list)
    for classifier in classifiers:  # all of them before any work: this refuses wrong parameters
        sharing[classifier.bag_of_words()].append(classifier)
        check_groups(classifier.groups)
        _check_takes_groups(classifier)
    if not sharing:
        return
    documents: Any = texts
    for kind in sorted({bag.analyzer.kind for bag in sharing}):
        documents = list(checked_documents(documents, kind, whole=True))
    if not documents:
        raise ValueError("There are no texts; a classifier needs at least one of each class.")
    labels = checked_labels(y, len(documents))
    corpus = corpus_of(documents)
    for bag, members in sharing.items():
        start = time.perf_counter()
        design = bag.fit(corpus.texts)
        groups = _SharedGroups(corpus, design, bag.analyzer)
        estimators = [_unfitted(member, groups) for member in members]
        _fit_estimators(members, estimators, design, labels, sample_weight, time.perf_counter() - start)


def default_estimator(groups: Any) -> Any:
    """Return the estimator that a text classifier takes if none is given: with groups, one that has them.

    Examples
    --------
    >>> type(default_estimator(None)).__name__
    'ElasticNetClassifier'
    """
    return ElasticNetClassifier() if groups is None else GroupLassoClassifier(group=0.01, l1=0.1)


class _SharedGroups:
    """Groups on one design; equal ones are built once."""

    def __init__(self, corpus: Corpus, design: Design, analyzer: Analyzer) -> None:
        self.corpus, self.design, self.analyzer = corpus, design, analyzer
        self.built: list[tuple[Any, Groups]] = []

    def of(self, given: Any) -> Groups:
        found = next((groups for other, groups in self.built if other is given or other == given), None)
        if found is None:
            found = built_groups(given, self.corpus, self.design.vocabulary, self.analyzer)
            self.built.append((given, found))
        return found


def _unfitted(member: "TextClassifier", groups: _SharedGroups) -> Any:
    estimator = default_estimator(member.groups) if member.estimator is None else clone(member.estimator)
    return estimator if member.groups is None else estimator.set_params(groups=groups.of(member.groups))


def _check_takes_groups(member: "TextClassifier") -> None:
    if member.groups is None or member.estimator is None or "groups" in member.estimator.get_params(deep=False):
        return
    raise ValueError(
        f"The estimator {type(member.estimator).__name__} has no groups, but groups were given; use "
        "GroupLassoClassifier or GroupOMPClassifier, or leave out one of the two."
    )


def _fit_estimators(
    members: Sequence["TextClassifier"],
    unfitted: Sequence[Any],
    design: Design,
    labels: np.ndarray,
    sample_weight: ArrayLike | None,
    design_seconds: float,
) -> None:
    weight = {} if sample_weight is None else {"sample_weight": sample_weight}
    by_class: defaultdict[type, list[tuple[TextClassifier, Any]]] = defaultdict(list)
    for member, estimator in zip(members, unfitted, strict=True):
        by_class[type(estimator)].append((member, estimator))
    for pairs in by_class.values():
        start = time.perf_counter()
        estimators = [estimator for _, estimator in pairs]
        if len(pairs) > 1 and hasattr(estimators[0], "fit_grid"):
            settings = [estimator.get_params(deep=False) for estimator in estimators]
            estimators = estimators[0].fit_grid(design.X, labels, settings, **weight)
        else:
            for estimator in estimators:
                estimator.fit(design.X, labels, **weight)
        seconds = {"design": design_seconds, "fit": (time.perf_counter() - start) / len(pairs)}
        for (member, _), estimator in zip(pairs, estimators, strict=True):
            _take(member, estimator, design, seconds)


def _take(member: "TextClassifier", estimator: Any, design: Design, seconds: dict[str, float]) -> None:
    member.estimator_ = estimator
    member.classes_ = estimator.classes_
    member.vocabulary_ = design.vocabulary
    member.n_vocabulary_ = len(design.vocabulary)
    member.timings_ = seconds
    if hasattr(estimator, "coef_"):
        member.n_words_ = int(np.count_nonzero(np.any(np.atleast_2d(estimator.coef_) != 0.0, axis=0)))
