"""Groups: what they accept, what structure they have, and what restricting and joining keeps."""

import time
from dataclasses import FrozenInstanceError
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core import group_parts
from laconic.core.groups import Groups

N = 8
families = st.lists(st.sets(st.integers(0, N - 1), min_size=1), max_size=8)
few = settings(max_examples=50, deadline=None)


def as_sets(groups):
    return [set(groups.members(g).tolist()) for g in range(len(groups))]


# What they are


def test_members_are_sorted_and_typed():
    groups = Groups.from_lists([[3, 1], np.array([2, 0, 1])], n_features=5)
    assert groups.members(0).tolist() == [1, 3]
    assert groups.members(1).tolist() == [0, 1, 2]
    assert (groups.indptr.dtype, groups.indices.dtype, groups.weights.dtype) == (np.int64, np.int32, np.float64)
    assert groups.sizes.tolist() == [2, 3]
    assert groups.covered.tolist() == [True, True, True, True, False]
    np.testing.assert_allclose(groups.weights, np.sqrt([2, 3]))


@pytest.mark.parametrize(
    ("weights", "expected"),
    [(None, [np.sqrt(2), 1]), ("sqrt", [np.sqrt(2), 1]), (1.0, [1, 1]), ([0.5, 0.0], [0.5, 0])],
)
def test_weights(weights, expected):
    np.testing.assert_allclose(Groups.from_lists([[0, 1], [2]], 3, weights).weights, expected)


def test_frozen_and_read_only():
    groups = Groups.singletons(3)
    with pytest.raises(FrozenInstanceError):
        groups.source = "elsewhere"
    with pytest.raises(ValueError, match="read-only"):
        groups.weights[0] = 2.0


def test_the_callers_arrays_stay_theirs():
    weights = np.ones(2)
    groups = Groups(np.array([0, 1, 2]), np.array([0, 1], dtype=np.int32), weights, 2)
    weights[0] = 7.0
    assert groups.weights[0] == 1.0
    indices = np.array([0, 1], dtype=np.int32)
    Groups(np.array([0, 1, 2]), indices, weights, 2)
    indices[0] = 1  # still writeable


def test_empty_groups_vanish_with_their_names_and_weights():
    groups = Groups.from_lists([[], [1], [], [0, 2]], 3, weights=[9, 1, 8, 2], names=["a", "b", "c", "d"])
    assert groups.names == ("b", "d")
    assert groups.weights.tolist() == [1.0, 2.0]
    assert as_sets(groups) == [{1}, {0, 2}]


@pytest.mark.parametrize("lists", [[], [[]], [np.array([])], [np.array([]), np.array([1])]])
def test_few_or_no_groups(lists):
    groups = Groups.from_lists(lists, 3)
    assert len(groups) == sum(len(part) > 0 for part in lists)
    assert groups.structure == "disjoint"
    assert len(groups.norms(np.ones(3))) == len(groups)
    assert len(groups.restrict([0, 1])) == len(groups)
    assert Groups.from_json(groups.to_json()).fingerprint() == groups.fingerprint()


def test_names_are_made_when_none_are_given():
    assert Groups.from_lists([[0], [1]], 2).names == ("group 0", "group 1")


def test_from_dict():
    groups = Groups.from_dict({"space": ["orbit", "moon"], "none": [], "disks": ["disk"]}, ["disk", "moon", "orbit"])
    assert groups.names == ("space", "disks")
    assert as_sets(groups) == [{1, 2}, {0}]


def test_norms_in_one_and_two_dimensions():
    groups = Groups.from_lists([[0, 1], [1, 2]], 4)
    w = np.arange(8.0).reshape(4, 2)
    np.testing.assert_allclose(groups.norms(w[:, 0]), [np.hypot(0, 2), np.hypot(2, 4)])
    np.testing.assert_allclose(groups.norms(w), [np.linalg.norm(w[:2]), np.linalg.norm(w[1:3])])
    with pytest.raises(ValueError, match=r"w has shape \(3,\)"):
        groups.norms(np.ones(3))


# Structure


