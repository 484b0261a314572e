"""Corpora with sentence groups: counts of words, and one group of weight √size per sentence, the word types in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import laconic
from benchmarks.datasets import CACHE
from laconic.text import Analyzer, BagOfWords, Tokenizer, sentence_spans

# The name that laconic knows the data set by, and the tokenizer.
SOURCES = {
    "religion": ("20ng/religion", "wnut2018"),
    "science": ("20ng/science", "wnut2018"),
    "sports": ("20ng/sports", "wnut2018"),
    "movie": ("movie", "default-1"),
    "imdb": ("imdb", "default-1"),
}


@dataclass(frozen=True)
class Sentences:
    """A design matrix (CSC, float64), labels −1 and 1, and groups as compressed rows of word numbers."""

    name: str
    X: sparse.csc_array
    y: NDArray[np.float64]
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    @property
    def weights(self) -> NDArray[np.float64]:
        """√size of every group."""
        return np.sqrt(np.diff(self.indptr))


def get(name: str) -> Sentences:
    """Return the training part of a data set with its sentences, from the cache if it has been made before."""
    path = CACHE / f"{name}-sentences.npz"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        made = load(name)
        partial = path.with_suffix(".partial.npz")
        X = made.X
        parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
        np.savez(partial, y=made.y, groups_indptr=made.indptr, groups_indices=made.indices, **parts)
        partial.replace(path)
    with np.load(path) as stored:
        X = sparse.csc_array((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
        return Sentences(name, X, stored["y"], stored["groups_indptr"], stored["groups_indices"])


def load(name: str) -> Sentences:
    """Read the texts, count their words, cut their sentences."""
    source, tokenizer = SOURCES[name]
    train = laconic.data.load(source).train
    analyzer = Analyzer(tokenizer=Tokenizer.preset(tokenizer))
    design = BagOfWords(analyzer, cells="count").fit(train.texts)
    index = design.vocabulary.index
    groups = []
    for text in train.texts:
        for start, end in sentence_spans(text):
            members = sorted({index[word] for word in analyzer.features(text[start:end]) if word in index})
            if members:
                groups.append(members)
    labels = np.unique(train.labels, return_inverse=True)[1]
    indptr = np.concatenate([[0], np.cumsum([len(group) for group in groups])]).astype(np.int64)
    indices = np.concatenate(groups).astype(np.int32)
    return Sentences(name, sparse.csc_array(design.X), np.where(labels == 1, 1.0, -1.0), indptr, indices)
