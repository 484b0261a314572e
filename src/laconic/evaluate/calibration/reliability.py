r"""`reliability`: how well predicted probabilities match what is true.

Documents are cut into ten bins of equal counts by their probability; the calibration error is
:math:`\sum_b \tfrac{n_b}{n} |\text{share}_b - \text{mean}_b|`, the mean distance between the probability of a bin and
the share that is true in it. The probability is that of the second of two classes, else that of the most likely class.
The terminal and the page both show these bins.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from laconic.core.summaries.summary import Bin, Reliability

BINS = 10


def reliability(
    Q: NDArray[np.float64], codes: NDArray[np.intp], bins: int = BINS, weight: NDArray | None = None
) -> Reliability:
    """Compare predicted probabilities with the true classes.

    Parameters
    ----------
    Q : array of shape (n, n_classes)
        Probabilities.
    codes : array of int
        The number of each document's class.
    bins : int
    weight : array of shape (n,), optional
        How much each document counts.

    Examples
    --------
    >>> sure = reliability(np.array([[0.1, 0.9]] * 10), np.array([1] * 9 + [0]))
    >>> round(sure.error, 3), round(sure.brier, 3), sure.bins[0].documents
    (0.0, 0.09, 10)
    """
    w = np.ones(len(Q)) if weight is None else weight
    own = Q[np.arange(len(Q)), codes]
    brier = 0.5 * (np.sum(Q * Q, axis=1) - 2.0 * own + 1.0)
    losses = -np.log(np.maximum(own, np.finfo(float).tiny))
    if Q.shape[1] == 2:
        predicted, true = Q[:, 1], codes == 1
    else:
        predicted, true = Q.max(axis=1), Q.argmax(axis=1) == codes
    rows, error = binned(predicted, true, bins, w)
    return Reliability(error, float(np.average(brier, weights=w)), float(np.average(losses, weights=w)), rows)


def binned(
    predicted: NDArray[np.float64], true: NDArray[np.bool_], bins: int = BINS, weight: NDArray | None = None
) -> tuple[tuple[Bin, ...], float]:
    """Return bins of equal counts (equal probabilities stay together) and the calibration error over them."""
    w = np.ones(len(predicted)) if weight is None else weight
    order = np.argsort(predicted, kind="stable")
    p, y, w = predicted[order], true[order].astype(np.float64), w[order]
    edges = np.unique(np.searchsorted(p, p[(np.arange(1, bins) * len(p)) // bins], side="left"))
    cuts = [0, *(edge for edge in edges.tolist() if edge > 0), len(p)]
    rows, error = [], 0.0
    for a, b in pairwise(cuts):
        mean, share = np.average(p[a:b], weights=w[a:b]), np.average(y[a:b], weights=w[a:b])
        rows.append(Bin(float(mean), float(share), b - a))
        error += float(w[a:b].sum() / w.sum() * abs(mean - share))
    return tuple(rows), error
