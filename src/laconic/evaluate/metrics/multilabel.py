"""Multi-label scores: every pair of a document and a label is a decision of its own.

``micro_f1`` is F1 over all decisions together, ``macro_f1`` that of each label that occurs or is predicted, averaged,
``exact`` the share of documents whose labels are all right, ``hamming`` the share of decisions that are wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.evaluate.metrics.evaluation import ClassScores


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
