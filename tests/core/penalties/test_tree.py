"""The tree penalty: one pass from the leaves is exact, and families that are no tree are refused."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.penalties import GroupPenalty, OverlappingPenalty, TreePenalty


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


def test_facts():
    assert TreePenalty.has_prox
    assert not TreePenalty.separable
