"""Words that stand in for one another, however their cells are stored."""

import numpy as np
import scipy.sparse as sp

from laconic.evaluate.resampling.substitutes import stand_ins
from tests.core.pieces import in_pieces


def test_cells_in_pieces_link_the_words_of_their_sums():
    rng = np.random.default_rng(0)
    X = rng.poisson(1.0, (40, 6)).astype(float)
    X[:, 1] = X[:, 0] + (rng.random(40) < 0.1)
    selected = rng.random((10, 6)) < 0.5
    found = stand_ins(X, selected)
    assert found
    pieces = in_pieces(X, sp.csc_array)
    before = pieces.data.copy(), pieces.indptr.copy()
    assert stand_ins(pieces, selected) == found
    np.testing.assert_array_equal(pieces.data, before[0])
    np.testing.assert_array_equal(pieces.indptr, before[1])
