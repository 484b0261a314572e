r"""One group per sentence, paragraph or document of the training texts: the distinct words of the vocabulary in it.

Yogatama & Smith, "Making the most of bag of words: sentence regularization with alternating direction method of
multipliers" (ICML 2014): in :math:`\lambda_g \sum_g d_g \|w_g\|_2` every training sentence is a group, so that whole
sentences leave the model. d_g is √size (ACL 2014) or 1 (ICML 2014).

A feature belongs to the unit in which it starts. So every feature of a text that its units cover is in some group, and
an n-gram over the end of a sentence belongs to the one before. Texts are read in chunks: features and units become
arrays of positions, and one sort finds the distinct (unit, feature) pairs of a chunk.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from laconic.core.group_parts import UnitNames
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import UNKNOWN, Builder, check_weights, unit_groups
from laconic.text.analyzer import Analyzer, fast_features
from laconic.text.sentences import LANGUAGES, located_sentences, sentence_spans
from laconic.text.vocabulary import Vocabulary

Span = tuple[int, int]
LEVELS = ("sentence", "paragraph", "document")
CHUNK = 1 << 20  # features gathered before they are sorted


@dataclass(frozen=True)
class SentenceGroups(Builder):
    """Make one group of words out of every sentence (paragraph, document) of a corpus.

    Sentences that the corpus brings along are taken as they are; others are found by `laconic.text.sentence_spans`.
    Paragraphs end at blank lines. Units without a word of the vocabulary give no group.

    Parameters
    ----------
    level : {"sentence", "paragraph", "document"}, default="sentence"
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    language : str, default="en"
        Whose rules split texts into sentences: a two-letter ISO 639-1 code.

    Examples
    --------
    >>> from laconic.text import BagOfWords
    >>> corpus = Corpus.from_lists(["The lamp is broken. Fix the lamp!", "Thanks."], ids=["a", "b"])
    >>> vocabulary = BagOfWords().fit(corpus.texts).vocabulary
    >>> groups = SentenceGroups().build(corpus, vocabulary)
    >>> for name, g in zip(groups.names, range(len(groups))):
    ...     print(name, [vocabulary.words[j] for j in groups.members(g)])
    sentence 1 of doc a ['broken', 'is', 'lamp', 'the']
    sentence 2 of doc a ['fix', 'lamp', 'the']
    sentence 1 of doc b ['thanks']
    """

    level: str = "sentence"
    weights: str = "sqrt"
    language: str = "en"

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"level is {self.level!r}; allowed are {', '.join(map(repr, LEVELS))}.")
        check_weights(self.weights)
        if self.language not in LANGUAGES:
            raise ValueError(f"language is {self.language!r}; use a two-letter ISO 639-1 code such as 'en' or 'de'.")

    def build(self, corpus: Corpus, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups of a corpus, numbered by the words of a vocabulary.

        Parameters
        ----------
        corpus : Corpus
            The training texts; their labels are not looked at.
        vocabulary : Vocabulary
            Of the design the groups are meant for; other words are left out.
        analyzer : Analyzer, optional
            What made the features of the vocabulary; None is ``Analyzer()``, lower-cased words.

        Returns
        -------
        Groups
            In the order of the texts, named "sentence 2 of doc 4711" by the ids of the corpus.
        """
        analyzer = Analyzer() if analyzer is None else analyzer
        if analyzer.kind == "tokens" and self.level != "document":
            raise ValueError(
                f"Texts that are lists of tokens have no {self.level}s to be found; use level='document' or texts."
            )
        gathered = _Gathered(len(vocabulary))
        known = vocabulary.index.get
        for units, starts, features in self._read(corpus, analyzer):
            gathered.add(units, starts, map(known, features, repeat(UNKNOWN)))
        sizes, members, documents, numbers = gathered.groups()
        names = UnitNames("" if self.level == "document" else self.level, corpus.ids, documents, numbers)
        source = f"{self.level}s of {corpus.name or 'the training texts'}"
        return unit_groups(sizes, members, names, vocabulary, self.weights, source)

    def _read(self, corpus: Corpus, analyzer: Analyzer) -> Iterator[tuple[list[Span], list[int], list[str]]]:
        """Yield for each text its units, and where each of its features starts."""
        if self.level == "document":
            features = fast_features(analyzer)
            for text in corpus.texts:
                own = features(text)
                yield [(0, 1)], [0] * len(own), own
            return
        for i, text in enumerate(corpus.texts):
            given = corpus.sentences[i] if corpus.sentences is not None and self.level == "sentence" else None
            units = self._units(text) if given is None else located_sentences(text, given)
            if units is None:  # given sentences that do not stand in their text are analysed alone
                lists = [analyzer.features(sentence) for sentence in given or ()]
                starts = [number for number, own in enumerate(lists) for _ in own]
                yield [(k, k + 1) for k in range(len(lists))], starts, list(chain.from_iterable(lists))
                continue
            spans = analyzer.spans(text)
            yield units, [span[0] for span in spans], [span[2] for span in spans]

    def _units(self, text: str) -> list[Span]:
        if self.level == "paragraph":
            borders = [0, *(at for match in _BLANK_LINES.finditer(text) for at in match.span()), len(text)]
            return [(first, last) for first, last in zip(borders[::2], borders[1::2], strict=True) if first < last]
        return sentence_spans(text, self.language)


