"""The group lasso (Yuan & Lin 2006) for disjoint groups, and with λ₁ > 0 the sparse group lasso (Simon et al. 2013).

The prox is closed: soft thresholding, then every block w_g ← max(0, 1 − step·λ_g d_g/‖w_g‖)·w_g, then the ridge factor.
Features in no group have only λ₁ and λ₂. Of groups that form a forest (of any two, one holds the other or they are
disjoint) blocks are shrunk from the leaves to the root (Jenatton, Mairal, Obozinski & Bach 2010), singletons first. The
same pass gives the exact projection onto the dual set, hence the exact conjugate.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.penalties.base import Penalty, Sides, check_l1, check_level, check_sides, rows, soft

Structure = Literal["disjoint", "tree"]

_UP = 1.0 + 4.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class GroupedPenalty(Penalty):
    """Parameters and value of every penalty that has groups: λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂."""

    groups: Groups
    group: float = 1.0
    l1: float | NDArray[np.float64] = 0.0
    l2: float = 0.0
    sides: Sides | None = None

    separable: ClassVar[bool] = False
    structure: ClassVar[Structure | None] = None
    """What the groups must be; None for any."""

    def __post_init__(self) -> None:
        if not isinstance(self.groups, Groups):
            raise TypeError(f"groups is a {type(self.groups).__name__}; make it a Groups, e.g. by Groups.from_lists.")
        object.__setattr__(self, "group", check_level("group", self.group))
        object.__setattr__(self, "l1", check_l1(self.l1, self.groups.n_features))
        object.__setattr__(self, "l2", check_level("l2", self.l2))
        object.__setattr__(self, "sides", check_sides(self.sides, self.groups.n_features))
        if self.structure is not None:
            remedy = "group_penalty picks the right penalty by itself."
            check_structure(self.groups, self.structure, type(self).__name__, remedy)

    @cached_property
    def radii(self) -> NDArray[np.float64]:
        """λ_g·d_g of every group: the radius of the ball in which its dual variable lives."""
        return self.group * self.groups.weights

    @property
    def _n_features(self) -> int | None:
        return self.groups.n_features

    def _norm(self, w: NDArray[np.float64]) -> float:
        return float(np.sum(rows(self.l1, w) * np.abs(w)) + self.radii @ self.groups.norms(w))

    def _reached(self) -> NDArray[np.bool_] | bool:
        mask = np.broadcast_to(self.l1 > 0, self.groups.n_features).copy()
        mask[self.groups.indices[np.repeat(self.radii > 0, self.groups.sizes)]] = True
        return mask


def check_structure(groups: Groups, wanted: Structure, who: str, remedy: str) -> None:
    """Refuse groups that share a feature where ``who`` needs disjoint ones, or that cross where it needs a tree."""
    pair = groups.shared if wanted == "disjoint" else groups.crossing
    if pair is not None:
        first, second, feature = pair
        kind, more = (
            ("disjoint", "") if wanted == "disjoint" else ("nested or disjoint", " and neither holds the other")
        )
        raise ValueError(
            f"{who} needs {kind} groups, but groups {first} ({groups.names[first]!r}) and {second} "
            f"({groups.names[second]!r}) share feature {feature}{more}; {remedy}"
        )


@dataclass(frozen=True, eq=False)
class GroupPenalty(GroupedPenalty):
    """λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ for groups that share no feature.

    Parameters
    ----------
    groups : Groups
        Disjoint groups; features in no group are allowed.
    group : float
        λ_g.
    l1 : float or array of shape (n_features,)
        λ₁, one for all features or one for each.
    l2 : float
        λ₂ (without ½).
    sides : ndarray of int8, optional
        Which sides of zero weights may take, see `laconic.core.penalties.base`.

    Examples
    --------
    >>> penalty = GroupPenalty(Groups.from_lists([[0, 1], [2]], n_features=3, weights=1.0), group=1.0)
    >>> penalty.value([3.0, 4.0, -2.0])
    7.0
    >>> penalty.prox([3.0, 4.0, 0.5], step=2.5).tolist()
    [1.5, 2.0, 0.0]
    >>> round(penalty.lambda_max([3.0, 4.0, 0.5]), 12)
    5.0
    """

    has_prox: ClassVar[bool] = True
    structure: ClassVar[Structure | None] = "disjoint"

    def outside(self, c: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say which features of c ≥ 0 exceed λ₁ and, where they are in a group, are in one outside its ball."""
        over = np.maximum(c - rows(self.l1, c), 0.0)
        mask = np.any(over.reshape(len(c), -1) > 0.0, axis=1)
        mask[self.groups.indices[np.repeat(self.groups.norms(over) <= self.radii, self.groups.sizes)]] = False
        return np.asarray(mask)

    def _polar(self, c: NDArray[np.float64], at_least: float, near: NDArray[np.float64] | None) -> float:
        # Without λ₁ one pass over the norms is enough.
        if np.any(self.l1 > 0) or c[~self.groups.covered].any():
            return super()._polar(c, at_least, near)
        norms = self.groups.norms(c)
        live = norms > 0
        if np.any(self.radii[live] == 0):
            return math.inf
        return float(np.max(norms[live] / self.radii[live], initial=0.0)) * _UP

    def _shrunk(self, v: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
        w = soft(v, factor * self.l1)
        norms = self.groups.norms(w)
        radii = factor * self.radii
        kept = np.zeros(len(norms))
        outside = norms > radii
        kept[outside] = 1.0 - radii[outside] / norms[outside]
        w[self.groups.indices] *= rows(np.repeat(kept, self.groups.sizes), w)
        return w


@dataclass(frozen=True, eq=False)
class TreePenalty(GroupedPenalty):
    """λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ for groups that are nested or disjoint.

    The parameters are those of `GroupPenalty`.

    Examples
    --------
    >>> from laconic.core.groups import Groups
    >>> groups = Groups.from_lists([[0, 1], [0, 1, 2]], n_features=3, weights=1.0)
    >>> penalty = TreePenalty(groups, group=1.0)
    >>> penalty.value([3.0, 4.0, 12.0])
    18.0
    >>> penalty.prox([0.5, 0.5, 3.0], step=1.0).tolist()
    [0.0, 0.0, 2.0]
    """

    has_prox: ClassVar[bool] = True
    structure: ClassVar[Structure | None] = "tree"

    @cached_property
    def _from_the_leaves(self) -> NDArray[np.int64]:
        return np.argsort(self.groups.sizes, kind="stable")

    def _shrunk(self, v: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
        from laconic.kernels.linear.overlapping import shrink_groups

        w = soft(v, factor * self.l1)
        columns = np.ascontiguousarray(w.reshape(len(w), -1))
        shrink_groups(columns, self.groups.indptr, self.groups.indices, factor * self.radii, self._from_the_leaves)
        return columns.reshape(w.shape)


def group_penalty(
    groups: Groups,
    group: float = 1.0,
    l1: float | NDArray[np.float64] = 0.0,
    l2: float = 0.0,
    sides: Sides | None = None,
) -> GroupedPenalty:
    """Return λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ as the simplest penalty that the structure of the groups allows.

    Examples
    --------
    >>> type(group_penalty(Groups.from_lists([[0, 1], [1, 2]], n_features=3))).__name__
    'OverlappingPenalty'
    """
    if not isinstance(groups, Groups):
        raise TypeError(f"groups is a {type(groups).__name__}; make it a Groups, e.g. by Groups.from_lists.")
    from laconic.core.penalties.overlapping import OverlappingPenalty  # only here: it is made of what is above

    kinds: dict[str, Any] = {"disjoint": GroupPenalty, "tree": TreePenalty, "overlapping": OverlappingPenalty}
    penalty: GroupedPenalty = kinds[groups.structure](groups, group, l1, l2, sides)
    return penalty
