"""IMDB: the training part of the film reviews, positive against negative (22,500 reviews, 78,069 words)."""

import numpy as np

import laconic
from benchmarks.datasets import Data
from benchmarks.datasets._bag import binary_cells

MANY_CLASSES = False


def load(many_classes: bool = False) -> Data:
    """Return the reviews; there are only two classes."""
    if many_classes:
        raise ValueError("imdb has two classes; a softmax needs a data set with more, such as news20.")
    train = laconic.data.load("imdb").train
    return Data("imdb", binary_cells(train.texts), np.unique(train.labels, return_inverse=True)[1])
