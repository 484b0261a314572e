"""Groups in numbers: how many, how large, how much they share."""

from dataclasses import dataclass

import numpy as np

from laconic.core.groups import Groups


@dataclass(frozen=True)
class GroupFacts:
    """What a person wants to know of groups first."""

    groups: int
    words: int  # in a group
    vocabulary: int  # all words
    structure: str
    smallest: int
    median: float
    mean: float
    largest: int
    overlap: float  # mean number of groups of a word that is in one
    shared: float  # share of these words that are in several groups

    @classmethod
    def of(cls, groups: Groups) -> "GroupFacts":
        """Return the facts of some groups."""
        memberships = np.unique(groups.indices, return_counts=True)[1]
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
