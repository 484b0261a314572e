"""A planted corpus: 20,000 documents, some 50,000 words of which 400 tell the class, and every 20th label wrong.

Without wrong labels the classes would be separable by few words, which real text is not.
"""

import numpy as np

from benchmarks.datasets import Data
from benchmarks.datasets._bag import binary_cells
from laconic.data import planted

MANY_CLASSES = True


def load(many_classes: bool = False) -> Data:
    """Return the corpus with two classes or with eight."""
    return make("planted", 20_000, 50_000, 8 if many_classes else 2)


def make(name: str, n_documents: int, n_words: int, n_classes: int = 2, n_sentences: int = 10) -> Data:
    """Return a planted corpus of the given size, a twentieth of the labels wrong."""
    corpus = planted(
        n_documents,
        n_classes,
        n_words=n_words,
        n_sentences=n_sentences,
        clusters_per_class=400 // (20 * n_classes),
        cluster_words=20,
    ).corpus
    y = np.unique(corpus.labels, return_inverse=True)[1]
    rng = np.random.default_rng(0)
    wrong = rng.choice(n_documents, n_documents // 20, replace=False)
    y[wrong] = (y[wrong] + rng.integers(1, n_classes, len(wrong))) % n_classes
    return Data(name, binary_cells(corpus.texts), y)
