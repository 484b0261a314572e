"""Sparse matrices whose cells are stored in pieces, as SciPy allows."""

import numpy as np
import scipy.sparse as sp

FORMS = [sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix]


def in_pieces(X, form, seed=0):
    """Return a matrix equal to dense X whose cells are stored in two or three pieces, in any order."""
    rng = np.random.default_rng(seed)
    lines = X if form in (sp.csr_array, sp.csr_matrix) else X.T
    data, indices, indptr = [], [], [0]
    for line in lines:
        cells = [
            (j, line[j] * share) for j in np.flatnonzero(line) for share in ((0.5, 0.5), (0.25, 1.0, -0.25))[j % 2]
        ]
        order = rng.permutation(len(cells))
        indices += [cells[at][0] for at in order]
        data += [cells[at][1] for at in order]
        indptr.append(len(data))
    return form((np.array(data), np.array(indices, dtype=np.int32), np.array(indptr, dtype=np.int32)), shape=X.shape)
