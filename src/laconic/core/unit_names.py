"""Names of groups that are parts of documents, such as "sentence 12 of doc 4711", made only when they are asked for.

Millions of sentences are two arrays of numbers; as strings they would take more room than the groups themselves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


class UnitNames(Sequence[str]):
    """Names such as "sentence 2 of doc 4711": part ``numbers[i]`` of a document, all of it without ``unit``."""

    def __init__(self, unit: str, ids: Sequence[str], documents: ArrayLike, numbers: ArrayLike) -> None:
        self.unit = unit
        self.ids = ids
        self.documents: NDArray[np.int32] = np.asarray(documents, dtype=np.int32)
        self.numbers: NDArray[np.int32] = np.asarray(numbers, dtype=np.int32)
        if self.documents.shape != self.numbers.shape or self.documents.ndim != 1:
            raise ValueError(
                f"There are {self.documents.size} documents and {self.numbers.size} numbers of parts; give one of each "
                "for every name."
            )

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(self.take(np.arange(len(self))[index]))
        document = f"doc {self.ids[self.documents[index]]}"
        return f"{self.unit} {self.numbers[index]} of {document}" if self.unit else document

    def take(self, chosen: ArrayLike) -> "UnitNames":
        """Return the names at some positions (or of a mask), still unmade."""
        chosen = np.asarray(chosen)
        return UnitNames(self.unit, self.ids, self.documents[chosen], self.numbers[chosen])
