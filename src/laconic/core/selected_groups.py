"""``SelectedGroups``: which groups a model kept, and how strongly."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.core.groups import Groups


@dataclass(frozen=True, eq=False, repr=False)
class SelectedGroups:
    """The groups with a norm above zero, the strongest first.

    Attributes
    ----------
    indices : ndarray of int
        Their numbers among all groups; equal norms in the order of the groups.
    norms : ndarray of float
        ‖w_g‖₂ of each of them; for a solver with copies of the weights, the norm of the copy.
    n_groups : int
        How many groups there were to choose from.

    Examples
    --------
    >>> groups = Groups.from_lists([[0, 1], [2], [1, 2]], n_features=3)
    >>> selected = SelectedGroups.of(groups, groups.norms([0.0, 3.0, 0.0]))
    >>> selected.names, selected.norms.tolist(), selected.n_groups
    (('group 0', 'group 2'), [3.0, 3.0], 3)
    """

    indices: NDArray[np.int64]
    norms: NDArray[np.float64]
    n_groups: int
    _groups: Groups = field(repr=False)

    @classmethod
    def of(cls, groups: Groups, norms: ArrayLike) -> "SelectedGroups":
        """Return the groups whose norm, one number per group, is not zero."""
        every = np.asarray(norms, dtype=np.float64)
        if every.shape != (len(groups),):
            raise ValueError(f"norms has shape {every.shape}; there are {len(groups)} groups: give one norm per group.")
        kept = np.flatnonzero(every)
        kept = kept[np.argsort(-every[kept], kind="stable")]
        return cls(kept.astype(np.int64), every[kept], len(groups), groups)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the selected groups."""
        every = self._groups.names
        return tuple(every[g] for g in self.indices)

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.names, self.norms.tolist(), strict=True)

    def __repr__(self) -> str:
        return f"SelectedGroups({len(self)} of {self.n_groups} groups)"
