"""One group per node of the hierarchy of Brown clusters: the words below it.

Yogatama & Smith, "Linguistic structured sparsity in text categorization" (ACL 2014), section 4.4. The groups are
nested, so that a small cluster can be kept only with all that it is part of. Nodes with a single word are left to λ₁,
as in the paper, unless asked for. Where words of the hierarchy are missing in the vocabulary, a node may hold the same
words as one below it; then the lower one stands for both.

The clusters are a hierarchy of words by the words beside them: Brown et al., "Class-based n-gram models of natural
language" (1992), with the window of Liang, "Semi-supervised learning for natural language" (2005): the C most frequent
words start as clusters of their own; each further word, by frequency (of equally frequent ones the first in the
alphabet), enters as one more, and the two clusters whose merging costs the least mutual information become one. At the
end the C clusters are merged in the same way down to one, which gives the hierarchy. Pairs of words are counted within
documents. `laconic.kernels.brown` has the formulas and does the work. Files are as Liang's program writes them
(``paths``): ``bits <tab> word <tab> count`` in every line.
"""

import os
import re
import warnings
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.core.files import check_regular, write_file
from laconic.core.groups import Groups
from laconic.core.values import excerpt
from laconic.data.corpus import Corpus
from laconic.data.files.lines import read_lines
from laconic.groups.builder import (
    TextsBuilder,
    check_whole,
    finished,
    frequent_words,
    of_words,
    report,
    texts_to_learn,
    with_missing,
)
from laconic.text.analyzer import Analyzer, fast_features
from laconic.text.vocabulary import Vocabulary

DIGITS = 18  # of a count
DEEPEST = 255  # bits that a path of a file may have, of however few clusters
_BITS = re.compile(r"[01]*")
LARGEST = 20_000  # clusters: their matrices take 16 bytes for every pair
LOGARITHMS = 1 << 22  # kept in a table
STEPS = 500  # words between two reports


@dataclass(frozen=True, eq=False)
class BrownPaths:
    """Words, the bit string of each (its way from the root of the hierarchy to its cluster), and how often it occurs.

    Parameters
    ----------
    bits, words : sequence of str
        Words with the same bits are one cluster. The root alone has the empty string.
    counts : array of int

    Examples
    --------
    >>> paths = BrownPaths(["00", "00", "1"], ["dog", "cat", "runs"], [2, 1, 3])
    >>> paths.clusters()
    {'00': ['dog', 'cat'], '1': ['runs']}
    """

    bits: tuple[str, ...]
    words: tuple[str, ...]
    counts: NDArray[np.int64] = field(repr=False)

    def __init__(self, bits: Sequence[str], words: Sequence[str], counts: ArrayLike) -> None:
        object.__setattr__(self, "bits", tuple(bits))
        object.__setattr__(self, "words", tuple(words))
        object.__setattr__(self, "counts", np.asarray(counts, dtype=np.int64))
        if not len(self.bits) == len(self.words) == len(self.counts):
            raise ValueError(
                f"There are {len(self.bits)} paths, {len(self.words)} words and {len(self.counts)} counts; give one of "
                "each for every word."
            )

    def __len__(self) -> int:
        return len(self.words)

    def clusters(self) -> dict[str, list[str]]:
        """Return the words of each cluster by its bits, in the order of the lines."""
        result: dict[str, list[str]] = {}
        for bits, word in zip(self.bits, self.words, strict=True):
            result.setdefault(bits, []).append(word)
        return result

    @classmethod
    def read(cls, path: str | os.PathLike) -> "BrownPaths":
        """Read a file, also a compressed one (.gz, .xz, .zst); an error names the file and the line."""
        place = Path(path)
        check_regular(place, "Brown clusters")
        bits, words, counts = [], [], []
        lines: dict[str, int] = {}
        for number, line in read_lines(place):
            parts = line.rstrip("\r\n").split("\t")
            if len(parts) != 3 or not _BITS.fullmatch(parts[0]) or not parts[2].isdecimal() or len(parts[2]) > DIGITS:
                raise ValueError(
                    f"{place}, line {number}: expected bits, word and count with tabs between them, such as "
                    f"'0110<tab>moon<tab>12', but got {line.rstrip()[:60]!r}."
                )
            if (before := lines.setdefault(parts[1], number)) != number:
                raise ValueError(
                    f"{place}, line {number}: the word {excerpt(parts[1])} stands in line {before} already."
                )
            bits.append(parts[0])
            words.append(parts[1])
            counts.append(int(parts[2]))
        if not words:
            raise ValueError(f"{place} holds no Brown clusters; it is empty.")
        deepest, clusters = max(map(len, bits)), len(set(bits))
        if deepest > max(DEEPEST, clusters):  # every node above a cluster is memory
            raise ValueError(
                f"{place} has a path of {deepest} bits, but {clusters} clusters; a path has fewer bits than there are "
                "clusters."
            )
        return cls(bits, words, counts)

    def save(self, path: str | os.PathLike) -> None:
        """Write a file; an existing one is replaced at once or not at all."""
        rows = zip(self.bits, self.words, self.counts.tolist(), strict=True)
        write_file(path, "".join(f"{bits}\t{word}\t{count}\n" for bits, word, count in rows))


