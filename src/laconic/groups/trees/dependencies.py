"""Dependency trees in CoNLL-U: every word with all that hangs on it, directly or not, is a constituent.

The words below a word need not stand side by side; of two such sets one holds the other or they share nothing, so the
sets of a sentence are nested.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from laconic.data.annotated.treebank import read_treebank
from laconic.groups.trees.bracketed import Parsed


def read_conllu(path: Path) -> Iterator[Parsed]:
    """Yield the sentences of a file, also of a compressed one."""
    bank = read_treebank(path)
    words, relations, heads = bank.sentences.columns["word"], bank.relations or [], bank.trees.tolist()
    for start, end in pairwise(bank.sentences.ends.tolist()):
        below = _below(heads[start:end])
        yield Parsed(words[start:end], list(zip(relations[start:end], below, strict=True)))


def _below(heads: list[int]) -> list[list[int]]:
    """Return for each word the places of the words below it and its own."""
    below: list[list[int]] = [[] for _ in heads]
    for i in range(len(heads)):
        node = i + 1
        while node:
            below[node - 1].append(i)
            node = heads[node - 1]
    return below
