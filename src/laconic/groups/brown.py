"""One group per node of the hierarchy of Brown clusters: the words below it.

Yogatama & Smith, "Linguistic structured sparsity in text categorization" (ACL 2014), section 4.4. The groups are
nested, so that a small cluster can be kept only with all that it is part of. Nodes with a single word are left to λ₁,
as in the paper, unless asked for. Where words of the hierarchy are missing in the vocabulary, a node may hold the same
words as one below it; then the lower one stands for both.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.brown_hierarchy import BrownPaths, brown_clusters
from laconic.groups.builder import TextsBuilder, check_whole, finished, frequent_words, texts_to_learn, with_missing
from laconic.text.analyzer import Analyzer
from laconic.text.design import Vocabulary


@dataclass(frozen=True)
class BrownGroups(TextsBuilder):
    """Make nested groups out of Brown clusters.

    Parameters
    ----------
    clusters : int, default=1000
        C; the papers take 5,000 for the 20 Newsgroups tasks. Cut, with a warning, to the number of words.
    paths : file, optional
        Clusters in the format of Liang's program, ``bits <tab> word <tab> count``, in place of making them.
    depths : sequence of int, optional
        Only nodes so many bits below the root, such as (4, 6, 10); clusters above a depth stand for themselves. By
        default all nodes.
    min_count : int, default=1
        Words that occur less often are not clustered.
    singletons : bool, default=False
        Whether a node with one word is a group.
    texts : Corpus, list of str or file, optional
        Texts to cluster the words of, labelled or not; by default the training texts.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.

    Examples
    --------
    >>> from laconic.text import BagOfWords
    >>> texts = [f"{a} {b} {c}" for a in ("a", "the") for b in ("dog", "cat") for c in ("runs", "sits")]
    >>> groups = BrownGroups(clusters=3).build(Corpus.from_lists(texts), BagOfWords().fit(texts).vocabulary)
    >>> groups.structure, len(groups), groups.names[0]
    ('tree', 5, 'root: a, cat, dog')
    """

    clusters: int = 1000
    paths: str | os.PathLike | None = None
    depths: tuple[int, ...] | None = None
    min_count: int = 1
    singletons: bool = False
    texts: Any = None
    weights: str = "sqrt"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("clusters", self.clusters, 1)
        check_whole("min_count", self.min_count, 1)
        if self.depths is not None:
            if isinstance(self.depths, (str, bytes)) or not isinstance(self.depths, Sequence) or not self.depths:
                raise ValueError(f"depths is {self.depths!r}; it must be a list of whole numbers such as (4, 6, 10).")
            for depth in self.depths:
                check_whole("A depth", depth, 0)
            object.__setattr__(self, "depths", tuple(sorted({int(depth) for depth in self.depths})))
        if self.paths is not None and self.texts is not None:
            raise ValueError("paths brings clusters and texts asks to make some; give one of them.")

    def check(self) -> None:
        """Raise an error, before any work, if a file is not there or holds no clusters."""
        super().check()
        if self.paths is not None:
            BrownPaths.read(self.paths)

    def cluster(self, corpus: Corpus | None, analyzer: Analyzer | None = None) -> BrownPaths:
        """Return the clusters themselves, read or made; `BrownPaths.save` writes them for other programs."""
        if self.paths is not None:
            return BrownPaths.read(self.paths)
        return brown_clusters(texts_to_learn(self.texts, corpus)[0], self.clusters, analyzer, self.min_count)

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does: a tree, each node before those below it.

        They are named "cluster 0110: orbit, moon, shuttle" by their bits and the words that most documents hold. Words
        that were not clustered are in no group. The corpus is not looked at if `paths` or `texts` were given.
        """
        clustered = self.cluster(corpus, analyzer)
        what = f"Brown clusters {os.fspath(self.paths)}" if self.paths is not None else ""
        what = what or f"Brown clusters of {texts_to_learn(self.texts, corpus)[1]}"
        index = vocabulary.index
        known = [
            (bits, index[word]) for bits, word in zip(clustered.bits, clustered.words, strict=True) if word in index
        ]
        nodes = self._nodes(known)
        names = [
            f"{f'cluster {bits}' if bits else 'root'}: {frequent_words(own, vocabulary)}" for bits, own in nodes.items()
        ]
        source = with_missing(what, len(clustered) - len(known), len(clustered))
        reason = (
            f"of the {len(clustered)} words of {what}, {len(known)} are in the vocabulary, and no two in one cluster."
        )
        return finished(list(nodes.values()), names, vocabulary, self.weights, source, reason)

    def _nodes(self, known: Sequence[tuple[str, int]]) -> dict[str, np.ndarray]:
        """Return the words below each node that becomes a group, by its bits and in their order."""
        below: defaultdict[str, list[int]] = defaultdict(list)
        for bits, column in known:
            lengths = range(len(bits) + 1) if self.depths is None else {min(depth, len(bits)) for depth in self.depths}
            for length in lengths:
                below[bits[:length]].append(column)
        # A node is as large as a node below it only if it holds the same words.
        largest: defaultdict[str, int] = defaultdict(int)
        kept = {}
        for bits in sorted(below, key=len, reverse=True):
            size = len(below[bits])
            if size > largest[bits] and (size > 1 or self.singletons):
                kept[bits] = np.sort(np.array(below[bits]))
            for length in range(len(bits)):
                largest[bits[:length]] = max(largest[bits[:length]], size)
        return dict(sorted(kept.items()))
