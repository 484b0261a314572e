"""Logistic regression with λ₁ and norms of overlapping groups: values in plain numpy, without laconic."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def value(X, y: Array, indptr: Array, indices: Array, radii: Array, l1: float, w: Array, b: float) -> float:
    """Return Σ log(1 + exp(−y f)) + λ₁‖w‖₁ + Σ_g radii_g‖w_g‖ for labels −1 and 1."""
    norms = np.sqrt(np.add.reduceat(w[indices] ** 2, indptr[:-1]))
    return float(np.logaddexp(0.0, -y * (X @ w + b)).sum() + l1 * np.abs(w).sum() + radii @ norms)
