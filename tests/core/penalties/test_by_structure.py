"""The simplest penalty that fits is picked, with all its levels."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.penalties import GroupPenalty, OverlappingPenalty, TreePenalty, group_penalty


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
