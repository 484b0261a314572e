"""`evaluate`: the scores of a fitted model on labelled documents, in one plain object.

With several labels every pair of a document and a label is a decision: ``micro_f1`` is F1 over all decisions together,
``macro_f1`` that of each label that occurs or is predicted, averaged, ``exact`` the share of documents whose labels are
all right, ``hamming`` the share of decisions that are wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.summaries.summary import Reliability
from laconic.evaluate.calibration import reliability
from laconic.evaluate.metrics.scores import (
    LABEL_METRICS,
    METRICS,
    as_labels,
    check_offers,
    check_same_kind,
    check_some_known,
    given_labels,
    label_score,
    outputs,
    score,
)
from laconic.evaluate.splits import documents


@dataclass(frozen=True)
class ClassScores:
    """Precision, recall and F1 of one class, and how many documents truly have it (``support``).

    Precision is 0 where the class was never predicted, recall where it never occurs.

    Examples
    --------
    >>> ClassScores("pos", precision=0.5, recall=1.0, f1=2 / 3, support=4).support
    4
    """

    label: str | int | float | bool
    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True)
class Evaluation:
    """The scores of a model on a set of documents; made by `evaluate`.

    Attributes
    ----------
    n_documents : int
    metrics : dict
        Metric → value, for every metric that can be computed.
    undefined : dict
        Metric → the reason why it cannot, e.g. a model without probabilities.
    per_class : tuple of ClassScores
        In the order of ``labels``.
    labels : tuple
        The model's classes and any other label that occurs, sorted.
    confusion : tuple of tuples of int
        ``confusion[i][j]``: documents of class ``labels[i]`` predicted as ``labels[j]``.
    unlabelled : int
        Documents without a predicted label (None): they count as errors and are not in the confusion matrix.
    reliability : Reliability or None
        For a model with probabilities: how well these match the true shares.

    Examples
    --------
    >>> scores = ClassScores("a", 1.0, 1.0, 1.0, 1)
    >>> Evaluation(1, {"accuracy": 1.0}, {}, (scores,), ("a",), ((1,),)).per_class[0].label
    'a'
    """

    n_documents: int
    metrics: dict[str, float]
    undefined: dict[str, str]
    per_class: tuple[ClassScores, ...]
    labels: tuple[Any, ...]
    confusion: tuple[tuple[int, ...], ...]
    unlabelled: int = 0
    reliability: Reliability | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain dicts and lists, ready for JSON."""
        return {
            "n_documents": self.n_documents,
            "metrics": dict(self.metrics),
            "undefined": dict(self.undefined),
            "per_class": [asdict(scores) for scores in self.per_class],
            "confusion": {"labels": list(self.labels), "matrix": [list(row) for row in self.confusion]},
            "unlabelled": self.unlabelled,
            "reliability": None if self.reliability is None else self.reliability.to_dict(),
        }


def evaluate(estimator: Any, X: Any, y: Any) -> Evaluation:
    """Score a fitted model on labelled documents.

    Parameters
    ----------
    estimator : fitted classifier
        Anything with ``classes_`` and ``predict``; ``predict_proba`` or ``decision_function`` add metrics.
    X : list of texts, Corpus, array or sparse matrix
        The test documents.
    y : sequence of labels
        True labels; those that the model does not know count as errors.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    >>> result = evaluate(model, [[0.0], [3.0]], ["b", "b"])
    >>> result.metrics["accuracy"], result.confusion
    (1.0, ((0, 0), (0, 2)))
    """
    from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

    if not (hasattr(estimator, "classes_") and hasattr(estimator, "predict")):
        raise TypeError(
            f"evaluate needs a fitted classifier, with classes_ and predict, got {type(estimator).__name__}; fit it "
            f"first."
        )
    rows, truth = documents(X, y)
    classes = as_labels(estimator.classes_, "classes_")
    check_same_kind(truth, classes, "the model")
    check_some_known(truth, classes)
    predicted, without = given_labels(estimator.predict(rows), np.concatenate([classes, truth]), "the predictions")
    metrics, undefined, proba = _metrics(estimator, rows, truth, predicted, without)
    labels = np.unique(np.concatenate([classes, truth]))
    table = precision_recall_fscore_support(truth, predicted, labels=labels, zero_division=0.0)
    per_class = tuple(
        ClassScores(label, float(p), float(r), float(f), int(n))
        for label, p, r, f, n in zip(labels.tolist(), *table, strict=True)
    )
    confusion = confusion_matrix(truth, predicted, labels=labels)
    return Evaluation(
        len(truth),
        metrics,
        undefined,
        per_class,
        tuple(labels.tolist()),
        tuple(map(tuple, confusion.tolist())),
        int(without.sum()),
        _reliability(estimator, truth, proba),
    )


