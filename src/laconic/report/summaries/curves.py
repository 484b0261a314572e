"""Precision against recall, thinned to what a plot can show."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.summaries.summary import Curves

POINTS = 100


def curves(labels: Sequence[Any], probabilities: NDArray[np.float64], classes: Sequence[Any]) -> Curves:
    """Return precision against recall of each class that occurs, from probabilities (n_documents, n_classes)."""
    from sklearn.metrics import precision_recall_curve

    truth = np.asarray(labels)
    points = {}
    for column, label in enumerate(classes):
        if not (truth == label).any():
            continue
        precision, recall, _ = precision_recall_curve(truth == label, probabilities[:, column])
        shown = np.unique(np.linspace(0, len(recall) - 1, POINTS).round().astype(int))
        points[str(label)] = tuple(zip(recall[shown].tolist(), precision[shown].tolist(), strict=True))
    return Curves(points)
