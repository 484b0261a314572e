"""The bag of words: documents in, a sparse matrix and its vocabulary out, in one pass.

Each document's features become integers at once, in a dictionary that grows (``vocabulary[new word] = its size``), and
are counted chunk by chunk; no list of tokens outlives its document. The columns are put in alphabetical order at the
end, so that the order of the documents does not matter.

Cells are counts, 0/1, or tf-idf as in scikit-learn's ``TfidfVectorizer``: count · (ln((1 + n) / (1 + df)) + 1), rows of
Euclidean length 1.

Cross-validation looks at the same documents again and again: `CountedTexts` are counted once; their slices share the
counts.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.text.analyzer import Analyzer, fast_features
from laconic.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SLICES = 4  # remembered: both sides of two folds that are fitted at the same time
CELLS = ("count", "binary", "tfidf")
CHUNK = 1 << 20  # features counted at a time
UNKNOWN = -1


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


@dataclass(frozen=True, eq=False)
class Design:
    """The matrix of a corpus and the vocabulary that names its columns.

    Parameters
    ----------
    X : scipy.sparse.csr_array
        Documents × words, float64, int32 indices, sorted in each row.
    vocabulary : Vocabulary
        Word j names column j.

    Examples
    --------
    >>> design = BagOfWords(min_df=2).fit(["to be", "to do"])
    >>> design.X.shape, design.vocabulary.words
    ((2, 1), ('to',))
    """

    X: csr_array
    vocabulary: Vocabulary


@dataclass(frozen=True)
class BagOfWords:
    """How documents become rows of a matrix.

    Parameters
    ----------
    analyzer : Analyzer
        Finds the features; the default takes lower-cased words.
    cells : {"count", "binary", "tfidf"}, default="count"
        What stands in a cell.
    min_df, max_df : int or float, default=1 and 1.0
        Keep words in at least / at most so many documents: an int is a number of documents, a float a share of them.

    Examples
    --------
    >>> design = BagOfWords().fit(["to be or", "not to be to"])
    >>> design.vocabulary.words
    ('be', 'not', 'or', 'to')
    >>> design.X.toarray()
    array([[1., 0., 1., 1.],
           [1., 1., 0., 2.]])
    """

    analyzer: Analyzer = field(default_factory=Analyzer)
    cells: str = "count"
    min_df: int | float = 1
    max_df: int | float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.analyzer, Analyzer):
            raise TypeError(f"analyzer must be an Analyzer, got {type(self.analyzer).__name__}.")
        if self.cells not in CELLS:
            raise ValueError(f"Unknown cells {self.cells!r}; allowed are {', '.join(map(repr, CELLS))}.")
        _check_df("min_df", self.min_df)
        _check_df("max_df", self.max_df)

    def fit(self, docs: Iterable[str] | Iterable[Sequence[str]]) -> Design:
        """Learn the vocabulary of some documents and build their matrix.

        They are read once, and are lists of tokens if the analyzer's kind is "tokens". `CountedTexts` of the same
        analyzer are not read again.
        """
        if isinstance(docs, CountedTexts) and docs.analyzer == self.analyzer:
            return docs.remembered(self, lambda: self._design(docs.words, docs.counts))
        return self._design(*self._counted(docs))

    def count(self, docs: Sequence[Any]) -> CountedTexts:
        """Count the features of texts or documents once, for all designs that share the analyzer."""
        words, counts = self._counted(texts_of(docs))
        return CountedTexts(docs, self.analyzer, words, counts.sorted())

    def _counted(self, docs: Iterable) -> tuple[tuple[str, ...], Counts]:
        """Return the features of some documents in alphabetical order, and their counts."""
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        counts = self._count(docs, lambda features: map(number.__getitem__, features))
        number.default_factory = None  # it refers to the dictionary itself
        words = sorted(number)
        numbers = np.empty(len(words), dtype=np.int32)
        numbers[np.fromiter(map(number.__getitem__, words), dtype=np.int32, count=len(words))] = np.arange(len(words))
        return tuple(words), counts.renumbered(numbers)

    def _design(self, words: tuple[str, ...], counts: Counts) -> Design:
        """Return the design of counted documents; words that none of them holds are left out."""
        n_documents = len(counts.lengths)
        if n_documents == 0:
            raise ValueError("There are no documents; a vocabulary needs at least one.")
        frequency = np.bincount(counts.columns, minlength=len(words))
        present = np.flatnonzero(frequency)
        if not len(present):
            raise ValueError(
                f"None of the {n_documents} documents holds a single feature: the texts are empty, or the analyzer "
                "(tokenizer, n-grams, strip_mail) finds nothing in them. Look at analyzer.features(text) of one text."
            )
        kept = present[self._kept(frequency[present], n_documents)]
        numbers = np.full(len(words), UNKNOWN, dtype=np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        vocabulary = Vocabulary(tuple(words[j] for j in kept), frequency[kept], n_documents)
        return Design(self._matrix(counts.renumbered(numbers), vocabulary), vocabulary)

    def vocabulary_of(self, frequency: Mapping[str, int], n_documents: int) -> Vocabulary:
        """Return the vocabulary after its cuts, from the number of documents that hold each word."""
        words = sorted(frequency)
        counts = np.fromiter(map(frequency.__getitem__, words), dtype=np.int64, count=len(words))
        kept = self._kept(counts, n_documents)
        return Vocabulary(tuple(words[j] for j in np.flatnonzero(kept)), counts[kept], n_documents)

    def transform(self, docs: Iterable[str] | Iterable[Sequence[str]], vocabulary: Vocabulary) -> csr_array:
        """Build the matrix of documents, read once, over a known vocabulary; unknown words are ignored."""
        if isinstance(docs, CountedTexts) and docs.analyzer == self.analyzer:
            return docs.remembered((self, vocabulary), lambda: self._matrix(docs.over(vocabulary), vocabulary))
        known = vocabulary.index.get
        counts = self._count(docs, lambda features: map(known, features, repeat(UNKNOWN)))
        return self._matrix(counts, vocabulary)

    def _count(self, docs: Iterable, number: Callable[[list[str]], Iterable[int]]) -> Counts:
        if isinstance(docs, (str, bytes)):
            raise TypeError("docs must be an iterable of texts, but got a single text: put it in a list.")
        if isinstance(docs, CountedTexts):  # by another analyzer
            docs = docs.texts
        features = fast_features(self.analyzer)
        chunks, lengths, ids = [], array("q"), array("i")
        for doc in docs:
            before = len(ids)
            ids.fromlist(list(number(features(doc))))
            lengths.append(len(ids) - before)
            if len(ids) >= CHUNK:
                chunks.append(Counts.of(ids, lengths))
                lengths, ids = array("q"), array("i")
        chunks.append(Counts.of(ids, lengths))
        return Counts.joined(chunks)

    def limits(self, n_documents: int) -> tuple[float, float]:
        """Return in how many of so many documents a word must be at least, and may be at most."""
        least, most = (d * n_documents if isinstance(d, float) else d for d in (self.min_df, self.max_df))
        return least, most

    def _kept(self, frequency: np.ndarray, n_documents: int) -> np.ndarray:
        least, most = self.limits(n_documents)
        if most < least:
            raise ValueError(
                f"max_df={self.max_df!r} allows {most:g} documents and min_df={self.min_df!r} asks for {least:g} of "
                f"{n_documents}: no word can satisfy both. Raise max_df or lower min_df."
            )
        kept = (frequency >= least) & (frequency <= most)
        if not kept.any():
            raise ValueError(
                f"No word is left: of {len(frequency)} words none is in at least {least:g} and at most {most:g} of the "
                f"{n_documents} documents. Lower min_df={self.min_df!r} or raise max_df={self.max_df!r}."
            )
        return kept

    def _matrix(self, counts: Counts, vocabulary: Vocabulary) -> csr_array:
        from scipy.sparse import csr_array

        n_documents = len(counts.lengths)
        data = np.ones(len(counts.columns)) if self.cells == "binary" else counts.counts.astype(np.float64)
        X = csr_array((data, counts.columns, counts.indptr()), shape=(n_documents, len(vocabulary)))
        X.sort_indices()
        if self.cells == "tfidf":
            X.data *= vocabulary.inverse_document_frequency[X.indices]
            rows = np.repeat(np.arange(n_documents), np.diff(X.indptr))
            X.data /= np.sqrt(np.bincount(rows, weights=X.data**2, minlength=n_documents))[rows]
        return X


def _check_df(name: str, value: Any) -> None:
    share = isinstance(value, float) and 0.0 <= value <= 1.0
    number = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 1
    if not (share or number):
        raise ValueError(
            f"{name} must be a number of documents (an int of at least 1) or a share of them (a float from 0.0 to "
            f"1.0), got {value!r}."
        )
