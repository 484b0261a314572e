"""Treebanks: dependency trees in CoNLL-X and CoNLL-U files, read, checked, and written back line by line.

Both formats have ten columns with tabs between them: ID FORM LEMMA tag fine-tag FEATS HEAD DEPREL and two more.
Comments, words of several tokens (``3-4``) and empty nodes (``3.1``) are no tokens of a tree; they are kept and written
back where they stood. Files of three or four columns are taken to be word, tag, head and relation.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.files.lines import STANDARD_INPUT, read_text

WIDTH = 10
COLUMNS = ("word", "lemma", "pos", "xpos", "feats")  # the second to the sixth column of a file
HEAD, RELATION = 6, 7
BLANK = "_"
PLAIN_WIDTHS = (3, 4)  # word, tag, head and perhaps the relation


@dataclass(frozen=True)
class Treebank:
    """Sentences with their trees.

    Parameters
    ----------
    sentences : Sentences
        With the columns word, lemma, pos, xpos and feats; ``_`` is a cell without a value.
    heads : ndarray of int64 or None
        For each token, sentences one after another, the number of its head in the sentence: 0 is the root.
    relations : list of str or None
    lines : list of str
        All lines of the file, in order.
    places : ndarray of int64
        For each token the number of its line, from 0.
    """

    sentences: Sentences
    heads: NDArray[np.int64] | None
    relations: list[str] | None
    lines: list[str]
    places: NDArray[np.int64]

    @property
    def trees(self) -> NDArray[np.int64]:
        """The heads; an error where the sentences were read without trees."""
        if self.heads is None:
            raise ValueError(f"{self.sentences.source} was read without its trees.")
        return self.heads

    @property
    def arcs(self) -> list[list[tuple[int, str]]]:
        """For each sentence the pairs (head, relation) of its words, as `DependencyParser.fit` takes them."""
        names = self.relations or [BLANK] * self.n_tokens
        pairs = list(zip(self.trees.tolist(), names, strict=True))
        return Sentences({"arc": pairs}, self.sentences.lengths).split("arc")

    @property
    def n_tokens(self) -> int:
        """Tokens of all sentences."""
        return self.sentences.n_tokens

    def take(self, which: Sequence[int]) -> "Treebank":
        """Return some sentences; comments and lines that are no tokens stay behind."""
        ends = self.sentences.ends
        tokens = np.concatenate([np.arange(ends[i], ends[i + 1]) for i in which] or [np.zeros(0, dtype=np.int64)])
        heads = None if self.heads is None else self.heads[tokens]
        relations = None if self.relations is None else [self.relations[i] for i in tokens]
        lines: list[str] = []
        places = []
        for i in which:
            for place in self.places[ends[i] : ends[i + 1]]:
                places.append(len(lines))
                lines.append(self.lines[place])
            lines.append("")
        return Treebank(self.sentences.take(which), heads, relations, lines, np.array(places, dtype=np.int64))


def read_treebank(path: str | os.PathLike | None, parsed: bool = True) -> Treebank:
    """Read a CoNLL-X or CoNLL-U file; compressed ones (.gz, .xz, .zst) too.

    Parameters
    ----------
    path : path or None
        None is standard input.
    parsed : bool, default=True
        Whether there must be trees. Otherwise heads and relations are not looked at.

    Raises
    ------
    ValueError
        Naming file and line, if a line lacks columns, words are not numbered 1, 2, …, or heads are no tree.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> rows = ["1 We we PRON P _ 2 nsubj _ _", "2 sang sing VERB V _ 0 root _ _"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "one.conllu")
    ...     _ = file.write_text("\\n".join(rows).replace(" ", "\\t"))
    ...     trees = read_treebank(file)
    >>> trees.sentences.columns["word"], trees.heads.tolist(), trees.relations
    (['We', 'sang'], [2, 0], ['nsubj', 'root'])
    """
    file = None if path is None else Path(path)
    name = STANDARD_INPUT if file is None else str(file)
    if file is not None and not file.exists():
        raise FileNotFoundError(f"There is no file {name}. Check the name.")
    if file is not None and file.is_dir():
        raise ValueError(f"{name} is a folder; name a treebank file.")
    lines = read_text(file).replace("\r\n", "\n").split("\n")
    rows, places, lengths = _tokens(lines, name)
    if not rows:
        raise ValueError(f"{name} has no tokens; a treebank has one token a line, in ten columns with tabs between.")
    if len(rows[0]) != WIDTH:
        rows = [_as_ten(row) for row in rows]
    columns = {}
    for number, column in enumerate(COLUMNS, 1):
        shared: dict[str, str] = {}
        columns[column] = [shared.setdefault(row[number], row[number]) for row in rows]
    found = np.array(places, dtype=np.int64)
    sentences = Sentences(columns, lengths, name, found + 1)
    if not parsed:
        return Treebank(sentences, None, None, lines, found)
    heads = _heads([row[HEAD] for row in rows], name, places)
    check_trees(heads, sentences)
    return Treebank(sentences, heads, [row[RELATION] for row in rows], lines, found)


def check_trees(heads: NDArray[np.int64], sentences: Sentences) -> None:
    """Refuse heads that are no trees: out of range, without a root, or going round in a circle.

    Raises
    ------
    ValueError
        Saying where.
    """
    for number, (start, end) in enumerate(zip(sentences.ends[:-1].tolist(), sentences.ends[1:].tolist(), strict=True)):
        of = heads[start:end].tolist()
        n = len(of)
        for token, head in enumerate(of):
            if not 0 <= head <= n or head == token + 1:
                told = "its own head" if head == token + 1 else f"under word {head}, but the sentence has {n} words"
                raise ValueError(f"{sentences.where(number, token)}: the word is {told}; a head is another word, or 0.")
        if n and 0 not in of:
            raise ValueError(
                f"{sentences.where(number, 0)}: no word of the sentence has the head 0; a tree needs a root."
            )
        reached = [False] * n
        for token in range(n):
            path: list[int] = []
            at = token + 1
            while at and not reached[at - 1]:
                if len(path) > n:
                    raise ValueError(
                        f"{sentences.where(number, token)}: heads go round in a circle; it is no tree. Correct them."
                    )
                path.append(at)
                at = of[at - 1]
            for one in path:
                reached[one - 1] = True


def write_treebank(
    stream: TextIO,
    treebank: Treebank,
    heads: Iterable[int],
    relations: Sequence[str],
    tags: Sequence[str] | None = None,
) -> None:
    """Write the lines of a treebank with other heads and relations; all else stays as it was read.

    Parameters
    ----------
    stream : text stream
    treebank : Treebank
    heads : iterable of int
        For each token.
    relations : sequence of str
    tags : sequence of str, optional
        For the fourth column.
    """
    lines = list(treebank.lines)
    ends = set((treebank.sentences.ends[1:] - 1).tolist())
    first = 0
    for token, (place, head) in enumerate(zip(treebank.places.tolist(), heads, strict=True)):
        row = lines[place].split("\t")
        if len(row) != WIDTH:
            row = _as_ten(row)
            row[0] = str(token - first + 1)
        if tags is not None:
            row[3] = tags[token]
        row[HEAD], row[RELATION] = str(head), relations[token]
        lines[place] = "\t".join(row)
        if token in ends:
            first = token + 1
    text = "\n".join(lines).rstrip("\n")
    stream.write(f"{text}\n\n")


def _tokens(lines: list[str], name: str) -> tuple[list[list[str]], list[int], list[int]]:
    """Return the cells of all tokens, the places of their lines, and the lengths of sentences."""
    rows: list[list[str]] = []
    places: list[int] = []
    lengths: list[int] = []
    length, width = 0, 0
    for place, line in enumerate(lines):
        if not line.strip():
            if length:
                lengths.append(length)
                length = 0
            continue
        cells = line.split("\t")
        if cells[0].startswith("#") and len(cells) != width:
            continue
        if not width:
            if len(cells) != WIDTH and len(cells) not in PLAIN_WIDTHS:
                raise ValueError(
                    f"{name}, line {place + 1}: a treebank has {WIDTH} columns with tabs between them (or word, tag, "
                    f"head), here {'is' if len(cells) == 1 else 'are'} {len(cells)}."
                )
            width = len(cells)
        if len(cells) != width:
            raise ValueError(
                f"{name}, line {place + 1}: {len(cells)} columns, but {width} above; every token needs the same."
            )
        if width == WIDTH:
            if not cells[0].isdecimal() and _is_no_token(cells[0]):
                continue
            if cells[0] != str(length + 1):
                raise ValueError(
                    f"{name}, line {place + 1}: the word has the number {cells[0]!r}, not {length + 1}; words are "
                    "numbered from 1, and a blank line ends a sentence."
                )
        rows.append(cells)
        places.append(place)
        length += 1
    if length:
        lengths.append(length)
    return rows, places, lengths


def _is_no_token(number: str) -> bool:
    """Say whether it is the number of a word of several tokens (3-4) or of an empty node (3.1)."""
    return any(len(parts := number.split(mark)) == 2 and parts[0].isdecimal() and parts[1].isdecimal() for mark in "-.")


def _as_ten(row: list[str]) -> list[str]:
    word, tag, head, *relation = row
    return [BLANK, word, BLANK, tag, BLANK, BLANK, head, *(relation or [BLANK]), BLANK, BLANK]


def _heads(cells: list[str], name: str, places: list[int]) -> NDArray[np.int64]:
    for cell, place in zip(cells, places, strict=True):
        if not cell.isdecimal():
            raise ValueError(
                f"{name}, line {place + 1}: the head is {cell!r}; it must be the number of a word, or 0. Sentences "
                "without trees can be parsed, not learned from or scored on."
            )
    return np.array(list(map(int, cells)), dtype=np.int64)
