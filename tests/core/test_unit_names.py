import numpy as np
import pytest

from laconic.core import Groups
from laconic.core.unit_names import UnitNames


def test_names_are_those_of_a_list():
    names = UnitNames("sentence", ("a", "b"), np.array([0, 0, 1]), np.array([1, 3, 1]))
    every = ["sentence 1 of doc a", "sentence 3 of doc a", "sentence 1 of doc b"]
    assert list(names) == every
    assert names[-1] == every[-1]
    assert names[:2] == tuple(every[:2])
    assert list(names.take(np.array([True, False, True]))) == every[::2]
    assert every[1] in names
    assert list(UnitNames("", ("a", "b"), [1, 0], [1, 1])) == ["doc b", "doc a"]


def test_groups_keep_them_unmade_and_drop_those_of_empty_groups():
    names = UnitNames("sentence", ("a",), [0, 0, 0], [1, 2, 3])
    groups = Groups.from_lists([[0], [], [0, 1]], 2, names=names)
    assert list(groups.names) == ["sentence 1 of doc a", "sentence 3 of doc a"]
    plain = Groups.from_lists([[0], [0, 1]], 2, names=list(groups.names))
    assert groups == plain
    assert Groups.from_json(groups.to_json()) == groups
    assert groups.restrict([0]).names == ("sentence 1 of doc a + 1 more",)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="2 documents and 1 numbers"):
        UnitNames("sentence", ("a",), [0, 0], [1])
    with pytest.raises(ValueError, match="1 names for 2 groups"):
        Groups.from_lists([[0], [1]], 2, names=UnitNames("sentence", ("a",), [0], [1]))
