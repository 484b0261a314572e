r"""One group per topic of a latent Dirichlet allocation: its most probable words.

Yogatama & Smith, "Linguistic structured sparsity in text categorization" (ACL 2014), section 4.3: topics of the
training texts (or of unlabelled ones), K = 1,000, and the R = 10 most probable words of each as a group; or, where
``mass`` is given, the fewest words that together have that probability. A topic's group holds only words that the
sampler gave to the topic, so that a topic of four words is a group of four.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from laconic.core.extras import need
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import TextsBuilder, check_whole, finished, first_words, report, texts_to_learn
from laconic.text.analyzer import Analyzer
from laconic.text.design import BagOfWords
from laconic.text.vocabulary import Vocabulary

ENGINES = ("tomotopy", "sklearn")
STEPS = 10  # sampling passes between two reports
ETA = 0.01  # the prior of words, as in Griffiths & Steyvers (2004)
PRESENT = 0.5  # a word of the sampler with a count below this is not in the topic


@dataclass(frozen=True)
class LDAGroups(TextsBuilder):
    """Make groups out of the topics of a latent Dirichlet allocation.

    Parameters
    ----------
    topics : int, default=1000
        K; cut, with a warning, to the number of different words there are.
    size : int, default=10
        R, the most probable words of a topic that make its group.
    mass : float, optional
        In place of `size`: the fewest words that have this probability together, above 0 and below 1.
    iterations : int, default=100
        Passes over all tokens.
    engine : {"tomotopy", "sklearn"}, default="tomotopy"
        Gibbs sampling by the package tomotopy (extra ``topics``), or variational Bayes by scikit-learn, slower.
    texts : Corpus, list of str or file, optional
        Texts to learn topics from, labelled or not; by default the training texts.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    seed : int, default=0

    Examples
    --------
    >>> texts = ["moon orbit moon orbit"] * 20 + ["disk drive drive disk"] * 20
    >>> corpus = Corpus.from_lists(texts)
    >>> vocabulary = BagOfWords().fit(texts).vocabulary
    >>> groups = LDAGroups(topics=2, engine="sklearn").build(corpus, vocabulary)
    >>> sorted([vocabulary.words[j] for j in groups.members(g)] for g in range(2))
    [['disk', 'drive'], ['moon', 'orbit']]
    """

    topics: int = 1000
    size: int = 10
    mass: float | None = None
    iterations: int = 100
    engine: str = "tomotopy"
    texts: Any = None
    weights: str = "sqrt"
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("topics", "size", "iterations"):
            check_whole(name, getattr(self, name), 1)
        if self.mass is not None and not 0.0 < self.mass < 1.0:
            raise ValueError(f"mass is {self.mass!r}; it is a probability above 0 and below 1, or None to take size.")
        if self.engine not in ENGINES:
            raise ValueError(f"engine is {self.engine!r}; allowed are {', '.join(map(repr, ENGINES))}.")

    def check(self) -> None:
        """Raise an error, before any work, if tomotopy is needed and not there, or the file of texts is not."""
        super().check()
        if self.engine == "tomotopy":
            _tomotopy()

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does; topics are learned over the words of the vocabulary.

        They are named "topic 37: orbit, moon, shuttle" by the most probable words. The corpus is not looked at if
        `texts` were given.
        """
        self.check()
        texts, what = texts_to_learn(self.texts, corpus)
        X = BagOfWords(Analyzer() if analyzer is None else analyzer).transform(texts, vocabulary)
        columns = np.unique(X.indices)
        if len(columns) == 0:
            raise ValueError(f"There are no groups: none of the vocabulary's words stands in {what}.")
        count = self.topics
        if count > len(columns):
            count = len(columns)
            warnings.warn(
                f"{self.topics} topics were asked for, but {what} have {count} different words; there are {count}.",
                stacklevel=2,
            )
        learn = _by_tomotopy if self.engine == "tomotopy" else _by_sklearn
        lists, names = [], []
        for number, shares in enumerate(learn(X[:, columns], count, self.iterations, self.seed), 1):
            own = columns[self._chosen(shares)]
            lists.append(own)
            names.append(f"topic {number}: {first_words(own, vocabulary)}")
        reason = f"no topic of {what} has a word."
        return finished(lists, names, vocabulary, self.weights, f"{count} LDA topics of {what}", reason)

    def _chosen(self, shares: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the words of a topic's group, most probable first; words without a share are never taken."""
        order = np.argsort(-shares, kind="stable")[: np.count_nonzero(shares)]
        if self.mass is None:
            return order[: self.size]
        return order[: int(np.searchsorted(np.cumsum(shares[order]), self.mass)) + 1]


def _by_tomotopy(X: csr_array, count: int, iterations: int, seed: int) -> list[NDArray[np.float64]]:
    """Return for each topic the probabilities of its words, 0 for words it does not hold."""
    model = _tomotopy().LDAModel(k=count, alpha=_alpha(count), eta=ETA, seed=seed)
    model.optim_interval = 0  # fitted priors of topics would leave many of them empty
    for i in range(X.shape[0]):
        own = slice(X.indptr[i], X.indptr[i + 1])
        if own.start < own.stop:
            model.add_doc(np.repeat(X.indices[own], X.data[own].astype(np.int64)).astype(str).tolist())
    for done in range(0, iterations, STEPS):
        # One worker: with several, the result depends on which is faster.
        model.train(min(STEPS, iterations - done), workers=1)
        report(min(done + STEPS, iterations), iterations)
    place = np.array([int(word) for word in model.used_vocabs])
    topics = []
    for k in range(count):
        raw = np.asarray(model.get_topic_word_dist(k, normalize=False), dtype=np.float64)
        shares = np.zeros(X.shape[1])
        shares[place] = np.where(raw >= PRESENT, raw, 0.0) / raw.sum()
        topics.append(shares)
    return topics


def _by_sklearn(X: csr_array, count: int, iterations: int, seed: int) -> list[NDArray[np.float64]]:
    from sklearn.decomposition import LatentDirichletAllocation

    priors = {"doc_topic_prior": _alpha(count), "topic_word_prior": ETA}
    model = LatentDirichletAllocation(count, **priors, max_iter=iterations, random_state=seed)
    raw = model.fit(X).components_
    return list(np.where(raw >= PRESENT, raw, 0.0) / raw.sum(axis=1, keepdims=True))


def _alpha(count: int) -> float:
    """Return the prior of each topic: 50 / K, as in Griffiths & Steyvers, but never above a tenth of a token."""
    return min(0.1, 50.0 / count)


def _tomotopy() -> Any:
    hint = ". Or take scikit-learn's, slower, by engine='sklearn' (lda:sklearn on the command line)."
    return need("tomotopy", "Learning topics", hint)
