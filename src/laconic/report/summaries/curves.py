"""Precision against recall, and probability against truth, thinned to what a plot can show."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.summaries.summary import Curves

POINTS, BINS = 100, 10


def curves(labels: Sequence[Any], probabilities: NDArray[np.float64], classes: Sequence[Any]) -> Curves:
    """Return the curves of a model on labelled documents.

    Parameters
    ----------
    labels : sequence
        The true ones.
    probabilities : array of shape (n_documents, n_classes)
    classes : sequence
        In the order of the columns.

    Examples
    --------
    >>> found = curves(["a", "b"], np.array([[0.9, 0.1], [0.4, 0.6]]), ["a", "b"])
    >>> found.reliability
    ((0.6, 1.0, 1), (0.9, 1.0, 1))
    """
    from sklearn.metrics import precision_recall_curve

    truth = np.asarray(labels)
    found = {}
    for column, label in enumerate(classes):
        if not (truth == label).any():
            continue
        precision, recall, _ = precision_recall_curve(truth == label, probabilities[:, column])
        shown = np.unique(np.linspace(0, len(recall) - 1, POINTS).round().astype(int))
        found[str(label)] = tuple(zip(recall[shown].tolist(), precision[shown].tolist(), strict=True))
    best = probabilities.argmax(axis=1)
    share, right = probabilities.max(axis=1), np.asarray(classes)[best] == truth
    bins = np.minimum((share * BINS).astype(int), BINS - 1)
    reliability = tuple(
        (float(share[bins == one].mean()), float(right[bins == one].mean()), int((bins == one).sum()))
        for one in np.unique(bins)
    )
    return Curves(found, reliability)
