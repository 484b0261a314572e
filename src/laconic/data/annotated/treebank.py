"""Treebanks: dependency trees in CoNLL-X and CoNLL-U files, read, checked, and written back line by line.

Both formats have ten columns with tabs between them: ID FORM LEMMA tag fine-tag FEATS HEAD DEPREL and two more.
Comments, words of several tokens (``3-4``) and empty nodes (``3.1``) are no tokens of a tree; they are kept and written
back where they stood. Files of three or four columns are taken to be word, tag, head and relation.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from laconic.core.values import excerpt
from laconic.data.annotated.sentences import Cells, Sentences, column_text

WIDTH = 10
COLUMNS = ("word", "lemma", "pos", "xpos", "feats")  # the second to the sixth column of a file
HEAD, RELATION = 6, 7
BLANK = "_"
PLAIN_WIDTHS = (3, 4)  # word, tag, head and perhaps the relation
LONGEST_NUMBER = 9  # digits of a head
_FEW = {1: 0, 3: 1, HEAD: 2, RELATION: 3}  # where the columns of ten stand in three or four


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
    text, name = column_text(path)
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and line[0] != "#"), "")
    cells = Cells.of(text, name, "\t", numbered=first.count("\t") + 1 == WIDTH, commented=True)
    if not cells.width:
        raise ValueError(f"{name} has no tokens; a treebank has one token a line, in ten columns with tabs between.")
    if cells.width not in (WIDTH, *PLAIN_WIDTHS):
        raise ValueError(
            f"{name}, line {cells.lines[0]}: a treebank has {WIDTH} columns with tabs between them (or word, tag, "
            f"head), here {'is' if cells.width == 1 else 'are'} {cells.width}."
        )
    column = cells.column if cells.width == WIDTH else partial(_column_of_few, cells)
    words = Sentences({kind: column(i) for i, kind in enumerate(COLUMNS, 1)}, cells.lengths, name, cells.lines)
    if cells.width == WIDTH:
        _check_numbers(column(0), words)
    if not parsed:
        return Treebank(words, None, None, lines, cells.lines - 1)
    heads = _heads(column(HEAD), words)
    check_trees(heads, words)
    return Treebank(words, heads, column(RELATION), lines, cells.lines - 1)


def check_trees(heads: NDArray[np.int64], sentences: Sentences) -> None:
    """Refuse heads that are no trees: out of range, without a root, or going round in a circle."""
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
            for node in path:
                reached[node - 1] = True


def write_treebank(
    stream: TextIO,
    treebank: Treebank,
    heads: Iterable[int],
    relations: Sequence[str],
    tags: Sequence[str] | None = None,
) -> None:
    """Write the lines of a treebank with other heads, relations and, in the fourth column, tags."""
    lines = list(treebank.lines)
    ends = set((treebank.sentences.ends[1:] - 1).tolist())
    first = 0
    for token, (place, head) in enumerate(zip(treebank.places.tolist(), heads, strict=True)):
        row = lines[place].split("\t")
        if len(row) != WIDTH:
            word, tag, head_before, *relation = row
            number = str(token - first + 1)
            row = [number, word, BLANK, tag, BLANK, BLANK, head_before, *(relation or [BLANK]), BLANK, BLANK]
        if tags is not None:
            row[3] = tags[token]
        row[HEAD], row[RELATION] = str(head), relations[token]
        lines[place] = "\t".join(row)
        if token in ends:
            first = token + 1
    text = "\n".join(lines).rstrip("\n")
    stream.write(f"{text}\n\n")


def _column_of_few(cells: Cells, place: int) -> list[str]:
    """Return one of the ten columns of a file that has word, tag, head and perhaps the relation."""
    few = _FEW.get(place, cells.width)
    return cells.column(few) if few < cells.width else [BLANK] * len(cells.lines)


def _check_numbers(numbers: list[str], words: Sentences) -> None:
    counted = [str(number) for length in words.lengths.tolist() for number in range(1, length + 1)]
    if numbers != counted:
        at = next(i for i, (number, right) in enumerate(zip(numbers, counted, strict=True)) if number != right)
        raise ValueError(
            f"{words.line(at)}: the word has the number {excerpt(numbers[at])}, not {counted[at]}; words are numbered "
            "from 1, and a blank line ends a sentence."
        )


def _heads(cells: list[str], words: Sentences) -> NDArray[np.int64]:
    for at, cell in enumerate(cells):
        if not cell.isdecimal() or len(cell) > LONGEST_NUMBER:
            raise ValueError(
                f"{words.line(at)}: the head is {excerpt(cell)}; it must be the number of a word, or 0. Sentences "
                "without trees can be parsed, not learned from or scored on."
            )
    return np.array(list(map(int, cells)), dtype=np.int64)
