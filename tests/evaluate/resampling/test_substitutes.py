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


def test_choices_between_words_link_them():
    rng = np.random.default_rng(2)
    base = rng.random(300) < 0.4
    X = np.column_stack([base & (rng.random(300) < 0.7), base & (rng.random(300) < 0.7), rng.random(300) < 0.4])
    coin = rng.random(40) < 0.5
    selected = np.column_stack([coin, ~coin, rng.random(40) < 0.5])
    ((columns, share),) = stand_ins(X.astype(float), selected)
    assert set(columns) == {0, 1}
    assert share == 1.0


def test_a_word_that_is_nearly_always_there_is_nobodys_stand_in():
    rng = np.random.default_rng(3)
    base = rng.random(300) < 0.4
    X = np.column_stack([base & (rng.random(300) < 0.7), base & (rng.random(300) < 0.7)]).astype(float)
    often = np.arange(50) != 7
    # the other one is in the single model that lacks the first, and in a few more
    assert stand_ins(X, np.column_stack([often, ~often | (np.arange(50) < 2)])) == []
