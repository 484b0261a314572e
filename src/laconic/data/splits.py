"""A data set with its three parts: train, dev and test."""

from collections.abc import Iterator
from dataclasses import dataclass

from laconic.data.corpus import Corpus


@dataclass(frozen=True)
class Splits:
    """The training, development and test corpus of one data set.

    Examples
    --------
    >>> part = Corpus.from_lists(["a b", "c d"], ["x", "y"])
    >>> {split: len(corpus) for split, corpus in Splits(part, part, part)}
    {'train': 2, 'dev': 2, 'test': 2}
    """

    train: Corpus
    dev: Corpus
    test: Corpus

    def __iter__(self) -> Iterator[tuple[str, Corpus]]:
        """Yield ``(name of the split, corpus)`` in the order train, dev, test."""
        yield "train", self.train
        yield "dev", self.dev
        yield "test", self.test
