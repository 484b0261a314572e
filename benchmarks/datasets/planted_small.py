"""A planted corpus of 2,000 documents, to try things out in seconds; not raced unless asked for."""

from benchmarks.datasets import Data
from benchmarks.datasets.planted import make

MANY_CLASSES = True


def load(many_classes: bool = False) -> Data:
    """Return the corpus with two classes or with four."""
    return make("planted_small", 2_000, 5_000, 4 if many_classes else 2)