@few
@given(families)
def test_structure_against_all_pairs(family):
    groups = Groups.from_lists([sorted(s) for s in family], N)
    pairs = list(combinations(family, 2))
    disjoint = all(not a & b for a, b in pairs)
    laminar = all(not a & b or a <= b or b <= a for a, b in pairs)
    assert groups.disjoint == disjoint
    assert groups.laminar == laminar
    assert groups.overlapping == (not laminar)
    assert groups.structure == ("disjoint" if disjoint else "tree" if laminar else "overlapping")
    if not disjoint:
        g, h, j = groups.shared
        assert g != h
        assert j in family[g] & family[h]
    if not laminar:
        g, h, j = groups.crossing
        assert j in family[g] & family[h]
        assert family[g] - family[h]
        assert family[h] - family[g]


def test_equal_groups_are_nested_but_not_disjoint():
    groups = Groups.from_lists([[0, 1], [1, 0]], 2)
    assert groups.laminar
    assert not groups.disjoint


# Restriction


@few
@given(families, st.permutations(range(N)), st.integers(0, N), st.integers(0, 2**32 - 1))
def test_restriction_keeps_the_value_and_merges(family, order, kept, seed):
    rng = np.random.default_rng(seed)
    groups = Groups.from_lists([sorted(s) for s in family], N, weights=rng.uniform(0.1, 2, len(family)))
    features = np.array(order[:kept], dtype=int)
    small = groups.restrict(features)
    w = np.zeros(N)
    w[features] = rng.normal(size=kept)
    np.testing.assert_allclose(small.weights @ small.norms(w[features]), groups.weights @ groups.norms(w), atol=1e-12)
    # The twin: cut every set, number it anew, add up the weights of equal ones in order of appearance.
    new = {j: k for k, j in enumerate(order[:kept])}
    expected: dict[tuple, float] = {}
    for members, weight in zip(family, groups.weights, strict=True):
        cut = tuple(sorted(new[j] for j in members if j in new))
        if cut:
            expected[cut] = expected.get(cut, 0.0) + weight
    assert [tuple(small.members(g)) for g in range(len(small))] == list(expected)
    np.testing.assert_allclose(small.weights, list(expected.values()))
    l1, rest = small.split_singletons()
    assert (rest.sizes >= 2).all()
    value = l1 @ np.abs(w[features]) + rest.weights @ rest.norms(w[features])
    np.testing.assert_allclose(value, groups.weights @ groups.norms(w), atol=1e-12)


def test_restriction_never_computes_a_weight_anew():
    assert Groups.from_lists([[0, 1, 2, 3]], 4).restrict([1]).weights.tolist() == [2.0]


def test_restriction_by_mask_and_names_of_merged_groups():
    groups = Groups.from_lists([[0, 1], [0, 1, 2], [2, 3], [1, 0, 3]], 4, names=["a", "b", "c", "d"])
    small = groups.restrict(np.array([True, True, False, False]))
    assert small.names == ("a + 2 more",)
    assert groups.restrict([0, 1, 2, 3]).names == groups.names
    assert groups.restrict([2, 3]).names == ("b", "c", "d")
    assert small.features_sha256 is None


def test_names_of_twice_merged_groups_stay_distinct():
    groups = Groups.from_lists([[0, 1, 2], [0, 1], [2, 3], [2, 3, 4]], 5, names=["a", "x", "a + 1 more", "y"])
    assert groups.restrict([0, 1, 3]).names == ("a + 1 more", "a + 1 more + 1 more")
    assert groups.restrict([0, 1]).restrict([0]).names == ("a + 1 more",)


@pytest.mark.parametrize(
    ("features", "error", "message"),
    [
        ([0, 9], ValueError, "Feature 9 does not exist"),
        ([-1], ValueError, "Feature -1 does not exist"),
        ([1, 1], ValueError, "Feature 1 is asked for twice"),
        ([0.5], TypeError, "float64"),
        (np.array([True]), ValueError, "mask"),
    ],
)
def test_restriction_to_features_that_cannot_be(features, error, message):
    with pytest.raises(error, match=message):
        Groups.singletons(4).restrict(features)


