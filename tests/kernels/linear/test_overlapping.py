"""The kernels of shrinkage against loops in numpy."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.kernels.linear.overlapping import ascend_groups, shrink_groups


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    groups = Groups.from_lists([rng.choice(10, size=k, replace=False) for k in (1, 3, 4, 10)], 10)
    return groups, rng.normal(size=(10, 2)), np.array([0.3, 5.0, 0.5, 0.0]), np.array([2, 0, 1, 3])


def test_shrink_groups(case):
    groups, v, radii, order = case
    expected = v.copy()
    for g in order:
        rows = groups.members(g)
        norm = np.linalg.norm(expected[rows])
        expected[rows] *= max(0.0, 1 - radii[g] / norm) if norm else 0.0
    w = v.copy()
    shrink_groups(w, groups.indptr, groups.indices, radii, order)
    np.testing.assert_allclose(w, expected, atol=1e-15)
    assert (w[groups.members(1)] == 0).all()


def test_ascend_groups(case):
    groups, v, radii, order = case
    dual = {g: np.zeros((groups.sizes[g], 2)) for g in range(4)}
    r, xi, inside = v.copy(), np.zeros((len(groups.indices), 2)), np.zeros(4, dtype=np.bool_)
    expected = v.copy()
    for _ in range(3):
        ascend_groups(r, xi, inside, groups.indptr, groups.indices, radii, order)
        for g in order:
            rows = groups.members(g)
            whole = expected[rows] + dual[g]
            dual[g] = whole * min(1.0, radii[g] / np.linalg.norm(whole))
            expected[rows] = whole - dual[g]
    np.testing.assert_allclose(r, expected, atol=1e-14)
    np.testing.assert_allclose(xi, np.concatenate([dual[g] for g in range(4)]), atol=1e-14)
    assert inside.tolist() == [False, True, False, False]