def brown_clusters(
    texts: Iterable[Any], clusters: int = 1000, analyzer: Analyzer | None = None, min_count: int = 1
) -> BrownPaths:
    """Cluster the words of some texts.

    Parameters
    ----------
    texts : iterable of str
        Lists of str if the analyzer's kind is "tokens".
    clusters : int, default=1000
        C; cut, with a warning, to the number of different words.
    analyzer : Analyzer, optional
        Finds the words; None is ``Analyzer()``. Of n-grams, single words are taken.
    min_count : int, default=1
        Leave out words that occur less often; those beside them then have no neighbour there.

    Examples
    --------
    >>> texts = [f"{a} {b} {c}" for a in ("a", "the") for b in ("dog", "cat") for c in ("runs", "sits")]
    >>> found = brown_clusters(texts, clusters=3)
    >>> sorted(sorted(own) for own in found.clusters().values())
    [['a', 'the'], ['cat', 'dog'], ['runs', 'sits']]
    """
    check_whole("clusters", clusters, 1)
    check_whole("min_count", min_count, 1)
    words, counts, stream = _numbered(texts, of_words(analyzer, "Brown clustering"), min_count)
    if not words:
        raise ValueError(
            f"There is no word to be clustered: the texts are empty, or no word occurs min_count times ({min_count})."
        )
    if clusters > len(words):
        warnings.warn(
            f"{clusters} Brown clusters were asked for, but there are {len(words)} different words; there will be "
            f"{len(words)} clusters.",
            stacklevel=2,
        )
        clusters = len(words)
    if clusters > LARGEST:
        raise ValueError(f"clusters is {clusters}; at most {LARGEST} can be held in memory.")
    owner, pairs = _merged(stream, counts, clusters)
    paths = _paths(owner, pairs)
    bits = [paths[slot] for slot in owner.tolist()]
    order = sorted(range(len(words)), key=lambda i: (bits[i], -counts[i], words[i]))
    return BrownPaths([bits[i] for i in order], [words[i] for i in order], counts[order])


def _numbered(texts: Iterable[Any], analyzer: Analyzer, min_count: int) -> tuple[list[str], NDArray, NDArray]:
    """Return the words by frequency, their counts, and the texts as one stream of numbers (-1: rare words, ends)."""
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    features, stream = fast_features(analyzer), array("i")
    for text in texts:
        stream.fromlist(list(map(number.__getitem__, features(text))))
        stream.append(-1)
    ids = np.frombuffer(stream, dtype=np.intc) if stream else np.zeros(0, dtype=np.intc)
    names = list(number)
    counts = np.bincount(ids[ids >= 0], minlength=len(names))
    order = [i for i in sorted(range(len(names)), key=lambda i: (-counts[i], names[i])) if counts[i] >= min_count]
    place = np.full(len(names) + 1, -1, dtype=np.int64)  # the last one is for -1
    place[order] = np.arange(len(order))
    return [names[i] for i in order], counts[order], place[ids]


def _merged(stream: NDArray, counts: NDArray, clusters: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the slot of the cluster of each word, and the pairs of slots that are merged after that."""
    from laconic.kernels._compile import announce_compilation
    from laconic.kernels.brown import Words, cluster_words, merge_rest, new_window

    announce_compilation()
    n_words = len(counts)
    adjacent = (stream[:-1] >= 0) & (stream[1:] >= 0)
    first, second = stream[:-1][adjacent], stream[1:][adjacent]
    words = Words(
        *_rows(first, second, n_words),
        *_rows(second, first, n_words),
        counts.astype(np.int64),
        np.arange(n_words),
        np.full(n_words, -1, dtype=np.int64),
    )
    log = np.log(np.maximum(np.arange(min(int(counts.sum()) + 1, LOGARITHMS)), 1.0))
    window = new_window(clusters, log)
    total = n_words + clusters - 1
    free = 0
    for start in range(0, n_words, STEPS):
        stop = min(start + STEPS, n_words)
        free = cluster_words(start, stop, free, window, words)
        report(stop, total, "words")
    pairs = np.zeros((clusters - 1, 2), dtype=np.int64)
    roots = np.arange(n_words)
    while np.any(words.parent[roots] != roots):
        roots = words.parent[roots]
    owner = words.slot[roots]
    for start in range(0, len(pairs), STEPS):
        stop = min(start + STEPS, len(pairs))
        merge_rest(start, stop, pairs, window)
        report(n_words + stop, total, "hierarchy")
    return owner, pairs


def _rows(first: NDArray, second: NDArray, size: int) -> tuple[NDArray, NDArray, NDArray]:
    """Return the pairs in compressed rows: where each row starts, second words, and how often."""
    code, count = np.unique(first * size + second, return_counts=True)
    starts = np.searchsorted(code, np.arange(size + 1) * size)
    return starts.astype(np.int64), (code % size).astype(np.int32), count.astype(np.int32)


def _paths(owner: NDArray[np.int64], pairs: NDArray[np.int64]) -> dict[int, str]:
    """Return the path of each slot: from the last merge, which is the root, down; 0 is the kept one."""
    paths = {int(owner[0]): ""} if not len(pairs) else {int(pairs[-1][0]): ""}
    for kept, gone in pairs[::-1].tolist():
        above = paths[kept]
        paths[kept], paths[gone] = f"{above}0", f"{above}1"
    return paths


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
