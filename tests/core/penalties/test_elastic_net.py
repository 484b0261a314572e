"""The closed forms of the elastic net."""

import numpy as np
import pytest

from laconic.core.penalties import ElasticNetPenalty


def test_formulas():
    penalty = ElasticNetPenalty(l1=0.5, l2=2.0)
    w = np.array([1.0, -2.0, 0.0])
    assert penalty.value(w) == 0.5 * 3 + 2 * 5
    np.testing.assert_allclose(penalty.prox(w, 0.5), np.array([0.75, -1.75, 0.0]) / 3)
    assert penalty.dual(w).value == pytest.approx((0.5**2 + 1.5**2) / 8)
    assert penalty.lambda_max(w) == 4.0


def test_levels_per_feature_and_several_outputs():
    penalty = ElasticNetPenalty(l1=[1.0, 2.0])
    w = np.array([[3.0, -4.0], [1.0, 5.0]])
    assert penalty.value(w) == 7 + 12
    np.testing.assert_array_equal(penalty.prox(w, 1.0), [[2.0, -3.0], [0.0, 3.0]])
    assert penalty.lambda_max(w) == 4.0
    assert penalty.dual(w).scale == pytest.approx(0.25, rel=1e-15)
    with pytest.raises(ValueError, match="read-only"):
        penalty.l1[0] = 3.0


def test_ridge_has_no_largest_level():
    penalty = ElasticNetPenalty(l2=1.0)
    assert penalty.lambda_max([1.0]) == np.inf
    assert penalty.dual([2.0]) == (1.0, 1.0)


def test_facts():
    assert ElasticNetPenalty.has_prox
    assert ElasticNetPenalty.separable
