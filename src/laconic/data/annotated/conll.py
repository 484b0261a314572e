"""CoNLL column files: one token a line, columns apart by white space (or tabs), a blank line after each sentence.

Lines whose first column is ``-DOCSTART-`` mark documents and are left out, wherever they stand. Lines that start with
``#`` are comments in CoNLL-U files only: elsewhere ``#`` is a word. `Cells` is the one reader of all these files;
`laconic.data.annotated.treebank` adds trees.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.files.lines import OLD_LINE_ENDS, read_text, source_name

DOCUMENT = "-DOCSTART-"
CONLLU = ("id", "word", "lemma", "pos", "xpos", "feats", "head", "deprel", "deps", "misc")
TAG = "tag"
MARKER = -1  # lines that are no token
SPACES = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "  # in ASCII, of those that str.split knows
_NO_WORD = re.compile(r"\d+[-.]\d+(\t|$)")  # in CoNLL-U, a word of several tokens (3-4) or an empty node (3.1)
_ODD_SPACE = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")  # and the others


def read_conll(
    path: str | os.PathLike | None, columns: Sequence[str] | None = None, sep: str | None = None
) -> Sentences:
    """Read a column file; compressed ones (.gz, .xz, .zst) too.

    Parameters
    ----------
    path : path or None
        None is standard input. A name that ends in ``.conllu`` (before ``.gz`` and the like) is read as CoNLL-U.
    columns : sequence of str, optional
        Names of all columns. Default: ``word``, ``pos``, then ``column3`` … with ``tag`` as the last one; for two
        columns ``word`` and ``tag``; for one ``word``.
    sep : str, optional
        What separates the columns; default: any white space, for CoNLL-U a tab.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "two.conll")
    ...     _ = file.write_text("We PRP B-NP\\nsang VBD B-VP\\n\\nStop VB B-VP\\n")
    ...     read_conll(file)
    <2 sentences, 3 tokens, columns word, pos, tag>
    """
    return columns_of(*column_text(path), columns, sep, path is not None and ".conllu" in Path(path).suffixes)


def columns_of(
    text: str, name: str, columns: Sequence[str] | None = None, sep: str | None = None, conllu: bool = False
) -> Sentences:
    """Return the sentences in the text of a column file; arguments are those of `read_conll`."""
    cells = Cells.of(text, name, "\t" if conllu and sep is None else sep, conllu, conllu)
    if not cells.width:
        raise ValueError(f"{name} has no tokens; a column file has one token a line.")
    named = _names(cells.width, columns, conllu, name, int(cells.lines[0]))
    values = map(cells.column, range(cells.width))
    return Sentences(dict(zip(named, values, strict=True)), cells.lengths, name, cells.lines)


def column_text(path: str | os.PathLike | None) -> tuple[str, str]:
    """Return the text of a column file, or of standard input, with ``\\n`` for every line end; and its name."""
    file = None if path is None else Path(path)
    name, text = source_name(file), read_text(file).replace("\r\n", "\n")
    if (at := text.find("\r")) >= 0:
        raise ValueError(f"{name}, line {text.count(chr(10), 0, at) + 1}: {OLD_LINE_ENDS}")
    return text, name


@dataclass(frozen=True)
class Cells:
    """The cells of all tokens, one after another; how many tokens each sentence has; each token's line, from 1."""

    flat: list[str]
    width: int
    lengths: list[int]
    lines: NDArray[np.int64]

    @classmethod
    def of(cls, text: str, name: str, sep: str | None, numbered: bool, commented: bool) -> "Cells":
        """Split a text; ``numbered`` are the words of CoNLL-U, which is ``commented``, as another file may be."""
        plain = sep is None and not commented and not _ODD_SPACE.search(text)
        flat, sizes = _split_plain(text) if plain else _split_lines(text, sep, numbered, commented)
        tokens = np.flatnonzero(sizes > 0)
        if not len(tokens):
            return cls([], 0, [], tokens)
        first, width = int(tokens[0]), int(sizes[tokens[0]])
        odd = np.flatnonzero((sizes > 0) & (sizes != width))
        if len(odd):
            raise ValueError(
                f"{name}, line {odd[0] + 1}: {sizes[odd[0]]} columns, but line {first + 1} has {width}; every token "
                "needs the same columns."
            )
        of_sentence = np.bincount(np.cumsum(sizes == 0)[tokens])  # tokens after so many blank lines
        return cls(flat, width, of_sentence[of_sentence > 0].tolist(), tokens + 1)

    def column(self, place: int) -> list[str]:
        """Return one column; equal strings are kept once."""
        values = self.flat[place :: self.width]
        shared: dict[str, str] = {}
        return list(map(shared.setdefault, values, values))


def _split_plain(text: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the cells of all tokens, and how many each line has, counted on the bytes of a text without odd spaces."""
    letters = np.frombuffer(text.encode(), dtype=np.uint8)
    space = np.zeros(256, dtype=np.bool_)
    space[list(SPACES)] = True
    blank = space[letters]
    begins = ~blank
    begins[1:] &= blank[:-1]
    ends = np.flatnonzero(letters == ord("\n"))
    sizes = np.bincount(np.searchsorted(ends, np.flatnonzero(begins)), minlength=len(ends) + 1).astype(np.int64)
    flat = text.split()
    if DOCUMENT in text:
        starts = np.cumsum(sizes) - sizes
        lines = [line for line in np.flatnonzero(sizes).tolist() if flat[starts[line]].startswith(DOCUMENT)]
        kept = np.ones(len(sizes), dtype=np.bool_)
        kept[lines] = False
        flat = list(compress(flat, np.repeat(kept, sizes).tolist()))
        sizes[lines] = MARKER
    return flat, sizes


def _split_lines(text: str, sep: str | None, numbered: bool, commented: bool) -> tuple[list[str], NDArray[np.int64]]:
    """Return the same for any separator, and with comments, line by line."""
    lines = text.split("\n")
    cells = partial(str.split, sep=sep)
    sizes = np.fromiter(map(len, map(cells, lines)), dtype=np.int64, count=len(lines))
    width = 0
    for number, line in enumerate(lines):
        comment = commented and line[:1] == "#" and sizes[number] != width  # a word may be "#"
        if not line or (commented and not line.strip()):
            sizes[number] = 0
        elif comment or line.lstrip().startswith(DOCUMENT) or (numbered and _NO_WORD.match(line)):
            sizes[number] = MARKER
        else:
            width = width or sizes[number]
    return list(chain.from_iterable(map(cells, compress(lines, (sizes > 0).tolist())))), sizes


def _names(width: int, columns: Sequence[str] | None, conllu: bool, name: str, first: int) -> tuple[str, ...]:
    if columns is None and conllu and width == len(CONLLU):
        return CONLLU
    if columns is None:
        middle = ("pos", *(f"column{i + 1}" for i in range(2, width - 1)))
        return ("word", *middle[: max(width - 2, 0)], *((TAG,) if width > 1 else ()))
    if len(columns) != width:
        raise ValueError(
            f"{name}, line {first}, has {width} columns, but {len(columns)} names were given: {', '.join(columns)}."
        )
    if len(set(columns)) < width:
        raise ValueError(f"Two columns have the same name in {', '.join(columns)}.")
    return tuple(columns)
