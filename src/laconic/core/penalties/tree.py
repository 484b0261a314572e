"""Groups that form a forest: of any two, one holds the other or they are disjoint (a laminar family).

The prox is the composition of the group shrinkages from the leaves to the root (Jenatton, Mairal, Obozinski & Bach
2010); soft thresholding, a family of singletons below all leaves, comes first and the ridge factor last. The same pass
gives the exact projection onto the dual set, hence the exact conjugate.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from laconic.core.penalties.base import soft
from laconic.core.penalties.group import GroupedPenalty, Structure


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
        from laconic.kernels.linear.prox import shrink_groups

        w = soft(v, factor * self.l1)
        columns = np.ascontiguousarray(w.reshape(len(w), -1))
        shrink_groups(columns, self.groups.indptr, self.groups.indices, factor * self.radii, self._from_the_leaves)
        return columns.reshape(w.shape)
