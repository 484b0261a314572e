"""The penalty that fits a family of groups: the simplest of three that share one formula, or no groups at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty, GroupPenalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.penalties.tree import TreePenalty
from laconic.core.sign_constraints import Sides


def group_penalty(
    groups: Groups,
    group: float = 1.0,
    l1: float | NDArray[np.float64] = 0.0,
    l2: float = 0.0,
    sides: Sides | None = None,
) -> GroupPenalty | TreePenalty | OverlappingPenalty:
    """Return λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ as the simplest penalty that the structure of the groups allows.

    Examples
    --------
    >>> type(group_penalty(Groups.from_lists([[0, 1], [1, 2]], n_features=3))).__name__
    'OverlappingPenalty'
    """
    if not isinstance(groups, Groups):
        raise TypeError(f"groups is a {type(groups).__name__}; make it a Groups, e.g. by Groups.from_lists.")
    if groups.disjoint:
        return GroupPenalty(groups, group, l1, l2, sides)
    if groups.laminar:
        return TreePenalty(groups, group, l1, l2, sides)
    return OverlappingPenalty(groups, group, l1, l2, sides)


def without_groups(penalty: GroupedPenalty, n_outputs: int) -> ElasticNetPenalty | None:
    """Return the elastic net that is the same penalty, None where there is none.

    It is one where λ_g = 0, and for one output where every group has one feature: then |w_j| counts λ₁ + λ_g Σ d_g. A
    feature without any penalty is left to the solvers of groups.

    Examples
    --------
    >>> without_groups(group_penalty(Groups.singletons(3), group=2.0, l1=1.0), n_outputs=1)
    ElasticNetPenalty(l1=3.0, l2=0.0)
    """
    if not penalty.radii.any():
        return ElasticNetPenalty(penalty.l1, penalty.l2, penalty.sides)
    groups = penalty.groups
    if n_outputs > 1 or len(groups.indices) > len(groups):
        return None
    singles = np.bincount(groups.indices, weights=penalty.radii, minlength=groups.n_features)
    l1 = np.asarray(penalty.l1 + singles, dtype=np.float64)
    if penalty.l2 == 0.0 and not l1.all():
        return None
    # One level for all makes the bound cheaper.
    return ElasticNetPenalty(float(l1[0]) if np.all(l1 == l1[0]) else l1, penalty.l2, penalty.sides)
