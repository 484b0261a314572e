"""Groups of words that are near one another in a space of word vectors.

Skianis, Tziortziotis & Vazirgiannis, "Orthogonal Matching Pursuit for Text Classification" (W-NUT 2018), section 4: the
vectors of the vocabulary's words are clustered by k-means, with at most 2,000 clusters, and each cluster also takes the
5 nearest words of its members, so that groups overlap. Vectors are brought to length 1 first, so that near means a
small angle throughout.

The k-means is that of mini-batches (Sculley, "Web-scale k-means clustering", WWW 2010), by matrix products. Centres are
seeded by k-means++ (Arthur & Vassilvitskii 2007) on a sample. Then batch after batch: every point of a
batch goes to its nearest centre, and a centre becomes the mean of all points it was ever given. All distances are
computed in blocks, so that memory holds one block of points × centres.
"""

import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from laconic.core.extras import need
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import Builder, check_weights, check_whole, finished, frequent_words, with_missing
from laconic.groups.vectors import WordVectors, check_place, read_vectors
from laconic.text.analyzer import Analyzer, fast_features
from laconic.text.vocabulary import Vocabulary

BATCH = 4096
PASSES = 10
BLOCK = 1 << 22  # distances computed at a time
RUN = 64  # points of which the nearest is found at once
SAMPLE = 3  # points per centre among which seeds are sought
MOST_CLUSTERS = 2000
WORDS_PER_CLUSTER = 25
DIMENSION = 100  # of vectors that are trained here


def mini_batch_clusters(points: NDArray, n_clusters: int, seed: int = 0) -> NDArray[np.int64]:
    """Return the number of the cluster of each point, from 0 in the order of their first points."""
    n_points = len(points)
    rng = np.random.default_rng(seed)
    centres = _seeds(points, min(n_clusters, n_points), rng)
    given = np.zeros(len(centres))
    for _ in range(PASSES):
        order = rng.permutation(n_points)
        for start in range(0, n_points, BATCH):
            batch = points[order[start : start + BATCH]]
            owner = nearest_centre(batch, centres)
            members = csr_array((np.ones(len(batch)), (owner, np.arange(len(batch)))), shape=(len(centres), len(batch)))
            count = np.bincount(owner, minlength=len(centres))
            given += count
            share = 1.0 / np.maximum(given, 1.0)
            centres += ((members @ batch - count[:, None] * centres) * share[:, None]).astype(centres.dtype)
    _, first, label = np.unique(nearest_centre(points, centres), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[label]


def nearest_centre(points: NDArray, centres: NDArray) -> NDArray[np.int64]:
    """Return the number of the nearest centre of each point; of equally near ones the first."""
    half = 0.5 * (centres**2).sum(axis=1)
    rows = max(1, BLOCK // max(1, len(centres)))
    nearest = [np.argmax(points[at : at + rows] @ centres.T - half, axis=1) for at in range(0, len(points), rows)]
    return np.concatenate(nearest) if nearest else np.zeros(0, dtype=np.int64)


def nearest_by_cosine(units: NDArray, count: int) -> NDArray[np.int64]:
    """Return for each of several unit vectors the numbers of its nearest others, nearest first."""
    n_points = len(units)
    count = min(count, n_points - 1)
    if count < 1:
        return np.zeros((n_points, 0), dtype=np.int64)
    rows = max(1, BLOCK // n_points)
    n_runs = -(-n_points // RUN)
    nearest = []
    for at in range(0, n_points, rows):
        some = units[at : at + rows]
        near = np.full((len(some), n_runs * RUN), -np.inf, dtype=units.dtype)
        np.matmul(some, units.T, out=near[:, :n_points])
        place = np.arange(len(some))
        near[place, at + place] = -np.inf
        # The nearest stand in the runs with the largest maxima: one pass over all, and a choice among few.
        maxima = near.reshape(len(some), n_runs, RUN).max(axis=2)
        runs = np.argpartition(-maxima, min(count, n_runs) - 1, axis=1)[:, :count]
        among = (np.sort(runs, axis=1)[:, :, None] * RUN + np.arange(RUN)).reshape(len(some), -1)
        order = np.argsort(-np.take_along_axis(near, among, axis=1), axis=1, kind="stable")[:, :count]
        nearest.append(np.take_along_axis(among, order, axis=1))
    return np.concatenate(nearest)


def _seeds(points: NDArray, n_clusters: int, rng: np.random.Generator) -> NDArray:
    """Return points as first centres, each drawn with a chance that grows with its squared distance to the others."""
    size = min(len(points), max(SAMPLE * n_clusters, BATCH))
    sample = points[np.sort(rng.choice(len(points), size, replace=False))]
    squares = (sample**2).sum(axis=1)
    chosen = [int(rng.integers(size))]
    distance = np.full(size, np.inf)
    for _ in range(n_clusters - 1):
        last = chosen[-1]
        distance = np.minimum(distance, np.maximum(squares - 2.0 * (sample @ sample[last]) + squares[last], 0.0))
        total = np.cumsum(distance, dtype=np.float64)
        if total[-1] <= 1e-6 * size:
            break  # all points that are left coincide with a centre
        chosen.append(int(np.searchsorted(total, rng.random() * total[-1], side="right").clip(0, size - 1)))
    return sample[chosen].copy()


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
