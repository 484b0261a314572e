"""Groups in numbers: how many, how large, how much they share."""

from dataclasses import dataclass

import numpy as np

from laconic.core.groups import Groups


@dataclass(frozen=True)
class GroupFacts:
    """What a person wants to know of groups first.

    Attributes
    ----------
    groups, words : int
        Groups, and words that stand in one.
    vocabulary : int
        Words there are.
    structure : {"disjoint", "tree", "overlapping"}
    smallest, largest : int
    median, mean : float
        Sizes.
    overlap : float
        How many groups a word that stands in one stands in, in the mean.
    shared : float
        Share of these words that stand in more than one group.

    Examples
    --------
    >>> facts = GroupFacts.of(Groups.from_lists([[0, 1], [1, 2, 3]], n_features=6))
    >>> facts.groups, facts.words, facts.mean, facts.overlap, facts.shared
    (2, 4, 2.5, 1.25, 0.25)
    """

    groups: int
    words: int
    vocabulary: int
    structure: str
    smallest: int
    median: float
    mean: float
    largest: int
    overlap: float
    shared: float

    @classmethod
    def of(cls, groups: Groups) -> "GroupFacts":
        """Count."""
        memberships = np.bincount(groups.indices, minlength=groups.n_features)
        memberships = memberships[memberships > 0]
        sizes = groups.sizes if len(groups) else np.zeros(1, dtype=np.int64)
        words = len(memberships)
        return cls(
            groups=len(groups),
            words=words,
            vocabulary=groups.n_features,
            structure=groups.structure,
            smallest=int(sizes.min()),
            median=float(np.median(sizes)),
            mean=float(sizes.mean()),
            largest=int(sizes.max()),
            overlap=float(memberships.mean()) if words else 0.0,
            shared=float(np.mean(memberships > 1)) if words else 0.0,
        )