def _reliability(estimator: Any, truth: np.ndarray, proba: np.ndarray | None) -> Reliability | None:
    """Return how reliable the probabilities are, over the documents whose label the model knows."""
    if proba is None or not hasattr(estimator, "predict_proba"):
        return None
    number = {label: k for k, label in enumerate(np.asarray(estimator.classes_).tolist())}
    codes = np.array([number.get(label, -1) for label in truth.tolist()])
    known = codes >= 0
    return reliability(np.asarray(proba)[known], codes[known])


def _metrics(
    estimator: Any, rows: Any, truth: np.ndarray, predicted: np.ndarray, without: np.ndarray
) -> tuple[dict[str, float], dict[str, str], np.ndarray | None]:
    """Return the metrics that can be computed, the reasons for the others, and the probabilities or margins."""
    given: dict[str, Any] = {"y_pred": predicted, "classes": estimator.classes_}
    metrics: dict[str, float] = {}
    undefined: dict[str, str] = {}
    for metric in METRICS:
        try:
            check_offers(estimator, metric)
        except TypeError as reason:
            undefined[metric] = str(reason)
            continue
        if (
            metric not in LABEL_METRICS and "proba" not in given
        ):  # once for all metrics: it costs a pass over the documents
            given["proba"] = outputs(estimator, metric, rows)["proba"]
        try:
            if metric in LABEL_METRICS and without.any():
                occur = np.unique(np.concatenate([truth, predicted[~without]]))
                metrics[metric] = label_score(metric, truth, predicted, labels=occur)
            else:
                metrics[metric] = score(metric, truth, **given)
        except ValueError as reason:
            undefined[metric] = str(reason)
    return metrics, undefined, given.get("proba")


@dataclass(frozen=True)
class LabelEvaluation:
    """The scores of a multi-label model on a set of documents; made by `evaluate_labels`."""

    n_documents: int
    metrics: dict[str, float]
    per_label: tuple[ClassScores, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def label_matrix(labels: Iterable[Any], classes: Sequence[Any]) -> NDArray[np.bool_]:
    """Return which document has which label, shape (n_documents, n_labels); an unknown label is an error."""
    number = {label: k for k, label in enumerate(classes)}
    rows = [own if isinstance(own, tuple | list | set | frozenset) else (own,) for own in labels]
    matrix = np.zeros((len(rows), len(number)), dtype=bool)
    for i, row in enumerate(rows):
        for label in row:
            if label not in number:
                known = ", ".join(map(repr, list(number)[:10]))
                raise ValueError(f"Document {i} (counting from 0) has the unknown label {label!r}; known are {known}.")
            matrix[i, number[label]] = True
    return matrix


def evaluate_labels(said: Iterable[Any], truth: Iterable[Any], classes: Sequence[Any]) -> LabelEvaluation:
    """Score a multi-label model by its predicted labels.

    Parameters
    ----------
    said, truth : iterables of lists of labels
        Predicted and true labels.
    classes : sequence
        All labels.

    Examples
    --------
    >>> scores = evaluate_labels([("art",), ("art", "law")], [("art",), ("law",)], ["art", "law"])
    >>> scores.metrics["exact"], round(scores.metrics["micro_f1"], 3)
    (0.5, 0.8)
    """
    given, true = label_matrix(said, classes), label_matrix(truth, classes)
    if len(given) != len(true) or not len(true):
        raise ValueError(f"There are {len(given)} predictions for {len(true)} documents; give one for each.")
    hits, n_given, n_true = (given & true).sum(axis=0), given.sum(axis=0), true.sum(axis=0)
    f1 = 2.0 * hits / np.maximum(n_given + n_true, 1)
    occur = n_given + n_true > 0
    total = n_given.sum() + n_true.sum()
    metrics = {
        "micro_f1": float(2.0 * hits.sum() / total) if total else 1.0,
        "macro_f1": float(f1[occur].mean()) if occur.any() else 1.0,
        "exact": float(np.mean((given == true).all(axis=1))),
        "hamming": float(np.mean(given != true)),
    }
    rows = zip(classes, hits / np.maximum(n_given, 1), hits / np.maximum(n_true, 1), f1, n_true, strict=True)
    per_label = tuple(ClassScores(label, float(p), float(r), float(f), int(n)) for label, p, r, f, n in rows)
    return LabelEvaluation(len(true), metrics, per_label)
