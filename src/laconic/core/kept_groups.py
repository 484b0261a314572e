"""`KeptGroups`: the groups that a model selected, cut to the words it kept, as a folder holds them.

Where most sentences of a large corpus are selected these are many, and predicting needs none of them: they are cut, or
read from the folder, when they are first asked for. Their numbers are known before.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from numpy.typing import ArrayLike

from laconic.core.groups import Groups


@dataclass(frozen=True, eq=False)
class KeptGroups:
    """Selected groups (``n_selected`` of ``n_groups``) over kept words, equal ones merged; ``make`` makes them."""

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
