"""Brown clusters of texts: a hierarchy of words by the words beside them.

Brown et al., "Class-based n-gram models of natural language" (1992), with the window of Liang, "Semi-supervised
learning for natural language" (2005): the C most frequent words start as clusters of their own; each further word, by
frequency (of equally frequent ones the first in the alphabet), enters as one more, and the two clusters whose merging
costs the least mutual information become one. At the end the C clusters are merged in the same way down to one, which
gives the hierarchy. Pairs of words are counted within documents. `laconic.kernels.brown` has the formulas and does the
work. Files are as Liang's program writes them (``paths``): ``bits <tab> word <tab> count`` in every line.
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
from laconic.core.values import excerpt
from laconic.data.files.lines import read_lines
from laconic.groups.builder import check_whole, of_words, report
from laconic.text.analyzer import Analyzer, fast_features

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
