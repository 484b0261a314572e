"""Blocks of a matrix: each cell once, and the caller's matrix left as it is."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.partitions.block import Block, relabel
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


@pytest.fixture
def written(tmp_path):
    X = np.random.default_rng(0).poisson(0.7, (8, 5)).astype(float)
    return Block.of(X, np.arange(8, dtype=np.int32) % 2).write(tmp_path / "blocks" / "0")


def cut(path):
    path.write_bytes(path.read_bytes()[:-3])


def flip(path):
    content = bytearray(path.read_bytes())
    content[-9] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["indices.npy", "ends.npy", "labels.npy", "ids.npy", "data.npy", "sums.json"])
@pytest.mark.parametrize("damage", [cut, flip, Path.unlink])
def test_a_damaged_block_is_refused_with_the_file_and_what_to_do(written, name, damage):
    damage(written / name)
    name = r"\w+\.npy" if name == "sums.json" and damage is flip else name
    message = rf"{name}.*: the block is damaged\. Remove the folder .*blocks, and it will be made anew"
    with pytest.raises(ValueError, match=message):
        Block.open(written)


def test_a_block_with_other_labels_is_whole(written):
    assert Block.open(written).labels.tolist() == [0, 1] * 4
    relabel(written, np.array([1, 0], dtype=np.int32))
    assert Block.open(written).labels.tolist() == [1, 0] * 4
