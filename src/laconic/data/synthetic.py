"""Planted corpora: synthetic documents whose truth is known, of any size and any number of classes.

A document has ``n_sentences`` sentences. Most are filler: pronounceable made-up words drawn from a Zipf-Mandelbrot law,
p(rank r) proportional to 1 / (r + 2.7). A few (``telling``) decide the label: each belongs to one word cluster of the
document's class, and about half of its words, at least one, come from that cluster. Words of clusters occur nowhere
else, so the label follows from the words without error. Documents are made in blocks, each with its own random
generator, so that memory stays constant in `planted_stream`, and the same seed gives the same corpus everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from laconic.data.corpus import Corpus
from laconic.data.document import Document

BLOCK = 1024  # documents made at a time
SENTENCE_WORDS = (5, 12)
_SYLLABLES = [consonant + vowel for consonant in "bdfgjklmnprstvz" for vowel in "aeiou"]
MOST_WORDS = len(_SYLLABLES) ** 2 + len(_SYLLABLES) ** 3


@dataclass(frozen=True)
class Planted:
    """A planted corpus and its truth.

    Attributes
    ----------
    corpus : Corpus
        With given sentences.
    telling : tuple of tuples of int
        For each document the indices of its telling sentences, increasing.
    words : dict
        For each class its true words.
    clusters : tuple of tuples of str
        The true word clusters, those of the first class first.

    Examples
    --------
    >>> made = planted(3, n_sentences=4, telling=1)
    >>> [len(indices) for indices in made.telling]
    [1, 1, 1]
    >>> made
    Planted(corpus=Corpus('planted 3 x 2, seed 0', 3 documents, 2 classes))
    """

    corpus: Corpus
    telling: tuple[tuple[int, ...], ...] = field(repr=False)
    words: dict[str, tuple[str, ...]] = field(repr=False)
    clusters: tuple[tuple[str, ...], ...] = field(repr=False)


def planted(
    n_documents: int = 1000,
    n_classes: int = 2,
    *,
    n_words: int = 2000,
    n_sentences: int = 10,
    telling: int = 2,
    clusters_per_class: int = 3,
    cluster_words: int = 5,
    seed: int = 0,
) -> Planted:
    """Make a planted corpus.

    Parameters
    ----------
    n_documents, n_classes : int
        Documents are balanced over the classes.
    n_words : int
        Size of the vocabulary, telling words included.
    n_sentences : int
        Sentences of every document.
    telling : int
        How many of them are telling.
    clusters_per_class, cluster_words : int
        Word clusters of a class, and words of a cluster.
    seed : int

    Examples
    --------
    >>> truth = planted(4, seed=1)
    >>> truth.corpus.class_counts()
    {'c1': 2, 'c2': 2}
    >>> len(truth.clusters), len(truth.words["c1"]), len(truth.telling[0])
    (6, 15, 2)
    >>> truth.corpus.texts[0] == " ".join(truth.corpus.sentences[0])
    True
    """
    recipe = _Recipe(n_documents, n_classes, n_words, n_sentences, telling, clusters_per_class, cluster_words, seed)
    documents, places = zip(*recipe.documents(), strict=True)
    corpus = Corpus(
        texts=tuple(document.text for document in documents),
        labels=tuple(document.label for document in documents if document.label is not None),
        ids=tuple(document.id for document in documents),
        sentences=tuple(document.sentences for document in documents if document.sentences is not None),
        name=f"planted {n_documents} x {n_classes}, seed {seed}",
    )
    clusters = recipe.clusters()
    words = {
        label: tuple(
            word for cluster in clusters[k * clusters_per_class : (k + 1) * clusters_per_class] for word in cluster
        )
        for k, label in enumerate(recipe.labels())
    }
    return Planted(corpus, places, words, clusters)


def planted_stream(n_documents: int = 1000, n_classes: int = 2, **more: int) -> Iterator[Document]:
    """Yield the documents of `planted` with the same parameters one by one, in constant memory.

    Examples
    --------
    >>> next(planted_stream(10**7)).label in ("c1", "c2")
    True
    """
    recipe = _Recipe(n_documents, n_classes, **more)
    return (document for document, _ in recipe.documents())


@dataclass(frozen=True)
class _Recipe:
    n_documents: int
    n_classes: int
    n_words: int = 2000
    n_sentences: int = 10
    telling: int = 2
    clusters_per_class: int = 3
    cluster_words: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        least = {name: 2 if name == "n_classes" else 0 if name == "seed" else 1 for name in self.__dataclass_fields__}
        for name, minimum in least.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < minimum:
                raise ValueError(f"{name} must be a whole number of at least {minimum}, got {value!r}")
        if self.telling > self.n_sentences:
            raise ValueError(f"telling must be at most n_sentences = {self.n_sentences}, got {self.telling}")
        if not self.n_telling_words < self.n_words <= MOST_WORDS:
            raise ValueError(
                f"n_words must be more than the {self.n_telling_words} telling words (n_classes * clusters_per_class "
                f"* cluster_words) and at most {MOST_WORDS}, got {self.n_words}"
            )

    @property
    def n_telling_words(self) -> int:
        return self.n_classes * self.clusters_per_class * self.cluster_words

    def labels(self) -> list[str]:
        width = len(str(self.n_classes))  # padded, so that sorted order is the order of the classes
        return [f"c{k:0{width}d}" for k in range(1, self.n_classes + 1)]

    def vocabulary(self) -> list[str]:
        """All words, telling ones first (cluster by cluster), then the filler by decreasing frequency."""
        rng = np.random.default_rng([self.seed, 0])
        base = len(_SYLLABLES)
        pairs = rng.permutation(base**2)[: self.n_words]
        words = [_SYLLABLES[i // base] + _SYLLABLES[i % base] for i in pairs.tolist()]
        rest = rng.permutation(base**3)[: self.n_words - len(words)].tolist()
        words += [_SYLLABLES[i // base**2] + _SYLLABLES[i // base % base] + _SYLLABLES[i % base] for i in rest]
        chosen = rng.choice(self.n_words, self.n_telling_words, replace=False)
        filler = np.delete(np.arange(self.n_words), chosen)
        return [words[i] for i in (*chosen.tolist(), *filler.tolist())]

    def clusters(self) -> tuple[tuple[str, ...], ...]:
        words = self.vocabulary()
        size = self.cluster_words
        return tuple(tuple(words[i : i + size]) for i in range(0, self.n_telling_words, size))

    def documents(self) -> Iterator[tuple[Document, tuple[int, ...]]]:
        words = self.vocabulary()
        plain = np.array(words, dtype=object)
        first = np.array([word.capitalize() for word in words], dtype=object)
        labels = self.labels()
        cumulative = np.cumsum(1.0 / (np.arange(1, self.n_words - self.n_telling_words + 1) + 2.7))
        cumulative /= cumulative[-1]
        for start in range(0, self.n_documents, BLOCK):
            yield from self._block(start, min(BLOCK, self.n_documents - start), plain, first, labels, cumulative)

    def _block(
        self, start: int, size: int, plain: np.ndarray, first: np.ndarray, labels: list[str], cumulative: np.ndarray
    ) -> Iterator[tuple[Document, tuple[int, ...]]]:
        rng = np.random.default_rng([self.seed, 1 + start // BLOCK])
        n, per = size * self.n_sentences, self.n_sentences
        classes = (rng.permutation(size) + start) % self.n_classes  # balanced over the whole corpus
        # The `telling` smallest of random keys are a random choice of sentences in each document.
        places = np.sort(np.argsort(rng.random((size, per)), axis=1)[:, : self.telling], axis=1)
        is_telling = np.zeros((size, per), dtype=bool)
        np.put_along_axis(is_telling, places, True, axis=1)
        clusters = np.repeat(classes, per) * self.clusters_per_class + rng.integers(self.clusters_per_class, size=n)

        lengths = rng.integers(SENTENCE_WORDS[0], SENTENCE_WORDS[1] + 1, size=n)
        ends = np.cumsum(lengths)
        starts = ends - lengths
        total = int(ends[-1])
        from_cluster = np.repeat(is_telling.ravel(), lengths) & (rng.random(total) < 0.5)
        sure = starts + (rng.random(n) * lengths).astype(np.int64)  # one word of a telling sentence is always telling
        from_cluster[sure[is_telling.ravel()]] = True
        ids = np.searchsorted(cumulative, rng.random(total), side="right") + self.n_telling_words
        telling_ids = np.repeat(clusters * self.cluster_words, lengths) + rng.integers(self.cluster_words, size=total)
        ids = np.where(from_cluster, telling_ids, ids)

        tokens = plain[ids]
        tokens[starts] = first[ids[starts]]
        words = tokens.tolist()
        sentences = [" ".join(words[a:b]) + "." for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
        for i, (label, place) in enumerate(zip(classes.tolist(), places.tolist(), strict=True)):
            own = tuple(sentences[i * per : (i + 1) * per])
            yield Document(str(start + i + 1), " ".join(own), labels[label], own), tuple(place)
