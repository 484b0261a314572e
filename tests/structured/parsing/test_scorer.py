"""Pieces of scoring and decoding with numpy alone; `test_score_numba` compares the whole."""

import numpy as np
import pytest

from laconic.structured.parsing.scorer import best_heads, best_projective_heads, distance_bins


def test_bins_of_distances():
    assert distance_bins(np.array([1, 5, 6, 10, 11, 20, 21])).tolist() == [0, 4, 5, 5, 6, 6, 7]


@pytest.mark.parametrize("find", [best_heads, best_projective_heads])
def test_a_cycle_is_left_by_the_best_arc(find):
    assert find(np.array([[0.0, 1.0, 5.0], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]]), single=True).tolist() == [2, 0]
