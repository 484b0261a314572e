"""The simplest penalty that fits is picked, with all its levels."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.penalties import GroupPenalty, OverlappingPenalty, TreePenalty, group_penalty
from laconic.core.penalties.by_structure import without_groups


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


@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_singletons_are_an_elastic_net_of_the_same_value(l2):
    groups = Groups.from_lists([[0], [2], [0], [1]], n_features=3, weights=[1.0, 2.0, 0.5, 3.0])
    grouped = group_penalty(groups, 0.7, 0.2, l2)
    plain = without_groups(grouped, n_outputs=1)
    w = np.array([1.5, -2.0, 0.25])
    assert plain.value(w) == pytest.approx(grouped.value(w))
    assert without_groups(grouped, n_outputs=2) is None


def test_what_is_no_elastic_net_stays_grouped():
    pair = Groups.from_lists([[0, 1]], n_features=3)
    assert without_groups(group_penalty(pair, 1.0), 1) is None
    assert without_groups(group_penalty(pair, 0.0, 0.5), 3).l1 == 0.5
    bare = Groups.from_lists([[0], [1]], n_features=3)
    assert without_groups(group_penalty(bare, 1.0), 1) is None  # feature 2 has no penalty at all
    assert without_groups(group_penalty(bare, 1.0, 0.0, 0.1), 1).l1.tolist() == [1.0, 1.0, 0.0]
