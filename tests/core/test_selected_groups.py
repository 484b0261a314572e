"""SelectedGroups: which groups, in what order, by what names."""

import pickle

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.selected_groups import KeptGroups, SelectedGroups

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


def test_cut_and_merge():
    groups = Groups.from_lists([[0, 1], [1, 2], [2, 3], [1]], n_features=4, names=["a", "b", "c", "d"])
    kept = KeptGroups.cut(groups, selected=[3, 1, 0], features=[1, 2])
    assert kept.groups.names == ("a + 1 more", "b")
    assert [kept.groups.members(g).tolist() for g in range(2)] == [[0], [0, 1]]
    assert (kept.n_selected, kept.n_groups, kept.n_removed, kept.n_words) == (3, 4, 1, 2)
    assert pickle.loads(pickle.dumps(kept)).groups == kept.groups


def test_groups_are_made_when_asked_for_and_once():
    calls = []

    def make():
        calls.append(1)
        return Groups.singletons(2)

    kept = KeptGroups(1, 2, 2, "", make)
    assert not calls
    assert kept.groups is kept.groups
    assert len(calls) == 1


@pytest.mark.parametrize("numbers", [(3, 2, 1), ("1", 2, 1), (-1, 2, 1), (1, 2, None)])
def test_wrong_numbers_are_refused(numbers):
    with pytest.raises(ValueError, match="must be counts"):
        KeptGroups(*numbers, "", lambda: Groups.singletons(1))


def test_groups_of_other_words_are_refused():
    with pytest.raises(ValueError, match="cut to 3 words, but there are 2"):
        KeptGroups(1, 1, 2, "", lambda: Groups.singletons(3)).groups  # noqa: B018
