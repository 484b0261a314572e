"""`Sentences`: tokens with columns, one flat list a column, so that millions of tokens stay quick to read and count.

To everything else it is a sequence with one element a sentence: ``{"word": […], "pos": […]}``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from laconic.core.values import excerpt

WORD = "word"


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
