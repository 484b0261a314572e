"""How texts become a matrix here: default word tokens, cells 1 where the word occurs."""

from collections.abc import Sequence

from scipy import sparse

from laconic.text import Analyzer, BagOfWords


def binary_cells(texts: Sequence[str]) -> sparse.csr_array:
    """Return the binary bag of words of the texts."""
    return BagOfWords(Analyzer(), cells="binary").fit(texts).X
