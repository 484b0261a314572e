"""Bracketed trees, as of the Penn Treebank or the Stanford Sentiment Treebank: words and the constituents over them.

``(S (NP (DT The) (NNS actors)) (VP (VBP are) (ADJP (JJ fantastic))))`` has four words; each pair of brackets is a
constituent with a label and the words inside it. Brackets without a label, as around the trees of the Penn Treebank,
are no constituent. Traces (``-NONE-``) are no words, and ``-LRB-`` and the like stand for brackets. The parser of
stanza (Qi et al. 2020) writes them for a `Corpus`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from laconic.core.extras import need
from laconic.data.annotated.treebank import read_treebank
from laconic.data.corpus import Corpus
from laconic.groups.builder import report

ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
TRACE = "-NONE-"
_PARTS = re.compile(r"[()]|[^\s()]+")
_WRITTEN = {sign: name for name, sign in ESCAPES.items()}


@dataclass(frozen=True)
class Parsed:
    """A sentence with its constituents: the label of each and the places of its words, from 0."""

    words: Sequence[str]
    constituents: Sequence[tuple[str, Sequence[int]]]


def read_trees(text: str) -> Iterator[Parsed]:
    """Yield the trees of a text; of brackets that do not match the error says the line."""
    words: list[str] = []
    constituents: list[tuple[str, range]] = []
    open_nodes: list[tuple[str, int, int]] = []  # label, first word, where it was opened
    labelling = False  # whether the last part was an opening bracket
    for match in _PARTS.finditer(text):
        part = match[0]
        if part == "(":
            open_nodes.append(("", len(words), match.start()))
            labelling = True
            continue
        if part == ")":
            if not open_nodes:
                raise ValueError(f"line {_line(text, match.start())}: a bracket is closed that was never opened")
            label, first, _ = open_nodes.pop()
            if label and first < len(words):
                constituents.append((label, range(first, len(words))))
            if not open_nodes:
                yield Parsed(words, constituents)
                words, constituents = [], []
        elif not open_nodes:
            raise ValueError(f"line {_line(text, match.start())}: {part!r} stands outside of all brackets")
        elif labelling:
            _, first, at = open_nodes.pop()
            open_nodes.append((part, first, at))
        elif open_nodes[-1][0] != TRACE:
            words.append(ESCAPES.get(part, part.replace("\\/", "/")))
        labelling = False
    if open_nodes:
        where = _line(text, open_nodes[-1][2])
        raise ValueError(f"line {where}: a bracket is opened and never closed ({len(open_nodes)} are open at the end)")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def read_conllu(path: Path) -> Iterator[Parsed]:
    """Yield the sentences of a CoNLL-U file, also of a compressed one.

    Every word with all that hangs on it, directly or not, is a constituent. The words below a word need not stand side
    by side; of two such sets one holds the other or they share nothing, so the sets of a sentence are nested.
    """
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


def parsed_by_stanza(corpus: Corpus, pipeline: Callable[[str], Any] | None = None, language: str = "en") -> Corpus:
    """Return the corpus with the trees of its texts, one tree a sentence, for `ConstituentGroups`.

    Parameters
    ----------
    corpus : Corpus
    pipeline : stanza.Pipeline, optional
        With the processor ``constituency``; None loads stanza's for the language, whose models must have been fetched
        (``stanza.download("en")``), and raises ImportError if stanza is not installed.
    language : str, default="en"
    """
    if pipeline is None:
        stanza = need("stanza", "Parsing texts", ". Or give trees of your own.")
        pipeline = stanza.Pipeline(language, processors="tokenize,pos,constituency", verbose=False)
    trees = []
    for done, text in enumerate(corpus.texts, 1):
        sentences = pipeline(text).sentences if text.strip() else []
        trees.append("\n".join(_bracketed(sentence.constituency) for sentence in sentences))
        report(done, len(corpus), "parsing")
    return replace(corpus, trees=tuple(trees))


def _bracketed(tree: Any) -> str:
    """Return a tree of nodes with ``label`` and ``children`` as a bracketed one; a node without children is a word."""
    if not tree.children:
        return "".join(_WRITTEN.get(sign, sign) for sign in tree.label)
    return f"({tree.label} {' '.join(map(_bracketed, tree.children))})"
