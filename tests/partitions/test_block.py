"""Blocks of a matrix: each cell once, and the caller's matrix left as it is."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.partitions.block import Block
from tests.core.pieces import in_pieces


@pytest.mark.parametrize("form", [sp.csc_array, sp.csr_array])
def test_a_block_adds_up_pieces_and_drops_zeros_without_touching_the_matrix(form):
    X = np.random.default_rng(0).poisson(0.7, (8, 5)).astype(float)
    pieces, zeros = in_pieces(X, form), form(X + 1.0)
    zeros.data -= 1.0
    for given in (pieces, zeros):
        before = given.copy()
        block = Block.of(given, np.arange(8))
        assert (block.columns.stop - block.columns.start).tolist() == np.count_nonzero(X, axis=0).tolist()
        np.testing.assert_array_equal(given.data, before.data)
        np.testing.assert_array_equal(given.indices, before.indices)
        np.testing.assert_array_equal(given.indptr, before.indptr)