def test_a_hash_collision_does_not_merge_different_sets(monkeypatch):
    real = group_parts._scramble
    monkeypatch.setattr(group_parts, "_scramble", lambda x, salt: np.ones_like(x) if salt == 0 else real(x, salt))
    small = Groups.from_lists([[0, 1], [1, 2], [0, 1, 3]], 4).restrict([0, 1, 2])
    assert as_sets(small) == [{0, 1}, {1, 2}]


def test_a_million_groups_are_handled_in_seconds():
    rng = np.random.default_rng(0)
    indices = np.sort(rng.integers(0, 2_000, (1_000_000, 3)), axis=1)
    indices += np.arange(3) * 2_000
    groups = Groups(np.arange(1_000_001) * 3, indices.ravel(), np.ones(1_000_000), 6_000)
    began = time.perf_counter()
    assert groups.structure == "overlapping"
    small = groups.restrict(np.arange(0, 6_000, 2))
    assert time.perf_counter() - began < 20  # about a second on an idle machine
    assert small.weights.sum() == np.count_nonzero((indices % 2 == 0).any(axis=1))


# Sums and multiples


def test_sum_and_multiple():
    a = Groups.from_lists([[0, 1]], 3, names=["x"], source="topics", features_sha256="f" * 64)
    b = Groups.from_lists([[1, 2], [0]], 3, names=["x", "y"], source="clusters")
    both = a + 0.5 * b
    assert as_sets(both) == [{0, 1}, {1, 2}, {0}]
    np.testing.assert_allclose(both.weights, [np.sqrt(2), np.sqrt(2) / 2, 0.5])
    assert both.names == ("x", "x (2)", "y")
    assert both.source == "topics + clusters"
    assert both.features_sha256 == "f" * 64
    assert (a * 2).names == ("x",)


def test_sum_of_groups_without_names_is_named_by_number():
    groups = Groups.singletons(2) + Groups.singletons(2)
    assert groups.names == ("group 0", "group 1", "group 2", "group 3")


def test_sums_and_multiples_that_make_no_sense():
    a = Groups.singletons(3)
    with pytest.raises(ValueError, match="over 3 and over 4 features"):
        a + Groups.singletons(4)
    x = Groups.from_lists([[0]], 3, features_sha256="a" * 64)
    y = Groups.from_lists([[0]], 3, features_sha256="b" * 64)
    with pytest.raises(ValueError, match="two different vocabularies"):
        x + y
    for factor in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="multiplied by"):
            factor * a
    with pytest.raises(TypeError):
        a + "a"
    with pytest.raises(TypeError):
        a * "2"


# Bad input


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"lists": [[0], [1, 5]]}, ValueError, r"Group 1 has the member 5; features are numbered from 0 to 2"),
        ({"lists": [[0], [-1]]}, ValueError, r"Group 1 has the member -1"),
        ({"lists": [[0], [2, 1, 2]]}, ValueError, r"Group 1 has the member 2 twice"),
        ({"lists": [[0], [1, 2, 2]], "names": ["a", "b"]}, ValueError, r"Group 1 \('b'\) has the member 2 twice"),
        ({"lists": [[0], [1.5]]}, TypeError, r"Group 1 has the member 1.5; members must be integers"),
        ({"lists": [[0], ["word"]]}, TypeError, r"Group 1 has the member 'word'"),
        ({"lists": [[True, False]]}, TypeError, r"Group 0 has the member True"),
        ({"lists": [[0], [[1, 2]]]}, TypeError, r"Group 1 has the member \[1, 2\]"),
        ({"lists": [np.array([0]), np.array([1.0])]}, TypeError, r"Group 1 has members of type float64"),
        ({"lists": [[0], "12"]}, TypeError, r"Group 1 is '12'"),
        ({"lists": [[0], 1]}, TypeError, r"Group 1 is 1"),
        ({"lists": [[0], [1]], "weights": [1, -2]}, ValueError, r"The weight of Group 1 is -2.0"),
        ({"lists": [[0], [1]], "weights": [np.nan, 1]}, ValueError, r"The weight of Group 0 is nan"),
        ({"lists": [[0]], "weights": [np.inf], "names": ["a"]}, ValueError, r"The weight of Group 0 \('a'\) is inf"),
        ({"lists": [[0], [1]], "weights": [1.0]}, ValueError, r"weights has shape \(1,\)"),
        ({"lists": [[0]], "weights": "size"}, ValueError, r"weights is 'size'"),
        ({"lists": [[0], [1]], "names": ["a"]}, ValueError, r"There are 1 names for 2 groups"),
        ({"lists": [[0], [1]], "names": ["a", "a"]}, ValueError, r"Two groups are called 'a'"),
        ({"lists": [[0]], "names": [3]}, TypeError, r"The name of group 0 is 3"),
        ({"lists": [[0]], "names": "a"}, TypeError, r"names is the string 'a'"),
        ({"lists": [[0]], "n_features": 2.0}, TypeError, r"n_features is 2.0"),
        ({"lists": [[0]], "n_features": -1}, ValueError, r"n_features is -1"),
        ({"lists": [[0]], "n_features": 2**31}, ValueError, r"n_features is 2147483648"),
    ],
)
def test_lists_that_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Groups.from_lists(**({"n_features": 3} | arguments))


