r"""Groups of words that stand near one another: the communities of the texts' co-occurrence graph.

Skianis, Rousseau & Vazirgiannis, "Regularizing text categorization with clusters of words" (EMNLP 2016): one undirected
graph for the whole collection, an edge between words that stand together in a window of 4 tokens, weighted by how
often. Its communities are found by modularity (Louvain: Blondel et al. 2008; Leiden: Traag et al. 2019, by
scikit-network). Windows never reach over the end of a document; a token that is no word of the vocabulary keeps its
place in them.
"""

from array import array
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, csr_matrix

from laconic.core.extras import need
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import (
    UNKNOWN,
    TextsBuilder,
    check_whole,
    finished,
    frequent_words,
    of_words,
    texts_to_learn,
)
from laconic.text.analyzer import Analyzer, fast_features
from laconic.text.vocabulary import Vocabulary

METHODS = ("louvain", "leiden")


@dataclass(frozen=True)
class WordGraphGroups(TextsBuilder):
    """Make groups out of the communities of a word graph.

    Parameters
    ----------
    window : int, default=4
        Tokens that stand together: a word and the three behind it.
    weighted : bool, default=True
        Whether an edge counts as often as its words stand together, or once.
    method : {"louvain", "leiden"}, default="louvain"
    resolution : float, default=1.0
        Above 1 there are more and smaller communities.
    texts : Corpus, list of str or file, optional
        Texts to make the graph of, labelled or not; by default the training texts.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    seed : int, default=0

    Examples
    --------
    >>> from laconic.text import BagOfWords
    >>> texts = ["moon orbit rover moon rover orbit", "disk drive cable disk cable drive"]
    >>> groups = WordGraphGroups().build(Corpus.from_lists(texts), BagOfWords().fit(texts).vocabulary)
    >>> groups.names
    ('community 1: cable, disk, drive', 'community 2: moon, orbit, rover')
    """

    window: int = 4
    weighted: bool = True
    method: str = "louvain"
    resolution: float = 1.0
    texts: Any = None
    weights: str = "sqrt"
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("window", self.window, 2)
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}; allowed are {', '.join(map(repr, METHODS))}.")
        if not self.resolution > 0:
            raise ValueError(f"resolution is {self.resolution!r}; it must be above 0.")

    def check(self) -> None:
        """Raise an error, before any work, if scikit-network or the file of texts is not there."""
        super().check()
        _clustering()

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does: disjoint, the largest first.

        They are named "community 4: orbit, moon, shuttle" by the words that most documents hold. N-grams are left out
        of the graph, and so of the groups. The corpus is not looked at if `texts` were given.
        """
        self.check()
        texts, what = texts_to_learn(self.texts, corpus)
        graph = word_graph(texts, vocabulary, of_words(analyzer, "A word graph"), self.window, self.weighted)
        linked = np.flatnonzero(np.diff(graph.indptr))
        reason = f"no two words of the vocabulary stand within {self.window} tokens of one another in {what}."
        if len(linked) == 0:
            raise ValueError(f"There are no groups: {reason}")
        linked_graph = csr_matrix(graph[linked][:, linked])  # scikit-network knows no sparse arrays
        find = getattr(_clustering(), self.method.title())
        label = find(resolution=self.resolution, random_state=self.seed).fit_predict(linked_graph)
        lists = [linked[label == k] for k in np.unique(label)]
        lists.sort(key=lambda own: (-len(own), int(own[0])))
        names = [f"community {number}: {frequent_words(own, vocabulary)}" for number, own in enumerate(lists, 1)]
        return finished(lists, names, vocabulary, self.weights, f"communities of the word graph of {what}", reason)


def word_graph(
    texts: Any, vocabulary: Vocabulary, analyzer: Analyzer, window: int = 4, weighted: bool = True
) -> csr_array:
    """Return the symmetric matrix of how often (not `weighted`: whether) two words stand in one window of tokens."""
    known, features = vocabulary.index.get, fast_features(analyzer)
    stream = array("i")
    for text in texts:
        stream.fromlist(list(map(known, features(text), repeat(UNKNOWN))))
        stream.fromlist([UNKNOWN] * (window - 1))  # no window reaches into the next text
    ids = np.frombuffer(stream, dtype=np.intc) if stream else np.zeros(0, dtype=np.intc)
    size = len(vocabulary)
    graph = csr_array((size, size))
    for distance in range(1, window):
        first, second = ids[:-distance], ids[distance:]
        linked = (first >= 0) & (second >= 0) & (first != second)
        ones = np.ones(np.count_nonzero(linked))
        graph = graph + coo_array((ones, (first[linked], second[linked])), shape=(size, size)).tocsr()
    graph = csr_array(graph + graph.T)
    if not weighted:
        graph.data[:] = 1.0
    return graph


def _clustering() -> Any:
    return need("sknetwork.clustering", "Finding communities of words", package="scikit-network")
