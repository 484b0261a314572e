"""`Sentences`: tokens with columns, one flat list a column, so that millions of tokens stay quick to read and count.

To everything else it is a sequence with one element a sentence: ``{"word": […], "pos": […]}``.

CoNLL column files have one token a line, columns apart by white space (or tabs), a blank line after each sentence.
Lines whose first column is ``-DOCSTART-`` mark documents and are left out, wherever they stand. Lines that start with
``#`` are comments in CoNLL-U files only: elsewhere ``#`` is a word. `Cells` is the one reader of all these files;
`laconic.data.annotated.treebank` adds trees.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, compress, pairwise
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from laconic.core.values import excerpt
from laconic.data.files.lines import OLD_LINE_ENDS, read_text, source_name

WORD = "word"
DOCUMENT = "-DOCSTART-"
CONLLU = ("id", "word", "lemma", "pos", "xpos", "feats", "head", "deprel", "deps", "misc")
TAG = "tag"
MARKER = -1  # lines that are no token
SPACES = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "  # in ASCII, of those that str.split knows
_NO_WORD = re.compile(r"\d+[-.]\d+(\t|$)")  # in CoNLL-U, a word of several tokens (3-4) or an empty node (3.1)
_ODD_SPACE = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")  # and the others


class Sentences(Sequence):
    """Sentences as columns.

    Parameters
    ----------
    columns : mapping
        Name to one value per token, all sentences one after another.
    lengths : sequence of int
        Tokens of each sentence.
    source : str
        What they were read from, for messages.
    lines : ndarray of int64, optional
        The line that each token was read from, counted from 1, for messages.

    Examples
    --------
    >>> two = Sentences.of([["We", "sang"], ["Stop"]])
    >>> len(two), two.n_tokens, two[0]
    (2, 3, {'word': ['We', 'sang']})
    """

    def __init__(
        self,
        columns: Mapping[str, list],
        lengths: Iterable[int],
        source: str = "the sentences",
        lines: NDArray[np.int64] | None = None,
    ) -> None:
        self.columns = dict(columns)
        self.lengths: NDArray[np.int64] = np.fromiter(lengths, dtype=np.int64)
        self.ends: NDArray[np.int64] = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        self.source = source
        self._lines = lines
        for name, values in self.columns.items():
            if len(values) != self.n_tokens:
                raise ValueError(f"Column {name!r} has {len(values)} values for {self.n_tokens} tokens.")

    @property
    def n_tokens(self) -> int:
        """Tokens of all sentences."""
        return int(self.ends[-1])

    @classmethod
    def of(cls, given: Any) -> "Sentences":
        """Take sentences in any form: lists of words, lists of dicts, dicts of columns, or `Sentences`.

        An error names the sentence and the token that is not like the others.
        """
        if isinstance(given, Sentences):
            return given
        if isinstance(given, (str, Mapping)):
            raise TypeError("Pass a list of sentences; for one sentence a list with one element.")
        return _flattened(given)

    def with_column(self, name: str, values: list) -> "Sentences":
        """Return the same sentences with a column added or replaced."""
        return Sentences({**self.columns, name: values}, self.lengths, self.source)

    def split(self, name: str) -> list[list]:
        """Return one column as a list of lists, one a sentence."""
        values = self.columns[name]
        ends = self.ends.tolist()
        return [values[start:end] for start, end in pairwise(ends)]

    def where(self, sentence: int, token: int) -> str:
        """Return where a token comes from, counted from 1, with the line if it is known."""
        line = self.line(self.ends[sentence] + token)
        return f"{line}, token {token + 1} of sentence {sentence + 1}"

    def line(self, token: int) -> str:
        """Return the source and, if it is known, the line of a token, counted over all sentences."""
        return self.source if self._lines is None else f"{self.source}, line {self._lines[token]}"

    def take(self, which: Sequence[int] | NDArray) -> "Sentences":
        """Return some sentences, in the given order."""
        ends = self.ends.tolist()
        picked = [int(i) for i in which]
        columns = {
            name: [value for i in picked for value in values[ends[i] : ends[i + 1]]]
            for name, values in self.columns.items()
        }
        return Sentences(columns, self.lengths[picked], self.source)

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, i: int) -> dict[str, list]: ...
    @overload
    def __getitem__(self, i: slice) -> "Sentences": ...
    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return self.take(range(*i.indices(len(self))))
        if not -len(self) <= i < len(self):
            raise IndexError(f"There is no sentence {i}; there are {len(self)}.")
        start, end = self.ends[i % len(self)], self.ends[i % len(self) + 1]
        return {name: values[start:end] for name, values in self.columns.items()}

    def __iter__(self) -> Iterator[dict[str, list]]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self):,} sentences, {self.n_tokens:,} tokens, columns {', '.join(self.columns)}>"


def flat_tags(tags: Any, sentences: Sentences) -> list[str]:
    """Return tags, one list a sentence, as one list; refuse those that do not fit the sentences."""
    given = list(tags)
    if len(given) != len(sentences):
        raise ValueError(f"There are {len(sentences)} sentences but tags for {len(given)}.")
    for i, (own, length) in enumerate(zip(given, sentences.lengths.tolist(), strict=True)):
        if isinstance(own, str) or len(own) != length:
            raise ValueError(f"Sentence {i} has {length} tokens, but its tags are {excerpt(own)}.")
    flat = [tag for own in given for tag in own]
    if not set(map(type, flat)) <= {str} or "" in flat:  # a look at all of them at once, then at each
        for tag in flat:
            if not isinstance(tag, str) or not tag:
                raise ValueError(f"A tag must be a string that is not empty, not {tag!r}.")
    return flat


def _flattened(given: Iterable[Any]) -> Sentences:
    columns: dict[str, list] = {}
    lengths: list[int] = []
    names: set[str] | None = None
    for number, sentence in enumerate(given):
        own = _columns_of(sentence, number)
        if names is None:
            names = set(own)
            columns = {name: [] for name in own}
        elif set(own) != names and own:
            odd = sorted(set(own) ^ names)[0]
            raise ValueError(
                f"Sentence {number} {'lacks' if odd in names else 'has'} the column {odd!r}; all sentences need the "
                "same columns."
            )
        sizes = {name: len(values) for name, values in own.items()}
        if len(set(sizes.values())) > 1:
            raise ValueError(f"The columns of sentence {number} differ in length: {sizes}.")
        lengths.append(next(iter(sizes.values()), 0))
        for name, values in own.items():
            columns[name].extend(values)
    return Sentences(columns or {WORD: []}, lengths)


def _columns_of(sentence: Any, number: int) -> dict[str, list]:
    if isinstance(sentence, Mapping):
        return {name: list(values) for name, values in sentence.items()}
    if isinstance(sentence, str) or not isinstance(sentence, Iterable):
        raise TypeError(
            f"Sentence {number} is {excerpt(sentence)}; a sentence is a list of words, a list of dicts such as "
            '{"word": …, "pos": …}, or a dict of columns.'
        )
    tokens = list(sentence)
    if not tokens or all(isinstance(token, str) for token in tokens):
        return {WORD: tokens}
    columns: dict[str, list] = {}
    for place, token in enumerate(tokens):
        if not isinstance(token, Mapping):
            raise TypeError(f"Token {place} of sentence {number} is {excerpt(token)}, not a string or a dict.")
        if place and set(token) != set(columns):
            odd = sorted(set(token) ^ set(columns))[0]
            raise ValueError(
                f"Token {place} of sentence {number} {'lacks' if odd in columns else 'has'} {odd!r}; all tokens need "
                "the same columns."
            )
        for name, value in token.items():
            columns.setdefault(name, []).append(value)
    return columns


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
