"""One file per data set; each has `load` and says in `MANY_CLASSES` whether a softmax can be raced on it.

Prepared matrices are kept in ``benchmarks/.cache`` in both layouts, so that reading costs the same for every worker.
"""

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

CACHE = Path(__file__).parents[1] / ".cache"
NAMES = ("imdb", "news20", "planted", "planted_small")
SENTENCES = ("religion", "sports", "movie")  # with groups, read by `benchmarks.datasets._sentences`
FAMILIES = (*(f"religion-{name}" for name in ("LDA", "LSI", "GOW", "WORD2VEC_NEW", "SENTENCES")), "science")
FROM_FILES = ("imdb", "news20")


@dataclass(frozen=True)
class Data:
    """A design matrix (CSR, float64) and classes 0, 1, …"""

    name: str
    X: sparse.csr_array
    y: NDArray[np.int64]

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return int(self.y.max()) + 1


def defaults(many_classes: bool) -> list[str]:
    """Names of the data sets to race on: those of the data folder only where ``LACONIC_DATA`` is set."""
    names = [n for n in ("imdb", "news20", "planted") if n not in FROM_FILES or "LACONIC_DATA" in os.environ]
    return [n for n in names if offers(n, many_classes)]


def offers(name: str, many_classes: bool) -> bool:
    """Say whether the data set has labels for the kind of objective."""
    return not many_classes or import_module(f"benchmarks.datasets.{name}").MANY_CLASSES


def get(name: str, many_classes: bool = False) -> Data:
    """Return the data set of that name, from the cache if it has been made before."""
    path = file(name, many_classes, "csr")
    if not path.exists():
        keep(import_module(f"benchmarks.datasets.{name}").load(many_classes), many_classes)
    X, y = read(path)
    return Data(name, X, y)


def keep(data: Data, many_classes: bool = False) -> None:
    """Write a data set into the cache."""
    CACHE.mkdir(exist_ok=True)
    # Columns first: the file that `get` looks for comes last.
    for layout in ("csc", "csr"):
        write(file(data.name, many_classes, layout), data.X.asformat(layout), data.y)


def file(name: str, many_classes: bool, layout: str) -> Path:
    """Return where the matrix is kept in one layout."""
    return CACHE / f"{name}-{'many' if many_classes else 'two'}-{layout}.npz"


def write(path: Path, X: sparse.sparray, y: NDArray) -> None:
    """Write a CSR or CSC matrix with its labels; a half-written file never bears the name."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, layout=X.format, shape=X.shape, data=X.data, indices=X.indices, indptr=X.indptr, y=y)
    partial.replace(path)


def read(path: Path) -> tuple[sparse.sparray, NDArray[np.int64]]:
    """Read a matrix with its labels."""
    with np.load(path) as stored:
        kind = sparse.csr_matrix if str(stored["layout"]) == "csr" else sparse.csc_matrix
        # The older matrix class: some peers know only that one.
        X = kind((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
        X.has_sorted_indices = X.has_canonical_format = True
        return X, stored["y"]
