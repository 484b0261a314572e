"""Groups that overlap in any way. There is no closed prox; what follows is iterative, and certified.

The prox of Ψ(w) = λ₁‖w‖₁ + Σ_g ρ_g‖w_g‖ (ρ_g = λ_g d_g) is soft thresholding followed by the prox of the group part
(Yuan, Liu & Ye 2011, theorem 1), which is found in three steps:

1. Elimination (the same paper): a group with ‖v_g‖ ≤ ρ_g is zero. Its features leave, which may free further groups.
2. What is left is restricted to the remaining features, where many groups have become equal or single features.
3. Block ascent on the dual, min ½‖v − Σ_g ξ_g‖² with ‖ξ_g‖ ≤ ρ_g, from the smallest group to the largest (which for a
   tree is exact after one pass), with guarded Anderson extrapolation (Bertrand & Massias 2021). It stops by the gap
   ½‖w − r‖² + Σ_g (ρ_g‖w_g‖ − ξ_g·w_g), where r = v − Σ_g ξ_g and w is r with zeros in every group whose ξ_g is inside
   its ball: a sum of terms ≥ 0, which bounds ½‖w − prox‖² and loses no digits.

Every ξ in its balls gives a valid bound: Ω*(c) ≤ ‖r‖²/(4λ₂) for λ₂ > 0, and for λ₂ = 0 a scale at which c lies in the
dual set after what is left of r has been spread over groups and l1. So the dual stays a certificate when ascent stops
early.
"""

import math
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.penalties.base import soft
from laconic.core.penalties.group import GroupedPenalty

_PROX_PASSES = 20_000
_DUAL_PASSES = 2_000
_DUAL_ROUNDS = 10
_POLAR_ROUNDS = 60
_LARGE = 20_000  # members from which on the polar norm is only bracketed
_BRACKET_PASSES = 100
_BRACKET = 0.01
_MEMORY = 5


