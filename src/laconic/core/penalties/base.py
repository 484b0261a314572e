"""What all penalties share: Ω(w) = λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂, its prox, its conjugate and its polar norm.

Write Ω = Ψ + λ₂‖·‖², where Ψ holds the parts that are norms. Then a penalty needs to know only the prox of Ψ:

* prox of step·Ω at v is prox_{step·Ψ}(v) / (1 + 2·step·λ₂), because Ψ is positively homogeneous;
* Ψ* is the indicator of a convex set K, so for λ₂ > 0, Ω*(c) = dist(c, K)²/(4λ₂), and dist(c, K) = ‖prox_Ψ(c)‖
  (Moreau); for λ₂ = 0, Ω*(c) is 0 on K and infinite outside;
* the polar norm sup_z c·z/Ψ(z), the smallest μ with c ∈ μK, is the limit of μ ← c·p/Ψ(p) with p = prox_{μΨ}(c):
  Newton's method on the convex, falling function μ ↦ dist(c, μK) (Dinkelbach 1967), which climbs to it from below.

A sign that a user asks for, and a ban, are constraints w_j ≥ 0, w_j ≤ 0 and w_j = 0 (``sides``). All penalties here
depend on |w| alone and grow with it, so constraints change neither a prox nor a conjugate but their argument: what
pulls towards a forbidden side is cut off first, prox_{Ω+I}(v) = prox_Ω(cut v) and (Ω + I)*(c) = Ω*(cut c). (At the
minimum over the whole space w_j has the sign of v_j or is zero, so with the cut argument it satisfies the constraint by
itself; and a pull towards the forbidden side is best answered by w_j = 0.) In the dual |x_jᵀα| ≤ λ becomes x_jᵀα ≤ λ,
or no condition at all.
"""

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

_EPSILON = float(np.finfo(np.float64).eps)
BOTH, UP, DOWN, NEITHER = 0, 1, -1, 2

Sides = NDArray[np.int8]


class DualPoint(NamedTuple):
    """How far a dual point may be taken, and what it costs there.

    Attributes
    ----------
    scale : float
        t in [0, 1]: Ω*(t·c) is finite. 0 means that there is no certificate: some c_j ≠ 0 is not penalised at all.
    value : float
        Ω*(t·c), or an upper bound on it where Ω* has no closed form.

    Examples
    --------
    >>> DualPoint(scale=0.5, value=0.0).scale
    0.5
    """

    scale: float
    value: float


class Penalty(ABC):
    """A convex penalty Ω on weights of shape (n_features,) or (n_features, n_outputs).

    With several outputs a group takes the Frobenius norm of its rows and l1 counts every entry. ``sides`` says which
    weights may only be positive, negative or zero (`laconic.core.penalties.base`); `prox`, `dual` and `lambda_max`
    obey it.
    """

    has_prox: ClassVar[bool]
    """Whether the prox has a closed form; without one, `prox` iterates and costs much more."""
    separable: ClassVar[bool]
    """Whether Ω is a sum over single weights."""

    l1: float | NDArray[np.float64]
    l2: float
    sides: Sides | None = None

    def value(self, w: ArrayLike) -> float:
        """Return Ω(w)."""
        w = self._checked(w, "w")
        return self._norm(w) + self.l2 * float(np.vdot(w, w))

    def prox(self, v: ArrayLike, step: float) -> NDArray[np.float64]:
        """Return the w that minimises ½‖w − v‖² + step·Ω(w)."""
        v = self._checked(v, "v")
        if not (math.isfinite(step) and step >= 0):
            raise ValueError(f"step is {step}; it must be a finite number, 0 or larger.")
        return self._shrunk(cut(v, self.sides), float(step)) / (1.0 + 2.0 * step * self.l2)

    def dual(self, c: ArrayLike, near: ArrayLike | None = None) -> DualPoint:
        """Return the largest scale t ≤ 1 found with Ω*(t·c) finite, and Ω*(t·c); t is 1 when λ₂ > 0.

        Parameters
        ----------
        c : array
            The point, Xᵀα for a linear model.
        near : array, optional
            The weights at which c was computed. Where Ω* has no closed form they are a good start; others ignore them.
        """
        c = cut(self._checked(c, "c"), self.sides)
        if near is not None:
            near = self._checked(near, "near")
            if near.shape != c.shape:
                raise ValueError(f"near has shape {near.shape} and c has shape {c.shape}; they must be the same.")
        if self.l2 > 0:
            return DualPoint(1.0, self._squared_distance(c, near) / (4.0 * self.l2))
        polar = self._polar(c, 1.0, near)
        # One unit in the last place is given away so that rounding never leaves K.
        return DualPoint(1.0 if polar <= 1.0 else (1.0 - _EPSILON) / polar, 0.0)

    def outside(self, c: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say which features of c ≥ 0 take part in leaving the dual set K: those that the prox of Ψ leaves nonzero.

        For penalties with a closed prox: it grows with c, so what is inside for a bound on its size is inside for c.
        """
        return np.asarray(np.any(self._shrunk(c, 1.0).reshape(len(c), -1), axis=1))

    def lambda_max(self, c: ArrayLike) -> float:
        """Return the smallest factor on λ₁ and λ_g with which w = 0 is optimal, when c = −∇loss(0).

        It is infinite when some c_j ≠ 0 is reached neither by λ₁ nor by a group.
        """
        return self._polar(cut(self._checked(c, "c"), self.sides), 0.0, None)

    @property
    @abstractmethod
    def _n_features(self) -> int | None:
        """How many features w must have; None when any number will do."""

    @abstractmethod
    def _norm(self, w: NDArray[np.float64]) -> float:
        """Return Ψ(w)."""

    @abstractmethod
    def _shrunk(self, v: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
        """Return the prox of factor·Ψ at v, a new array."""

    @abstractmethod
    def _reached(self) -> NDArray[np.bool_] | bool:
        """Say which features Ψ penalises."""

    def _squared_distance(self, c: NDArray[np.float64], near: NDArray[np.float64] | None) -> float:
        """Return dist(c, K)², or an upper bound."""
        remainder = self._shrunk(c, 1.0)
        return float(np.vdot(remainder, remainder))

    def _polar(self, c: NDArray[np.float64], at_least: float, near: NDArray[np.float64] | None) -> float:
        """Return the polar norm of c, rounded up; anything not above `at_least` when it is not above that."""
        if not c.any():
            return 0.0
        if c[~np.broadcast_to(self._reached(), len(c))].any():
            return math.inf
        if at_least > 0 and not self._shrunk(c, at_least).any():
            return at_least
        size = float(np.abs(c).max())
        return size * self._climb(c / size, at_least / size)

    def _climb(self, c: NDArray[np.float64], polar: float) -> float:
        """Return the polar norm of c, from a number below it up."""
        rest = self._shrunk(c, polar)
        while rest.any():
            higher = float(np.vdot(c, rest)) / self._norm(rest)
            if higher <= polar * (1 + 2 * _EPSILON):
                break
            polar = higher
            rest = self._shrunk(c, polar)
        # Rounding may leave a trace of c at the limit itself: go up until nothing is left.
        excess = _EPSILON
        while rest.any():
            polar *= 1.0 + excess
            excess *= 2.0
            rest = self._shrunk(c, polar)
        return polar

    def _checked(self, w: ArrayLike, name: str) -> NDArray[np.float64]:
        w = np.asarray(w, dtype=np.float64)
        n = self._n_features
        if w.ndim not in (1, 2) or (n is not None and len(w) != n):
            wanted = "n_features" if n is None else n
            raise ValueError(f"{name} has shape {w.shape}; this penalty needs ({wanted},) or ({wanted}, n_outputs).")
        if not np.isfinite(w).all():
            raise ValueError(f"{name} holds NaN or an infinite number; all its entries must be finite.")
        return w


def check_level(name: str, value: Any) -> float:
    """Return a λ as a float, finite and not negative."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise TypeError(f"{name} is {value!r}; it must be a number, 0 or larger.")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} is {value}; it must be a finite number, 0 or larger.")
    return float(value)


