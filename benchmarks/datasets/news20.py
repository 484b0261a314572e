"""20 Newsgroups: the training part of all groups; the five comp.* groups against the rest, or all 20 classes."""

import numpy as np

import laconic
from benchmarks.datasets import Data
from benchmarks.datasets._bag import binary_cells

MANY_CLASSES = True


def load(many_classes: bool = False) -> Data:
    """Return the messages with 20 classes, or with class 1 for comp.*."""
    train = laconic.data.load("20ng/all").train
    if many_classes:
        y = np.unique(train.labels, return_inverse=True)[1]
    else:
        y = np.array([str(label).startswith("comp.") for label in train.labels]).astype(np.int64)
    return Data("news20", binary_cells(train.texts), y)
