"""The one form in which solvers and blocks read a matrix: columns with ascending rows, each cell stored once."""

from typing import Any

import numpy as np
import scipy.sparse as sp


def canonical_columns(X: Any) -> sp.csc_array:
    """Return X by columns, cells that are stored more than once added up; the caller's matrix is never written to."""
    X = sp.csc_array(X, dtype=np.float64)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
