"""Planted texts: words that belong together, and how well groups found them again."""

import numpy as np
from sklearn.metrics import adjusted_rand_score

from laconic.data import Corpus
from laconic.text import BagOfWords


def topical(seed=0, n_documents=200, n_topics=5, size=12, length=40, purity=0.9):
    """Texts of one topic each, and the topic of every word."""
    rng = np.random.default_rng(seed)
    words = [f"{'abcdefghij'[k]}{j:02d}" for k in range(n_topics) for j in range(size)]
    texts = []
    for topic in rng.integers(0, n_topics, n_documents):
        own = rng.random(length) < purity
        drawn = np.where(own, topic * size + rng.integers(0, size, length), rng.integers(0, n_topics * size, length))
        texts.append(" ".join(words[j] for j in drawn))
    corpus = Corpus.from_lists(texts)
    vocabulary = BagOfWords().fit(texts).vocabulary
    return corpus, vocabulary, np.array(["abcdefghij".index(word[0]) for word in vocabulary.words])


def agreement(groups, truth):
    """The adjusted Rand index; a word in several groups counts for the first of them, one in none stands alone."""
    found = np.arange(groups.n_features) + len(groups)
    for g in reversed(range(len(groups))):
        found[groups.members(g)] = g
    return adjusted_rand_score(truth, found)


def lists(groups):
    return [groups.members(g).tolist() for g in range(len(groups))]
