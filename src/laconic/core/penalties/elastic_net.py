"""The elastic net λ₁‖w‖₁ + λ₂‖w‖₂² (Zou & Hastie 2005, without their rescaling) with lasso and ridge inside.

Everything is closed: prox = soft(v, step·λ₁)/(1 + 2·step·λ₂); Ω*(c) = Σ (|c_j| − λ₁)₊²/(4λ₂), or for λ₂ = 0 the
indicator of |c_j| ≤ λ₁; polar norm max |c_j|/λ₁.
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from laconic.core.penalties.base import Penalty, Sides, check_l1, check_level, check_sides, rows, soft


@dataclass(frozen=True, eq=False)
class ElasticNetPenalty(Penalty):
    """λ₁‖w‖₁ + λ₂‖w‖₂²; `l1` may hold one level per feature.

    Examples
    --------
    >>> penalty = ElasticNetPenalty(l1=1.0, l2=0.5)
    >>> penalty.value([3.0, -1.0])
    9.0
    >>> penalty.prox([3.0, -0.5], step=1.0).tolist()
    [1.0, 0.0]
    >>> penalty.dual([3.0, 0.5])
    DualPoint(scale=1.0, value=2.0)
    >>> penalty.lambda_max([3.0, -4.0])
    4.0
    """

    l1: float | NDArray[np.float64] = 0.0
    l2: float = 0.0
    sides: Sides | None = field(default=None, repr=False)

    has_prox: ClassVar[bool] = True
    separable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "l1", check_l1(self.l1, None))
        object.__setattr__(self, "l2", check_level("l2", self.l2))
        object.__setattr__(self, "sides", check_sides(self.sides, self._n_features))

    def restrict(self, features: NDArray[np.intp]) -> "ElasticNetPenalty":
        """Return the same penalty on a subset of the features."""
        if self._n_features is None and self.sides is None:
            return self
        l1 = self.l1[features] if isinstance(self.l1, np.ndarray) else self.l1
        return replace(self, l1=l1, sides=None if self.sides is None else self.sides[features])

    def outside(self, c: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say which features of c ≥ 0 exceed λ₁."""
        above = (c > rows(self.l1, c)).reshape(len(c), -1)
        return above[:, 0] if above.shape[1] == 1 else np.any(above, axis=1)

    @property
    def _n_features(self) -> int | None:
        return len(self.l1) if isinstance(self.l1, np.ndarray) else None

    def _norm(self, w: NDArray[np.float64]) -> float:
        return float(np.sum(rows(self.l1, w) * np.abs(w)))

    def _shrunk(self, v: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
        return soft(v, factor * self.l1)

    def _reached(self) -> NDArray[np.bool_] | bool:
        return self.l1 > 0

    def _polar(self, c: NDArray[np.float64], at_least: float, near: NDArray[np.float64] | None) -> float:
        # With one level for all features one pass over c is enough.
        if isinstance(self.l1, np.ndarray) or self.l1 == 0.0:
            return super()._polar(c, at_least, near)
        return float(np.abs(c).max(initial=0.0)) / self.l1

    def _climb(self, c: NDArray[np.float64], polar: float) -> float:
        level = np.broadcast_to(rows(self.l1, c), c.shape)
        nonzero = c != 0
        return float(np.max(np.abs(c[nonzero]) / level[nonzero]))
