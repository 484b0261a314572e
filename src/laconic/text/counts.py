"""Counts of features, document by document, and documents that keep theirs.

Cross-validation looks at the same documents again and again: each fold, method and prediction would find and count
their words anew. `CountedTexts` are counted once; their slices share the counts.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from laconic.text.analyzer import Analyzer
    from laconic.text.vocabulary import Vocabulary

SLICES = 4  # remembered: both sides of two folds that are fitted at the same time


@dataclass(frozen=True, eq=False)
class Counts:
    """Rows of (column, count) pairs, one after the other; `lengths` says how many pairs each document has."""

    lengths: np.ndarray
    columns: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, ids: array, lengths: array) -> Counts:
        """Count the repetitions in a chunk of documents; ids below zero are dropped."""
        from scipy.sparse import csr_array

        columns, row_lengths = np.frombuffer(ids, dtype=np.intc), np.frombuffer(lengths, dtype=np.int64)
        raw = cls(row_lengths, columns, np.ones(len(columns), dtype=np.int32)).known()
        width = int(raw.columns.max(initial=0)) + 1
        matrix = csr_array((raw.counts, raw.columns, raw.indptr()), shape=(len(lengths), width))
        matrix.sum_duplicates()
        return cls(np.diff(matrix.indptr), matrix.indices, matrix.data)

    @classmethod
    def joined(cls, parts: list[Counts]) -> Counts:
        """Put chunks of documents one after the other."""
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))

    def known(self) -> Counts:
        """Drop the pairs whose column is below zero."""
        keep = self.columns >= 0
        if keep.all():
            return self
        before = np.concatenate([[0], np.cumsum(keep)])  # kept pairs before each pair
        return Counts(np.diff(before[self.indptr()]), self.columns[keep], self.counts[keep])

    def renumbered(self, numbers: np.ndarray) -> Counts:
        """Give every column its new number; a number below zero drops the column."""
        return Counts(self.lengths, numbers[self.columns], self.counts).known()

    def rows(self, indices: np.ndarray) -> Counts:
        """Return the pairs of some documents, in the order of ``indices``."""
        starts = np.concatenate([[0], np.cumsum(self.lengths)])[indices]
        lengths = self.lengths[indices]
        before = np.cumsum(lengths) - lengths
        pairs = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
        return Counts(lengths, self.columns[pairs], self.counts[pairs])

    def sorted(self) -> Counts:
        """Return the same pairs with the columns of each document in ascending order."""
        order = np.lexsort((self.columns, np.repeat(np.arange(len(self.lengths)), self.lengths)))
        return Counts(self.lengths, self.columns[order], self.counts[order])

    def indptr(self) -> np.ndarray:
        """Return where each document's pairs start and end; scipy keeps indices in int32 only if this is int32."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        if len(ends) and ends[-1] > np.iinfo(np.int32).max:
            raise ValueError(f"The matrix would have {ends[-1]} cells; at most 2147483647 fit. Split the corpus.")
        return np.concatenate([[0], ends]).astype(np.int32)


def texts_of(documents: Iterable[Any]) -> list[Any]:
    """Return the texts of documents; a text stands for itself."""
    return [getattr(document, "text", document) for document in documents]


class CountedTexts(Sequence[Any]):
    """Documents with the counts of their features, from `BagOfWords.count`; a slice by an array shares the counts."""

    def __init__(self, documents: Sequence[Any], analyzer: Analyzer, words: tuple[str, ...], counts: Counts) -> None:
        self.documents, self.analyzer, self.words, self.counts = documents, analyzer, words, counts
        self.shape = (len(documents),)
        self._slices: OrderedDict[bytes, CountedTexts] = OrderedDict()
        self._made: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.documents)

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, np.ndarray):
            return self.documents[place]
        key = place.tobytes()
        if key not in self._slices:
            documents = [self.documents[i] for i in place]
            self._slices[key] = CountedTexts(documents, self.analyzer, self.words, self.counts.rows(place))
            if len(self._slices) > SLICES:
                self._slices.popitem(last=False)
        return self._slices[key]

    @property
    def texts(self) -> list[Any]:
        """The texts of the documents."""
        return texts_of(self.documents)

    def remembered(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what was made under a key before, or make it."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def over(self, vocabulary: Vocabulary) -> Counts:
        """Return the counts with the columns of a vocabulary; other features are dropped."""
        numbers = np.fromiter((vocabulary.index.get(word, -1) for word in self.words), np.int32, len(self.words))
        return self.counts.renumbered(numbers)
