r"""Fit a `laconic.core.calibration.Calibration` to the margins of documents that the model has not seen.

The sigmoid is the maximum likelihood of softmax(a·f + c), a ≥ 0, with Platt's targets: with N_k documents of class k of
K, such a document counts as (N_k + 1)/(N_k + K) of its class and 1/(N_k + K) of every other, so that the answer is
finite on separable documents too. The isotonic curve is the increasing one of least squares, its probabilities kept
between 1/(n + 2) and 1 − 1/(n + 2) for n documents: none of them proves that an event is impossible.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.calibration import Calibration, Curve, log_odds

Array = NDArray[np.float64]


def fit_calibration(kind: str, margins: Array, codes: NDArray[np.intp], n_classes: int) -> Calibration:
    """Fit how margins become probabilities.

    Parameters
    ----------
    kind : {"sigmoid", "isotonic", "none"}
    margins : array of shape (n,) for two classes, else (n, n_classes)
    codes : array of int
        The number of each document's class.
    n_classes : int

    Returns
    -------
    Calibration

    Examples
    --------
    >>> margins, codes = np.array([-9.0, -8.0, 8.0, 9.0] * 50), np.array([0, 1, 0, 1] * 50)
    >>> found = fit_calibration("sigmoid", margins, codes, 2)
    >>> found.probabilities(np.array([9.0])).round(2)
    array([[0.47, 0.53]])
    """
    F = margins[:, None] if margins.ndim == 1 else margins
    if kind == "sigmoid":
        scale, shift = _sigmoid(F, codes, n_classes)
        return Calibration("sigmoid", scale, shift)
    if kind == "isotonic":
        Z = log_odds(F)
        own = (1,) if F.shape[1] == 1 else range(n_classes)
        return Calibration("isotonic", curves=tuple(_curve(Z[:, i], codes == k) for i, k in enumerate(own)))
    return Calibration(kind)


def fit_calibration_of_several(kind: str, margins: Array, has: NDArray[np.bool_]) -> Calibration:
    """Fit one calibration per label where documents have several: margins and labels of shape (n, n_labels).

    Examples
    --------
    >>> margins = np.array([[-1.0, 2.0], [1.0, 2.0]] * 20)
    >>> fit_calibration_of_several("sigmoid", margins, margins > 0).probabilities(margins).shape
    (40, 2)
    """
    if kind == "sigmoid":
        fits = [_sigmoid(margins[:, [k]], has[:, k].astype(np.intp), 2) for k in range(margins.shape[1])]
        scale, shift = (tuple(one[part][0] for one in fits) for part in (0, 1))
        return Calibration("sigmoid", scale, shift, several=True)
    if kind == "isotonic":
        curves = tuple(_curve(margins[:, k], has[:, k]) for k in range(margins.shape[1]))
        return Calibration("isotonic", curves=curves, several=True)
    return Calibration(kind, several=True)


def _sigmoid(F: Array, codes: NDArray[np.intp], n_classes: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    from scipy.optimize import minimize
    from scipy.special import log_softmax

    counts = np.bincount(codes, minlength=n_classes)
    table = (np.ones((n_classes, n_classes)) + np.diag(counts)) / (counts + n_classes)[:, None]
    T = table[codes]
    Z = np.column_stack([np.zeros(len(F)), F]) if F.shape[1] == 1 else F
    # On one scale, so that the search takes steps of one size in the slope and in the shifts.
    unit = float(np.std(Z - Z.mean(axis=1, keepdims=True)))
    varies = unit > 0.0 and np.ptp(F, axis=0).max() > 0.0
    Z = Z / unit if varies else np.zeros_like(Z)

    def loss(parameters: Array) -> tuple[float, Array]:
        log_q = log_softmax(parameters[0] * Z + np.append(0.0, parameters[1:]), axis=1)
        rest = np.exp(log_q) - T
        return -float(np.sum(T * log_q)) / len(Z), np.append(np.sum(rest * Z), rest[:, 1:].sum(axis=0)) / len(Z)

    start = np.zeros(n_classes)
    start[0] = unit if varies else 0.0
    bounds: Any = [(0.0, None), *[(None, None)] * (n_classes - 1)]
    options = {"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    slope, shifts = float(found[0]) / (unit if varies else 1.0), found[1:]
    if F.shape[1] == 1:
        return (slope,), (float(shifts[0]),)
    every = np.append(0.0, shifts)
    return (slope,) * n_classes, tuple((every - every.mean()).tolist())


def _curve(z: Array, positive: NDArray[np.bool_]) -> Curve:
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression().fit(z, positive.astype(np.float64))
    least = 1.0 / (len(z) + 2)
    q = np.clip(fitted.y_thresholds_, least, 1.0 - least)
    return tuple(fitted.X_thresholds_.tolist()), tuple(np.maximum.accumulate(q).tolist())
