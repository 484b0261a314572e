"""Files of Brown clusters as Liang's program writes them (``paths``): ``bits <tab> word <tab> count`` in every line."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.core.atomic import write_file
from laconic.core.files import check_regular
from laconic.core.values import excerpt
from laconic.data.files.lines import read_lines

DIGITS = 18  # of a count
DEEPEST = 255  # bits that a path of a file may have, of however few clusters
_BITS = re.compile(r"[01]*")


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