def check_l1(value: Any, n_features: int | None) -> float | NDArray[np.float64]:
    """Return λ₁ as a float, or as a read-only array with one level per feature."""
    if np.ndim(value) == 0:
        return check_level("l1", value)
    levels = np.array(value, dtype=np.float64)
    if levels.ndim != 1 or (n_features is not None and len(levels) != n_features):
        wanted = "(n_features,)" if n_features is None else f"({n_features},)"
        raise ValueError(f"l1 has shape {levels.shape}; it must be one number or an array of shape {wanted}.")
    bad = np.flatnonzero(~(np.isfinite(levels) & (levels >= 0)))
    if bad.size:
        raise ValueError(f"l1[{bad[0]}] is {levels[bad[0]]}; every level must be a finite number, 0 or larger.")
    levels.flags.writeable = False
    return levels


def soft(v: NDArray[np.float64], level: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sign(v)·max(|v| − level, 0), with one level per row where `level` is an array."""
    level = rows(level, v)
    return np.where(np.abs(v) > level, v - np.copysign(level, v), 0.0)


def rows(level: float | NDArray[np.float64], w: NDArray[np.float64]) -> float | NDArray[np.float64]:
    """Return `level` so that numpy applies it to the rows of `w`."""
    return level[:, None] if isinstance(level, np.ndarray) and w.ndim == 2 else level


def check_sides(sides: ArrayLike | None, n_features: int | None) -> Sides | None:
    """Return sides as a read-only array with one row per feature; None where no weight is constrained."""
    if sides is None:
        return None
    checked = np.array(sides, dtype=np.int8)
    if checked.ndim not in (1, 2) or (n_features is not None and len(checked) != n_features):
        wanted = "n_features" if n_features is None else n_features
        raise ValueError(f"sides has shape {checked.shape}; it must be ({wanted},) or ({wanted}, n_outputs).")
    if not np.isin(checked, (BOTH, UP, DOWN, NEITHER)).all():
        raise ValueError("sides may hold 0 (both), 1 (not below zero), -1 (not above zero) and 2 (zero) only.")
    if not checked.any():
        return None
    checked.flags.writeable = False
    return checked


def cut(c: NDArray[np.float64], sides: Sides | None) -> NDArray[np.float64]:
    """Return c without what points to a forbidden side; a new array where there is one."""
    if sides is None or not sides.any():
        return c
    if c.ndim == 2 and sides.ndim == 1:
        sides = sides[:, None]
    elif c.ndim == 1 and sides.ndim == 2:
        sides = sides[:, 0]
    return np.where((sides == BOTH) | (c * sides > 0.0) & (sides != NEITHER), c, 0.0)


def sides_of(sides: Sides | None, n_features: int, n_outputs: int) -> Sides:
    """Return the sides of all weights of a penalty, shape (n_features, n_outputs)."""
    if sides is None:
        return np.zeros((n_features, n_outputs), dtype=np.int8)
    sides = sides if sides.ndim == 2 else sides[:, None]
    return np.ascontiguousarray(np.broadcast_to(sides, (n_features, n_outputs)))
