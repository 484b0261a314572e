r"""One group per component of latent semantic indexing: the words with the largest loadings.

Deerwester et al., "Indexing by latent semantic analysis" (1990): :math:`X \approx U_K\,\mathrm{diag}(s)\,V_K^\top` for
the matrix X of documents × words. Skianis, Rousseau & Vazirgiannis (EMNLP 2016) take the R = 10 words of the largest
:math:`|V_{jk}|` as the group of component k, K = 1,000 or as many as X has.

With few documents (or words) the eigenvectors of the smaller Gram matrix give all components at once; otherwise ARPACK
finds the first K.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import TextsBuilder, check_whole, finished, first_words, texts_to_learn
from laconic.text.analyzer import Analyzer
from laconic.text.design import CELLS, BagOfWords
from laconic.text.vocabulary import Vocabulary

DENSE = 4000  # documents or words up to which the whole spectrum is computed
NOTHING = 1e-9  # a singular value below this share of the largest is none
TIE = 1e-9  # loadings this near are equal, and the first word in the alphabet is taken


@dataclass(frozen=True)
class LSIGroups(TextsBuilder):
    """Make groups out of the components of a singular value decomposition.

    Parameters
    ----------
    components : int, default=1000
        K; cut, with a warning, to the rank of the matrix.
    size : int, default=10
        R, the words of the largest absolute loadings that make a group.
    cells : {"count", "binary", "tfidf"}, default="count"
        What the matrix holds.
    texts : Corpus, list of str or file, optional
        Texts to learn from, labelled or not; by default the training texts.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    seed : int, default=0
        Of ARPACK's first vector.

    Examples
    --------
    >>> texts = ["moon orbit", "moon orbit moon orbit", "disk drive"]
    >>> corpus = Corpus.from_lists(texts)
    >>> LSIGroups(components=2, size=2).build(corpus, BagOfWords().fit(texts).vocabulary).names
    ('component 1: moon, orbit', 'component 2: disk, drive')
    """

    components: int = 1000
    size: int = 10
    cells: str = "count"
    texts: Any = None
    weights: str = "sqrt"
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("components", self.components, 1)
        check_whole("size", self.size, 1)
        if self.cells not in CELLS:
            raise ValueError(f"cells is {self.cells!r}; allowed are {', '.join(map(repr, CELLS))}.")

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does, the largest singular value first.

        They are named "component 3: orbit, moon, shuttle". The corpus is not looked at if `texts` were given.
        """
        texts, what = texts_to_learn(self.texts, corpus)
        bag = BagOfWords(Analyzer() if analyzer is None else analyzer, self.cells)
        V = _loadings(bag.transform(texts, vocabulary), self.components, self.seed)
        if V.shape[1] < self.components:
            warnings.warn(
                f"{self.components} components were asked for, but the matrix of {what} has the rank {V.shape[1]}; "
                f"there are {V.shape[1]}.",
                stacklevel=2,
            )
        lists, names = [], []
        for number, loading in enumerate(np.abs(V).T, 1):
            held = np.flatnonzero(loading > TIE)
            # Rounding must not decide between words that stand in the same documents.
            own = held[np.argsort(-np.round(loading[held] / TIE), kind="stable")[: self.size]]
            lists.append(own)
            names.append(f"component {number}: {first_words(own, vocabulary)}")
        reason = f"none of the vocabulary's words stands in {what}."
        return finished(lists, names, vocabulary, self.weights, f"{len(lists)} LSI components of {what}", reason)


def _loadings(X: csr_array, count: int, seed: int) -> NDArray[np.float64]:
    """Return the right singular vectors of the largest singular values, as columns."""
    smaller = min(X.shape)
    if smaller <= DENSE or count >= smaller:
        by_rows = X.shape[0] <= X.shape[1]
        gram = (X @ X.T if by_rows else X.T @ X).toarray()
        squares, vectors = np.linalg.eigh(gram)
        squares, vectors = squares[::-1][:count], vectors[:, ::-1][:, :count]
        # Squaring the matrix squares its condition: below this, eigenvalues are rounding.
        held = squares > max(NOTHING**2, 1e-14 * smaller) * max(squares.max(initial=0.0), 1e-300)
        squares, vectors = squares[held], vectors[:, held]
        return np.asarray(X.T @ vectors) / np.sqrt(squares) if by_rows else vectors
    from scipy.sparse.linalg import svds

    start = np.random.default_rng(seed).standard_normal(smaller)
    _, values, transposed = svds(X, count, v0=start)
    order = np.argsort(-values)
    return transposed[order[values[order] > NOTHING * values.max()]].T
