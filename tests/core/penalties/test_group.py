"""The closed forms of the group lasso, and its refusal of groups that overlap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.penalties import GroupPenalty


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_against_loops_over_groups(seed):
    rng = np.random.default_rng(seed)
    groups = Groups.from_lists([[0, 3], [1, 4, 5]], 7, weights=rng.uniform(0.1, 2, 2))
    l1, l2, group, step = rng.choice([0.0, 0.4]), rng.uniform(0.1, 1), rng.uniform(0.2, 2), rng.uniform(0.1, 2)
    penalty = GroupPenalty(groups, group, l1, l2)
    v = 2 * rng.normal(size=7)
    w = np.sign(v) * np.maximum(np.abs(v) - step * l1, 0)
    conjugate = 0.0
    thin = np.maximum(np.abs(v) - l1, 0)
    for g in range(2):
        rows = groups.members(g)
        radius = group * groups.weights[g]
        norm = np.linalg.norm(w[rows])
        w[rows] = 0 if norm <= step * radius else w[rows] * (1 - step * radius / norm)
        conjugate += max(np.linalg.norm(thin[rows]) - radius, 0) ** 2
    conjugate += np.sum(thin[[2, 6]] ** 2)
    np.testing.assert_allclose(penalty.prox(v, step), w / (1 + 2 * step * l2), atol=1e-14)
    assert penalty.dual(v).value == pytest.approx(conjugate / (4 * l2), rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_scale_is_on_the_edge_and_inside(seed):
    rng = np.random.default_rng(seed)
    groups = Groups.from_lists([[0, 3], [1, 4, 5], [2]], 6, weights=rng.uniform(0.0, 2, 3))
    l1 = 0.3
    penalty = GroupPenalty(groups, 0.7, l1)
    c = 4 * rng.normal(size=6)

    def slack(scale):
        thin = np.maximum(np.abs(scale * c) - l1, 0)
        return np.min(0.7 * groups.weights - groups.norms(thin))

    scale = penalty.dual(c).scale
    assert slack(scale) >= -1e-15
    assert scale == 1.0 or slack(scale * (1 + 1e-12)) < 0


def test_a_group_inside_its_ball_is_exactly_zero():
    groups = Groups.from_lists([[0, 1], [2, 3]], 4, weights=1.0)
    w = GroupPenalty(groups).prox([0.6, 0.79, 0.6, 0.81], 1.0)
    assert (w[:2] == 0).all()
    assert (w[2:] != 0).all()


def test_overlap_is_refused_with_names():
    groups = Groups.from_lists([[0], [1, 2], [2, 3]], 4, names=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"groups 1 \('b'\) and 2 \('c'\) share feature 2"):
        GroupPenalty(groups)


def test_facts():
    assert GroupPenalty.has_prox
    assert not GroupPenalty.separable
