"""``SelectedGroups``: which groups a model kept, and how strongly; ``KeptGroups``: the same as a folder holds them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

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


@dataclass(frozen=True, eq=False)
class KeptGroups:
    """Selected groups (``n_selected`` of ``n_groups``) over kept words, equal ones merged; ``make`` makes them."""

    # They can be many, and predicting needs none: they are cut, or read from a folder, when they are first asked for.

    n_selected: int
    n_groups: int
    n_words: int
    source: str
    make: Callable[[], Groups] = field(repr=False)

    def __post_init__(self) -> None:
        numbers = (self.n_selected, self.n_groups, self.n_words)
        if any(type(one) is not int or one < 0 for one in numbers) or self.n_selected > self.n_groups:
            raise ValueError(
                f"The numbers of selected groups, of all groups and of words are {', '.join(map(repr, numbers))}; they "
                "must be counts, the first not above the second."
            )

    @classmethod
    def cut(cls, groups: Groups, selected: ArrayLike, features: ArrayLike) -> "KeptGroups":
        """Cut the selected ones of some groups (by number) to the kept ones of their features (by number)."""
        chosen = sorted(map(int, selected))  # type: ignore[arg-type]
        kept = list(map(int, features))  # type: ignore[arg-type]
        return cls(len(chosen), len(groups), len(kept), groups.source, partial(_cut, groups, chosen, kept))

    @cached_property
    def groups(self) -> Groups:
        """The groups; feature j is kept word j."""
        groups = self.make()
        if groups.n_features != self.n_words:
            raise ValueError(
                f"The groups disagree with the words: they were cut to {groups.n_features} words, but there are "
                f"{self.n_words}."
            )
        return groups

    @property
    def n_removed(self) -> int:
        """How many groups were not selected."""
        return self.n_groups - self.n_selected


def _cut(groups: Groups, chosen: list[int], kept: list[int]) -> Groups:
    return groups.take(chosen).restrict(kept)