_BLANK_LINES = re.compile(r"(?:\A|\n)\s*(?:\n|\Z)")


@dataclass
class _Gathered:
    """Features and units of texts, turned chunk by chunk into the sorted members of groups."""

    n_features: int
    texts: int = 0
    lengths: array = field(default_factory=lambda: array("i"))  # features per text of this chunk
    starts: array = field(default_factory=lambda: array("q"))
    ids: array = field(default_factory=lambda: array("i"))
    units: array = field(default_factory=lambda: array("i"))  # units per text of this chunk
    borders: array = field(default_factory=lambda: array("q"))  # start and end of each unit
    done: list[tuple[NDArray, NDArray, NDArray, NDArray]] = field(default_factory=list)

    def add(self, units: list[Span], starts: list[int], ids: Iterator[int]) -> None:
        """Take in the next text."""
        self.lengths.append(len(starts))
        self.starts.fromlist(starts)
        self.ids.fromlist(list(ids))
        self.units.append(len(units))
        self.borders.fromlist(list(chain.from_iterable(units)))
        if len(self.ids) >= CHUNK:
            self._finish()

    def groups(self) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Return sizes and members of all groups, and for each its document and its number in there."""
        if self.lengths or not self.done:
            self._finish()
        sizes, members, documents, numbers = (np.concatenate(parts) for parts in zip(*self.done, strict=True))
        return sizes, members, documents, numbers

    def _finish(self) -> None:
        lengths, counts = np.array(self.lengths, dtype=np.int64), np.array(self.units, dtype=np.int64)
        starts, ids = np.array(self.starts, dtype=np.int64), np.array(self.ids, dtype=np.int64)
        first, last = np.array(self.borders, dtype=np.int64).reshape(-1, 2).T
        # One line for all texts: each begins where the positions of the one before have ended.
        ends = np.maximum(_maxima(last, counts), _maxima(starts + 1, lengths))
        offset = np.concatenate([[0], np.cumsum(ends)[:-1]]) if len(ends) else ends
        first, last = first + np.repeat(offset, counts), last + np.repeat(offset, counts)
        starts += np.repeat(offset, lengths)
        unit = np.searchsorted(first, starts, side="right") - 1
        inside = (ids >= 0) & (unit >= 0)
        inside[inside] = starts[inside] < last[unit[inside]]
        pairs = np.sort(unit[inside] * self.n_features + ids[inside])
        pairs = pairs[np.diff(pairs, prepend=-1) > 0]
        owner = pairs // max(self.n_features, 1)
        sizes = np.bincount(owner, minlength=len(first))
        numbers = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
        documents = self.texts + np.repeat(np.arange(len(counts)), counts)
        filled = sizes > 0
        members = (pairs - owner * self.n_features).astype(np.int32)
        self.done.append((sizes[filled], members, documents[filled].astype(np.int32), numbers[filled].astype(np.int32)))
        self.texts += len(counts)
        self.lengths, self.starts, self.ids = array("i"), array("q"), array("i")
        self.units, self.borders = array("i"), array("q")


def _maxima(values: NDArray, counts: NDArray) -> NDArray:
    """Return the largest value of each run; runs of none give 0."""
    result = np.zeros(len(counts), dtype=np.int64)
    filled = np.flatnonzero(counts)
    if len(filled):
        result[filled] = np.maximum.reduceat(values, (np.cumsum(counts) - counts)[filled])
    return result
