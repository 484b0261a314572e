"""SelectedGroups: which groups, in what order, by what names."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.selected_groups import SelectedGroups

GROUPS = Groups.from_lists([[0], [1], [2], [3]], 4, names=["a", "b", "c", "d"])


def test_groups_above_zero_come_strongest_first_and_ties_in_order():
    selected = SelectedGroups.of(GROUPS, [1.0, 0.0, 3.0, 1.0])
    assert selected.indices.tolist() == [2, 0, 3]
    assert selected.names == ("c", "a", "d")
    assert selected.norms.tolist() == [3.0, 1.0, 1.0]
    assert list(selected) == [("c", 3.0), ("a", 1.0), ("d", 1.0)]
    assert (len(selected), selected.n_groups, repr(selected)) == (3, 4, "SelectedGroups(3 of 4 groups)")


def test_nothing_selected():
    selected = SelectedGroups.of(GROUPS, np.zeros(4))
    assert (len(selected), selected.names, selected.n_groups) == (0, (), 4)


def test_a_norm_that_is_not_a_number_is_not_dropped():
    assert SelectedGroups.of(GROUPS, [0.0, np.nan, 0.0, 0.0]).indices.tolist() == [1]


def test_one_norm_per_group():
    with pytest.raises(ValueError, match=r"norms has shape \(3,\); there are 4 groups"):
        SelectedGroups.of(GROUPS, np.zeros(3))
