r"""Fit a `laconic.core.calibration.Calibration` to the margins of held-out documents.

The sigmoid is the maximum likelihood of softmax(a·f + c), a ≥ 0, with Platt's targets: with N_k documents of class k of
K, such a document counts as (N_k + 1)/(N_k + K) of its class and 1/(N_k + K) of every other, so that the solution is
finite on separable documents too. The isotonic curve is the increasing one of least squares, its probabilities kept
between 1/(n + 2) and 1 − 1/(n + 2), because n documents cannot prove that an event is impossible.
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

    Examples
    --------
    >>> margins, codes = np.array([-9.0, -8.0, 8.0, 9.0] * 50), np.array([0, 1, 0, 1] * 50)
    >>> fit_calibration("sigmoid", margins, codes, 2).probabilities(np.array([9.0])).round(2)
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
    """Fit one calibration per label of a multi-label model: margins and labels of shape (n, n_labels)."""
    if kind == "sigmoid":
        fits = [_sigmoid(margins[:, [k]], has[:, k].astype(np.intp), 2) for k in range(margins.shape[1])]
        scale, shift = (tuple(fit[part][0] for fit in fits) for part in (0, 1))
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
    # Margins on one scale, so that steps in the slope and in the shifts are of one size.
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
    solution = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    slope, shifts = float(solution[0]) / (unit if varies else 1.0), solution[1:]
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
