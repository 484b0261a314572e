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
from laconic.linear.edit_constraints import check_edits, check_signs, spelled_out
from laconic.linear.pursuit_base import Pursuer
from laconic.models.edit.warm_start import matched_start, older_model
from laconic.models.group_argument import built_groups, check_groups, corpus_of
from laconic.models.inputs import checked_documents, checked_labels
from laconic.text import Analyzer, BagOfWords, CountedTexts, Design, Vocabulary

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier


def fit_together(
    classifiers: Sequence["TextClassifier"],
    texts: Iterable[Any],
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    start: Any = None,
) -> None:
    """Fit all classifiers in place.

    Parameters
    ----------
    classifiers : sequence of TextClassifier
    texts : iterable of documents
    y : labels
    sample_weight : array, optional
    start : fitted TextClassifier or Scorer, optional
        An older model to start from; see `TextClassifier.fit`.

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
        _check_parts(classifier)
    if not sharing:
        return
    counted = texts if isinstance(texts, CountedTexts) else None
    documents: Any = texts
    for kind in sorted({bag.analyzer.kind for bag in sharing}):
        documents = list(checked_documents(documents, kind, whole=True))
    if not documents:
        raise ValueError("There are no texts; a classifier needs at least one of each class.")
    labels = checked_labels(y, len(documents))
    for classifier in classifiers:
        check_signs(classifier.edits, np.unique(labels).tolist())
    older = None if start is None else older_model(start)
    corpus = corpus_of(documents)
    for bag, members in sharing.items():
        began = time.perf_counter()
        design = bag.fit(corpus.texts if counted is None or counted.analyzer != bag.analyzer else counted)
        groups = _SharedGroups(corpus, design, bag.analyzer)
        estimators = [estimator_on(member, design, groups.of(member.groups)) for member in members]
        given: dict[str, Any] = {} if sample_weight is None else {"sample_weight": sample_weight}
        if older is not None:
            given["start"] = matched_start(older, design.vocabulary, np.unique(labels))
        _fit_estimators(members, estimators, design, labels, given, time.perf_counter() - began)


def fit_on_design(
    classifier: "TextClassifier", design: Design, labels: np.ndarray, groups: Groups | None, start: Any = None
) -> None:
    """Fit one classifier in place on a matrix that was made before.

    Parameters
    ----------
    classifier : TextClassifier
    design : Design
        Of its own text parameters.
    labels : ndarray
    groups : Groups, optional
        Over the words of the design.
    start : fitted TextClassifier or Scorer, optional

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier()
    >>> fit_on_design(model, model.bag_of_words().fit(["broken lamp", "kind thanks"]), np.array(["a", "b"]), None)
    >>> model.n_words_
    4
    """
    began = time.perf_counter()
    check_signs(classifier.edits, np.unique(labels).tolist())
    estimator = estimator_on(classifier, design, groups)
    given: dict[str, Any] = {}
    if start is not None:
        given["start"] = matched_start(older_model(start), design.vocabulary, np.unique(labels))
    _fit_estimators([classifier], [estimator], design, labels, given, time.perf_counter() - began)


def designed(classifier: "TextClassifier", texts: Iterable[Any]) -> tuple[Design, Any]:
    """Return the matrix of texts that a classifier would be fitted on, and its estimator with the groups set.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> designed(TextClassifier(), ["broken lamp", "kind thanks"])[0].X.shape
    (2, 4)
    """
    bag = classifier.bag_of_words()
    _check_parts(classifier)
    corpus = corpus_of(list(checked_documents(texts, bag.analyzer.kind, whole=True)))
    design = bag.fit(corpus.texts)
    return design, estimator_on(classifier, design, _SharedGroups(corpus, design, bag.analyzer).of(classifier.groups))


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

    def of(self, given: Any) -> Groups | None:
        if given is None:
            return None
        found = next((groups for other, groups in self.built if other is given or other == given), None)
        if found is None:
            found = built_groups(given, self.corpus, self.design.vocabulary, self.analyzer)
            self.built.append((given, found))
        return found


def estimator_on(member: "TextClassifier", design: Design, groups: Groups | None) -> Any:
    """Return the unfitted estimator of a text classifier, with its groups and edits in numbers of a design's columns.

    Examples
    --------
    >>> from laconic.core.edits import Edits
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier(edits=Edits(ban=["lamp"]))
    >>> estimator_on(model, model.bag_of_words().fit(["broken lamp"]), None).edits.ban
    (1,)
    """
    estimator = default_estimator(groups) if member.estimator is None else clone(member.estimator)
    if member.edits:
        edits = spelled_out(member.edits, groups, design.vocabulary.words)
        estimator.set_params(edits=edits.numbered(design.vocabulary.index))
    return estimator if groups is None else estimator.set_params(groups=groups)


def _check_parts(member: "TextClassifier") -> None:
    check_groups(member.groups)
    _check_takes(member, "groups")
    _check_takes(member, "edits")
    check_edits(member.edits)


def _check_takes(member: "TextClassifier", what: str) -> None:
    given = getattr(member, what)
    if given is None or member.estimator is None or what in member.estimator.get_params(deep=False):
        return
    those = "GroupLassoClassifier or GroupOMPClassifier" if what == "groups" else "an estimator of laconic"
    raise ValueError(
        f"The estimator {type(member.estimator).__name__} has no {what}, but {what} were given; use {those}, or leave "
        "out one of the two."
    )


def _fit_estimators(
    members: Sequence["TextClassifier"],
    unfitted: Sequence[Any],
    design: Design,
    labels: np.ndarray,
    given: dict[str, Any],
    design_seconds: float,
) -> None:
    weight = {name: value for name, value in given.items() if name != "start"}
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
                takes_start = "start" in given and not isinstance(estimator, Pursuer)
                estimator.fit(design.X, labels, **(given if takes_start else weight))
        seconds = {"design": design_seconds, "fit": (time.perf_counter() - start) / len(pairs)}
        for (member, _), estimator in zip(pairs, estimators, strict=True):
            take(member, estimator, design.vocabulary, seconds)
            _refer(member, design, labels)


def _refer(member: "TextClassifier", design: Design, labels: np.ndarray) -> None:
    """Note what `laconic.models.monitor` will compare new texts with."""
    _, counts = np.unique(labels, return_counts=True)
    reference: dict[str, Any] = {"shares": (counts / len(labels)).tolist()}
    if hasattr(member, "n_words_"):
        kept = np.any(np.atleast_2d(member.estimator_.coef_) != 0.0, axis=0)
        known = int(design.vocabulary.document_frequency[kept].sum())
        empty = float(np.mean(design.X @ kept.astype(np.float64) == 0.0))  # no cell is below zero
        reference |= {"known": known / max(design.X.nnz, 1), "empty": empty}
    member.reference_ = reference


def take(member: "TextClassifier", estimator: Any, vocabulary: Vocabulary, seconds: dict[str, float]) -> None:
    """Make a text classifier a fitted one: with this estimator, over these words."""
    member.estimator_ = estimator
    member.classes_ = estimator.classes_
    member.vocabulary_ = vocabulary
    member.n_vocabulary_ = len(vocabulary)
    member.calibration_ = None
    member.timings_ = seconds
    if hasattr(estimator, "coef_"):
        member.n_words_ = int(np.count_nonzero(np.any(np.atleast_2d(estimator.coef_) != 0.0, axis=0)))
