"""The standard error of a score on a dev set.

Accuracy is a share p of n documents: √(p(1 − p)/n). For other metrics it is the standard deviation over bootstrap
samples of the documents (Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 6, which finds 50 to
200 samples enough for a standard error). Samples are drawn within each class, so that every metric stays defined.
"""

from typing import Any

import numpy as np

from laconic.evaluate.metrics.scores import LABEL_METRICS, as_labels, class_codes, label_score, probability_score, score

N_SAMPLES = 100


def standard_error(metric: str, y_true: np.ndarray, outputs: dict[str, Any], seed: int) -> float:
    """Return the standard error of a metric on one set of documents; ``outputs`` are the other arguments of `score`."""
    if metric == "accuracy":
        share = score(metric, y_true, **outputs)
        return float(np.sqrt(share * (1.0 - share) / len(y_true)))
    rng = np.random.default_rng(seed)
    if metric in LABEL_METRICS:
        values = _from_confusion(metric, y_true, as_labels(outputs["y_pred"], "y_pred"), rng)
    else:
        values = _from_documents(metric, y_true, outputs, rng)
    return float(np.std(values, ddof=1))


def _from_confusion(metric: str, y_true: np.ndarray, y_pred: np.ndarray, rng: np.random.Generator) -> list[float]:
    """Draw rows of the confusion matrix, which such a metric depends on: the same as drawing documents, but fast."""
    from sklearn.metrics import confusion_matrix

    confusion = confusion_matrix(y_true, y_pred)
    truth, predicted = np.indices(confusion.shape)
    sizes = confusion.sum(axis=1)
    shares = confusion / np.maximum(sizes, 1)[:, None]
    shares[sizes == 0, 0] = 1.0  # a class that is only predicted: nothing is drawn, but shares must sum to 1
    draws = rng.multinomial(sizes, shares, size=(N_SAMPLES, len(sizes)))
    return [
        label_score(metric, truth[drawn > 0], predicted[drawn > 0], sample_weight=drawn[drawn > 0].astype(np.float64))
        for drawn in draws
    ]


def _from_documents(metric: str, y_true: np.ndarray, outputs: dict[str, Any], rng: np.random.Generator) -> list[float]:
    proba, classes = np.asarray(outputs["proba"], dtype=np.float64), as_labels(outputs["classes"], "classes")
    codes = class_codes(metric, y_true, classes)
    members = [np.flatnonzero(codes == k) for k in np.unique(codes)]
    values = []
    for _ in range(N_SAMPLES):
        drawn = np.concatenate([rng.choice(indices, size=len(indices)) for indices in members])
        values.append(probability_score(metric, codes[drawn], proba[drawn], classes))
    return values