@dataclass(frozen=True, eq=False)
class OverlappingPenalty(GroupedPenalty):
    """λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ for any groups.

    The parameters are those of `GroupPenalty`. `prox` is accurate to a relative duality gap of 1e-12 and warns with the
    gap reached if it cannot get there. `dual` and `lambda_max` return certified bounds, from above on Ω* and on the
    smallest factor; the latter is within 1e-10 of a bound from below, within 1 % of it for groups of more than 20,000
    members in all, unless they are so entangled that ascent stalls.

    Examples
    --------
    >>> groups = Groups.from_lists([[0, 1], [1, 2]], n_features=3, weights=1.0)
    >>> penalty = OverlappingPenalty(groups, group=1.0)
    >>> penalty.value([3.0, 4.0, 3.0])
    10.0
    >>> penalty.prox([0.5, 0.5, 4.0], step=1.0).round(9).tolist()
    [0.0, 0.0, 3.0]
    """

    has_prox: ClassVar[bool] = False

    def _shrunk(self, v: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
        rest = _project(self, v, factor, None, _PROX_PASSES)
        if rest.accuracy > 1.0:
            warnings.warn(
                f"The prox of {len(self.groups)} overlapping groups stopped after {_PROX_PASSES} passes at "
                f"{rest.accuracy:.1e} times the duality gap it aims at (1e-12, relative); a solver that works on "
                "the groups themselves is better suited to such groups.",
                RuntimeWarning,
                stacklevel=4,
            )
        w = np.zeros((len(v), rest.w.shape[1]))
        w[rest.features] = rest.w
        return w.reshape(v.shape)

    def _squared_distance(self, c: NDArray[np.float64], near: NDArray[np.float64] | None) -> float:
        r = _project(self, c, 1.0, near, _DUAL_PASSES).r
        return float(np.vdot(r, r))

    def _polar(self, c: NDArray[np.float64], at_least: float, near: NDArray[np.float64] | None) -> float:
        if not c.any():
            return 0.0
        if c[~self._reached()].any():
            return math.inf
        if not at_least and len(self.groups.indices) > _LARGE:
            return self._bracketed(c)
        # c·z/Ψ(z) is a lower bound for every z; a dual point that leaves nothing of c gives an upper bound. Near the
        # limit the prox of c is tiny and ascent slow, so once there is a z it is the prox of c + shift, where shift is
        # a fraction of ‖c‖ along z: a proximal point step on Ψ(z) − c·z/polar, with the same limit.
        lower, upper = float(np.vdot(c, c)) / self._norm(c), math.inf
        factor, shift, length = at_least or lower, np.zeros(c.shape), 0.01 * np.linalg.norm(c)
        if near is not None and near.any():
            lower = max(lower, float(np.vdot(c, near)) / (self._norm(near) or math.inf))
            shift = near * (length / np.linalg.norm(near))
        for _ in range(_DUAL_ROUNDS if at_least else _POLAR_ROUNDS):
            rest = _project(self, c + shift, factor, near, _DUAL_PASSES)
            upper = min(upper, rest.enough(factor, shift))
            if rest.w.any():
                near = np.zeros(c.shape)
                near[rest.features] = rest.w.reshape(-1, *c.shape[1:])
                lower = max(lower, float(np.vdot(c, near)) / self._norm(near))
                # A shorter shift is a longer step, which ascent may fail to solve.
                length *= 0.5 if rest.accuracy <= 1 else 4.0
                shift = near * (length / np.linalg.norm(near))
            if upper <= max(lower * (1 + 1e-10), at_least * (1 + 1e-13)):
                break
            factor = lower if lower > factor else (lower + min(upper, 2 * lower)) / 2
        return upper

    def _bracketed(self, c: NDArray[np.float64]) -> float:
        """Return the polar norm from above: below it a projection leaves a better z, above it ascent is fast."""
        lower, upper, zero = float(np.vdot(c, c)) / self._norm(c), math.inf, np.zeros(c.shape)
        factor = lower
        for _ in range(_POLAR_ROUNDS):
            rest = _project(self, c, factor, None, _BRACKET_PASSES)
            upper = min(upper, rest.enough(factor, zero))
            for found in (rest.w, rest.r):
                z = np.zeros(c.shape)
                z[rest.features] = found.reshape(-1, *c.shape[1:])
                lower = max(lower, float(np.vdot(c, z)) / (self._norm(z) or math.inf))
            if upper <= lower * (1 + _BRACKET):
                break
            factor = math.sqrt(lower * min(upper, 4 * lower))
        return upper


@dataclass(frozen=True)
class _Remainder:
    """What is left of a point v after its projection onto factor·K, on the features that survive elimination."""

    features: NDArray[np.int64]
    groups: Groups
    radii: NDArray[np.float64]
    l1: NDArray[np.float64]  # of soft thresholding and of groups that became single features, times factor
    xi: NDArray[np.float64]
    r: NDArray[np.float64]
    w: NDArray[np.float64]
    accuracy: float

    def enough(self, factor: float, shift: NDArray[np.float64]) -> float:
        """Return a multiple of K, at least `factor`, that holds v − shift; the better of two ways to spread r."""
        there = shift.reshape(len(shift), -1)[self.features]
        if np.count_nonzero(there) < np.count_nonzero(shift):
            return math.inf  # features that the shift needs were eliminated
        rest = self.r - there
        pull = np.repeat(self.radii, self.groups.sizes)
        reach = np.bincount(self.groups.indices, weights=pull, minlength=len(rest)).astype(np.float64)
        l1_first = self._growth(rest, np.where(self.l1 > 0, 0.0, reach))
        groups_first = self._growth(rest, reach)
        return factor * max(1.0, min(l1_first, groups_first) * (1 + 1e-14))

    def _growth(self, rest: NDArray[np.float64], reach: NDArray[np.float64]) -> float:
        """Return how much larger K must be: groups take up `rest` where `reach` is positive, l1 takes it elsewhere."""
        growth = 0.0
        by_l1 = (reach == 0) & rest.any(axis=1)
        if by_l1.any():
            if not self.l1[by_l1].all():
                return math.inf
            growth = 1.0 + float(np.max(np.abs(rest[by_l1]) / self.l1[by_l1, None]))
        if not len(self.groups):
            return growth
        members, sizes = self.groups.indices, self.groups.sizes
        share = np.repeat(self.radii, sizes) / np.where(reach > 0, reach, np.inf)[members]
        taken = self.xi + share[:, None] * rest[members]
        norms = np.sqrt(np.add.reduceat(np.einsum("ak,ak->a", taken, taken), self.groups.indptr[:-1]))
        live = self.radii > 0
        return max(growth, float(np.max(norms[live] / self.radii[live], initial=0.0)))


def _project(
    penalty: OverlappingPenalty,
    v: NDArray[np.float64],
    factor: float,
    near: NDArray[np.float64] | None,
    max_passes: int,
) -> _Remainder:
    """Project v onto factor·K, starting from the dual point that belongs to the weights `near`."""
    level = factor * penalty.group
    target = soft(v, factor * penalty.l1).reshape(len(v), -1)
    l1 = factor * np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), len(v))
    features, groups = np.arange(len(v)), penalty.groups
    while True:
        before = len(groups), len(features)
        _eliminate(target, groups, level * groups.weights)
        alive = np.flatnonzero(target.any(axis=1))
        features, target, l1, groups = features[alive], target[alive], l1[alive], groups.restrict(alive)
        if target.shape[1] == 1:
            singles, groups = groups.split_singletons()
            target, l1 = soft(target, level * singles), l1 + level * singles
        if (len(groups), len(features)) == before:
            break
    radii = level * groups.weights
    start = np.zeros((len(groups.indices), target.shape[1]))
    if near is not None:
        there = near.reshape(len(near), -1)[features]
        norms = groups.norms(there)
        pull = np.divide(radii, norms, out=np.zeros_like(norms), where=norms > 0)
        start = np.repeat(pull, groups.sizes)[:, None] * there[groups.indices]
    return _Remainder(features, groups, radii, l1, *_ascend(groups, radii, target, start, max_passes))


