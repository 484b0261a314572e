"""The penalty that fits a family of groups: the simplest of three that share one formula."""

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.penalties.group import GroupPenalty, TreePenalty
from laconic.core.penalties.overlapping import OverlappingPenalty
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
    kinds: dict[str, type[GroupPenalty | TreePenalty | OverlappingPenalty]] = {
        "disjoint": GroupPenalty,
        "tree": TreePenalty,
        "overlapping": OverlappingPenalty,
    }
    return kinds[groups.structure](groups, group, l1, l2, sides)
