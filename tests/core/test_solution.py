"""Solution: gaps and support."""

import numpy as np

from laconic.core.solution import Solution


def test_gap_and_support():
    solution = Solution(np.array([[0.0, 0.0], [0.0, -1.0]]), np.zeros(2), objective=2.0, dual_objective=1.5)
    assert solution.gap == 0.5
    assert solution.relative_gap == 0.25
    assert solution.support.tolist() == [1]


def test_without_certificate_the_gap_is_infinite():
    solution = Solution(np.zeros((1, 1)), np.zeros(1), objective=2.0, dual_objective=-np.inf)
    assert solution.gap == np.inf
    assert solution.relative_gap == np.inf


def test_zero_objective():
    assert Solution(np.zeros((1, 1)), np.zeros(1), 0.0, 0.0).relative_gap == 0.0