def _eliminate(target: NDArray[np.float64], groups: Groups, radii: NDArray[np.float64]) -> None:
    """Set to zero, in place, every group that its own dual ball takes up whole, again and again."""
    while True:
        norms = groups.norms(target)
        lost = (norms <= radii) & (norms > 0)
        if not lost.any():
            return
        target[groups.indices[np.repeat(lost, groups.sizes)]] = 0.0


def _ascend(
    groups: Groups, radii: NDArray[np.float64], target: NDArray[np.float64], xi: NDArray[np.float64], max_passes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """Return ξ, the remainder r, the primal w, and the gap as a multiple of the gap aimed at."""
    if not len(groups):
        return xi, target, target, 0.0
    from laconic.kernels.linear.overlapping import ascend_groups

    order = np.argsort(groups.sizes, kind="stable")
    inside = np.zeros(len(groups), dtype=np.bool_)
    r = target - _total(groups, xi)
    for _ in range(0, max_passes, _MEMORY + 1):
        seen = [xi.copy()]
        for _ in range(_MEMORY):
            ascend_groups(r, xi, inside, groups.indptr, groups.indices, radii, order)
            seen.append(xi.copy())
        guess = _extrapolate(seen, groups, radii)
        rest = target - _total(groups, guess)
        if np.vdot(rest, rest) < np.vdot(r, r):
            xi, r = guess, rest
            ascend_groups(r, xi, inside, groups.indptr, groups.indices, radii, order)
        w = _without(groups, inside, r)
        gap, aim = _gap(groups, radii, target, xi, r, w)
        if gap > aim:
            # The gap bounds ½‖w − prox‖², so groups this small may as well be zero: then ξ need not point along them.
            cleaner = _without(groups, groups.norms(w) ** 2 <= 2 * gap, w)
            other_gap, other_aim = _gap(groups, radii, target, xi, r, cleaner)
            if other_gap < gap:
                w, gap, aim = cleaner, other_gap, other_aim
        if gap <= aim:
            break
    return xi, r, w, gap / aim


def _without(groups: Groups, zero: NDArray[np.bool_], r: NDArray[np.float64]) -> NDArray[np.float64]:
    w = r.copy()
    w[groups.indices[np.repeat(zero, groups.sizes)]] = 0.0
    return w


def _gap(
    groups: Groups, radii: NDArray[Any], target: NDArray[Any], xi: NDArray[Any], r: NDArray[Any], w: NDArray[Any]
) -> tuple[float, float]:
    """Return the gap between w and ξ, and the gap to aim at."""
    pull = radii * groups.norms(w)
    along = np.add.reduceat(np.einsum("ak,ak->a", xi, w[groups.indices]), groups.indptr[:-1])
    gap = 0.5 * np.vdot(w - r, w - r) + np.sum(pull - along)
    # The second term is what rounding leaves of the sum above, the third what may be left of r where the prox is zero.
    aim = 0.5e-12 * np.vdot(w, w) + 1e-15 * pull.sum() + 0.5e-18 * np.vdot(target, target)
    return float(gap), float(aim)


def _extrapolate(seen: list[NDArray[Any]], groups: Groups, radii: NDArray[Any]) -> NDArray[np.float64]:
    """Return the affine combination of the last points whose steps cancel best, brought back into the balls."""
    steps = np.diff(np.stack([xi.ravel() for xi in seen]), axis=0)
    products = steps @ steps.T
    size = np.trace(products)
    if size == 0:
        return seen[-1].copy()
    mix = np.linalg.solve(products / size + 1e-12 * np.eye(len(products)), np.ones(len(products)))
    guess = np.tensordot(mix / mix.sum(), np.stack(seen[1:]), axes=1)
    norms = np.sqrt(np.add.reduceat(np.einsum("ak,ak->a", guess, guess), groups.indptr[:-1]))
    back = np.divide(radii, norms, out=np.ones_like(norms), where=norms > radii)
    return np.asarray(guess * np.repeat(back, groups.sizes)[:, None])


def _total(groups: Groups, xi: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ_g ξ_g, one row per feature."""
    columns = [np.bincount(groups.indices, weights=column, minlength=groups.n_features) for column in xi.T]
    return np.ascontiguousarray(np.stack(columns, axis=1))
