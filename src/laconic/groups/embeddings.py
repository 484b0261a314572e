"""Groups of words that are near one another in a space of word vectors.

Skianis, Tziortziotis & Vazirgiannis, "Orthogonal Matching Pursuit for Text Classification" (W-NUT 2018), section 4: the
vectors of the vocabulary's words are clustered by k-means, with at most 2,000 clusters, and each cluster also takes the
5 nearest words of its members, so that groups overlap. Vectors are brought to length 1 first, so that near means a
small angle throughout.
"""

import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.core.extras import need
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import Builder, check_weights, check_whole, finished, frequent_words, with_missing
from laconic.groups.clustering import mini_batch_clusters, nearest_by_cosine
from laconic.groups.vectors import WordVectors, check_place, read_vectors
from laconic.text.analyzer import Analyzer
from laconic.text.fast_features import fast_features
from laconic.text.vocabulary import Vocabulary

MOST_CLUSTERS = 2000
WORDS_PER_CLUSTER = 25
DIMENSION = 100  # of vectors that are trained here


@dataclass(frozen=True)
class EmbeddingGroups(Builder):
    """Make groups of words out of the clusters of their vectors.

    Parameters
    ----------
    vectors : path, pair or None
        A file of word vectors (word2vec text or ``.bin``, GloVe text, a matrix ``.npy`` with ``words.txt`` beside it,
        or their folder; also compressed); a pair of files, the matrix and the list of its words; or a pair
        ``(words, matrix)``. None trains vectors on the corpus, with the package gensim.
    clusters : int, optional
        How many clusters, at most; by default one for 25 words, and not more than 2,000. Cut, with a warning, to the
        number of words with a vector; clusters that become the same group by their neighbours are one.
    neighbours : int, default=5
        How many nearest words of each member join its cluster.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    seed : int, default=0
        Of the clusters, and of vectors that are trained.

    Examples
    --------
    >>> words = ["disk", "drive", "moon", "orbit"]
    >>> matrix = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]]
    >>> vocabulary = Vocabulary(("drive", "moon", "orbit", "soul"), np.array([1, 2, 3, 1]), n_documents=4)
    >>> groups = EmbeddingGroups((words, matrix), clusters=2, neighbours=0).build(None, vocabulary)
    >>> groups.names, groups.source
    (('vectors 1: drive', 'vectors 2: orbit, moon'), 'given vectors (1 of 4 words not in the vocabulary)')
    """

    vectors: Any = None
    clusters: int | None = None
    neighbours: int = 5
    weights: str = "sqrt"
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", _checked(self.vectors))
        check_weights(self.weights)
        if self.clusters is not None:
            check_whole("clusters", self.clusters, 1)
        check_whole("neighbours", self.neighbours, 0)

    def check(self) -> None:
        """Raise an error, before any work, if there is no such file or gensim is needed and not there."""
        if self.vectors is None:
            _gensim()
        elif not isinstance(self.vectors, WordVectors):
            for place in self.vectors if isinstance(self.vectors, tuple) else (self.vectors,):
                check_place(place)

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does; words without a vector are in none.

        They are named "vectors 37: orbit, moon, shuttle" by the words of the cluster that most documents hold. The
        corpus is not looked at if vectors are given.
        """
        vectors, what = self._vectors(corpus, vocabulary, analyzer)
        if not vectors.words:
            raise ValueError(
                f"None of the {vectors.total} words of {what} is in the vocabulary; words must be written as the model "
                f"sees them, such as {vocabulary.words[len(vocabulary) // 2]!r}."
            )
        column = np.array([vocabulary.index[word] for word in vectors.words])
        lengths = np.linalg.norm(vectors.matrix, axis=1)
        turned = np.flatnonzero(lengths > 0)  # a vector of zeros has no direction
        if len(turned) == 0:
            raise ValueError(
                f"{what}: all {len(vectors.words)} of words in the vocabulary are zero, so that none is near another; "
                "check how they were made."
            )
        turned = turned[np.argsort(column[turned])]
        column, units = column[turned], vectors.matrix[turned] / lengths[turned, None]
        count = min(MOST_CLUSTERS, len(units) // WORDS_PER_CLUSTER) if self.clusters is None else self.clusters
        if count > len(units):
            count = len(units)
            warnings.warn(
                f"{self.clusters} clusters were asked for, but {count} words of the vocabulary have a vector in "
                f"{what}; there are at most {count}.",
                stacklevel=2,
            )
        label = mini_batch_clusters(units, max(1, count), self.seed)
        near = nearest_by_cosine(units, self.neighbours)
        lists, names, seen = [], [], set()
        order = np.argsort(label, kind="stable")
        for own in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
            members = np.union1d(own, near[own].ravel())
            if (key := members.tobytes()) in seen:
                continue  # small clusters that are each other's neighbours become the same group
            seen.add(key)
            lists.append(column[members])
            names.append(f"vectors {len(lists)}: {frequent_words(column[own], vocabulary)}")
        source = with_missing(what, vectors.total - len(vectors.words), vectors.total)
        return finished(lists, names, vocabulary, self.weights, source, "no word has a vector.")

    def _vectors(
        self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None
    ) -> tuple[WordVectors, str]:
        wanted = vocabulary.index
        if isinstance(self.vectors, WordVectors):
            return self.vectors.only(wanted), "given vectors"
        if self.vectors is None:
            return _trained(corpus, analyzer or Analyzer(), self.seed).only(wanted), "vectors of the training texts"
        place, words = self.vectors if isinstance(self.vectors, tuple) else (self.vectors, None)
        return read_vectors(place, wanted, words), f"vectors {place}"


def _checked(vectors: Any) -> Any:
    """Return what was given as vectors: None, a path, a pair of paths, or `WordVectors`."""
    if vectors is None or isinstance(vectors, WordVectors):
        return vectors
    if isinstance(vectors, (str, os.PathLike)):
        return os.fspath(vectors)
    if not isinstance(vectors, (tuple, list)) or len(vectors) != 2:
        raise TypeError(
            f"vectors is a {type(vectors).__name__}; it must be a file of word vectors, a pair (words, matrix), a pair "
            "of files (matrix, words), or None to train vectors on the texts."
        )
    if all(isinstance(place, (str, os.PathLike)) for place in vectors):
        return tuple(map(os.fspath, vectors))
    return WordVectors(*vectors)


def _trained(corpus: Corpus | None, analyzer: Analyzer, seed: int) -> WordVectors:
    gensim = _gensim()
    if corpus is None:
        raise ValueError("There are no texts to train word vectors on; give a corpus, or vectors.")
    features = fast_features(analyzer)
    texts = [features(text) for text in corpus.texts]
    # One worker: with several, the result depends on which is faster.
    model = gensim.Word2Vec(texts, vector_size=DIMENSION, window=5, min_count=1, sg=1, workers=1, seed=seed)
    return WordVectors(list(model.wv.index_to_key), model.wv.vectors)


def _gensim() -> Any:
    hint = ". Or give a file of vectors, such as GloVe's."
    return need("gensim", "Training word vectors on the texts", hint).models