@pytest.mark.parametrize("indptr", [[0, 2, 1], [1, 2], [0, 1], [0, 3], [[0, 2]], [0.0, 2.0], []])
def test_pointers_that_are_refused(indptr):
    with pytest.raises(ValueError, match="indptr"):
        Groups(indptr, [0, 1], np.ones(max(len(indptr) - 1, 0)), 3)


def test_named_features_that_are_refused():
    with pytest.raises(ValueError, match="Group 'a' has the feature 'sun', which is not among the 2 features"):
        Groups.from_dict({"a": ["moon", "sun"]}, ["moon", "disk"])
    with pytest.raises(TypeError, match="Group 'a' is the string 'moon'"):
        Groups.from_dict({"a": "moon"}, ["moon"])
    with pytest.raises(ValueError, match="feature_names holds a name twice"):
        Groups.from_dict({"a": ["moon"]}, ["moon", "moon"])
    with pytest.raises(ValueError, match=r"'a'.*member 0 twice"):
        Groups.from_dict({"a": ["moon", "moon"]}, ["moon"])


def test_groups_of_another_vocabulary_are_refused():
    groups = Groups.from_lists([[0]], 3, features_sha256="a" * 64)
    groups.check_features("a" * 64, 3)
    groups.check_features(None, 3)
    Groups.singletons(3).check_features("a" * 64, 3)
    with pytest.raises(ValueError, match="made for another vocabulary"):
        groups.check_features("b" * 64, 3)
    with pytest.raises(ValueError, match="made for 3 features, but there are 4"):
        groups.check_features("a" * 64, 4)


# Single groups


@pytest.mark.parametrize("g", [-1, 2, 5])
def test_members_of_a_group_that_does_not_exist(g):
    with pytest.raises(IndexError, match=f"no group {g}: there are 2 groups, counted from 0"):
        Groups.from_lists([[0], [1, 2]], n_features=3).members(g)


def test_groups_of_equal_content_are_equal():
    groups = Groups.from_lists([[0], [1, 2]], n_features=3, names=["a", "b"])
    again = Groups.from_json(groups.to_json() | {"source": "a file"})
    assert groups == again
    assert hash(groups) == hash(again)
    assert groups != Groups.from_lists([[0], [1, 2]], n_features=3)
    assert groups != groups * 2.0
    assert groups != Groups.from_lists([[0], [0, 2]], n_features=3, names=["a", "b"])
    assert groups != "groups"


def test_take():
    groups = Groups.from_lists([[0, 1], [2], [1, 3]], n_features=4, weights=[1.0, 2.0, 3.0])
    some = groups.take([2, 0])
    assert [some.members(g).tolist() for g in range(2)] == [[1, 3], [0, 1]]
    assert some.weights.tolist() == [3.0, 1.0]
    assert len(groups.take([])) == 0
    with pytest.raises(ValueError, match="Group 3 does not exist"):
        groups.take([3])
    with pytest.raises(ValueError, match="Group 1 is asked for twice"):
        groups.take([1, 1])
