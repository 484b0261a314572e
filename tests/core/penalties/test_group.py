"""The closed forms of the group lasso, and its refusal of groups that overlap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.penalties import ElasticNetPenalty, GroupPenalty, OverlappingPenalty, TreePenalty, group_penalty


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


@given(seed=st.integers(0, 10**6), l1=st.sampled_from([0.0, 0.4]), outputs=st.sampled_from([1, 3]))
@settings(max_examples=40, deadline=None)
def test_outside_are_the_features_that_the_prox_leaves_nonzero(seed, l1, outputs):
    rng = np.random.default_rng(seed)
    groups = Groups.from_lists([[0, 1, 2], [4, 5], [6]], n_features=9)
    c = rng.exponential(0.7, (9, outputs))
    for penalty in (GroupPenalty(groups, 0.5, l1), TreePenalty(groups, 0.5, l1), ElasticNetPenalty(0.5)):
        mask = penalty.outside(c)
        np.testing.assert_array_equal(mask, penalty.prox(c, 1.0).any(axis=1))
        # What is inside for a bound is inside for anything below it.
        assert not penalty.prox(c * rng.choice([-1.0, 0.3, 1.0], c.shape), 1.0)[~mask].any()


@given(seed=st.integers(0, 10**6), l1=st.sampled_from([0.0, 0.4]))
@settings(max_examples=40, deadline=None)
def test_a_dual_point_is_just_inside_the_dual_set(seed, l1):
    rng = np.random.default_rng(seed)
    penalty = GroupPenalty(Groups.from_lists([[0, 1, 2], [3, 4]], n_features=5), 0.5, l1)
    c = rng.normal(size=5) * rng.choice([0.1, 1.0, 10.0])
    scale = penalty.dual(c).scale
    assert np.abs(penalty.prox(scale * c, 1.0)).max() <= 1e-14
    assert scale == 1.0 or penalty.prox(1.0001 * scale * c, 1.0).any()


def test_agrees_with_block_ascent(rng, twins):
    for _ in range(10):
        tree = twins.make_penalty("tree", 9, rng)
        twin = OverlappingPenalty(tree.groups, tree.group, tree.l1, tree.l2)
        v = 2 * rng.normal(size=9)
        np.testing.assert_allclose(tree.prox(v, 0.6), twin.prox(v, 0.6), atol=1e-6)
        assert tree.dual(v).value == pytest.approx(twin.dual(v).value, rel=1e-9)
        assert tree.lambda_max(v) == pytest.approx(twin.lambda_max(v), rel=1e-8)


def test_disjoint_groups_are_a_tree(rng, twins):
    group = twins.make_penalty("disjoint", 9, rng, l2=0.0)
    tree = TreePenalty(group.groups, group.group, group.l1, group.l2)
    v = 2 * rng.normal(size=(9, 2))
    assert type(group) is GroupPenalty
    np.testing.assert_allclose(tree.prox(v, 0.5), group.prox(v, 0.5), atol=1e-14)
    assert tree.dual(v).scale == pytest.approx(group.dual(v).scale, rel=1e-13)


def test_a_zero_node_takes_its_children_with_it():
    groups = Groups.from_lists([[0, 1, 2, 3], [0, 1]], 4, weights=[2.0, 0.1])
    assert not TreePenalty(groups).prox([1.0, 1.0, 1.0, 1.0], 1.0).any()


def test_crossing_groups_are_refused_with_names():
    groups = Groups.from_lists([[0, 1, 2], [0, 1], [2, 3]], 4, names=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"'c'.*'a'.*share feature 2 and neither holds the other"):
        TreePenalty(groups)


def test_facts_of_a_tree():
    assert TreePenalty.has_prox
    assert not TreePenalty.separable


@pytest.mark.parametrize(
    ("lists", "kind"),
    [
        ([], GroupPenalty),
        ([[0, 1], [2]], GroupPenalty),
        ([[0, 1], [0]], TreePenalty),
        ([[0, 1], [0, 1]], TreePenalty),
        ([[0, 1], [1, 2]], OverlappingPenalty),
    ],
)
def test_choice(lists, kind):
    groups = Groups.from_lists(lists, 3)
    penalty = group_penalty(groups, 0.3, np.array([0.1, 0.2, 0.3]), 0.4)
    assert type(penalty) is kind
    assert penalty.groups is groups
    assert (penalty.group, penalty.l1.tolist(), penalty.l2) == (0.3, [0.1, 0.2, 0.3], 0.4)
