"""`Vocabulary`: the features of a design; a module of its own, since a model is loaded with it and without designs."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The features of a design, one column each, in alphabetical (code point) order.

    Parameters
    ----------
    words : tuple of str
        Sorted, without duplicates.
    document_frequency : array of int
        Number of training documents that hold each word.
    n_documents : int
        Number of training documents.

    Attributes
    ----------
    index : dict
        Word → column.
    sha256 : str
        Fingerprint of the words: the hash of their compact ASCII JSON list.

    Examples
    --------
    >>> vocabulary = Vocabulary(("orbit", "soul"), np.array([3, 1]), n_documents=4)
    >>> vocabulary.index["soul"], len(vocabulary)
    (1, 2)
    """

    words: tuple[str, ...]
    document_frequency: np.ndarray
    n_documents: int

    def __post_init__(self) -> None:
        words = tuple(self.words)
        frequency = np.array(self.document_frequency, dtype=np.int32)
        if any(a >= b for a, b in pairwise(words)):
            raise ValueError("The words of a vocabulary must be sorted and different; pass tuple(sorted(set(words))).")
        if frequency.shape != (len(words),):
            raise ValueError(
                f"A vocabulary of {len(words)} words needs as many document frequencies; got {frequency.shape}."
            )
        frequency.setflags(write=False)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "document_frequency", frequency)

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self.words)} words from {self.n_documents} documents>"

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: column for column, word in enumerate(self.words)}

    @property
    def inverse_document_frequency(self) -> np.ndarray:
        """ln((1 + n) / (1 + df)) + 1 for each word, as scikit-learn's ``TfidfVectorizer`` has it."""
        return np.log((1 + self.n_documents) / (1 + self.document_frequency)) + 1

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(self.words, separators=(",", ":")).encode("ascii")).hexdigest()
