"""Groups as files: what JSON, copies and pickles keep, and which descriptions are refused."""

import copy
import json
import os
import pickle
import stat

import numpy as np
import pytest

from laconic.core.group_parts import UnitNames
from laconic.core.groups import Groups


@pytest.fixture
def named():
    weights = [0.1, 1 / 3]
    return Groups.from_lists(
        [[0, 1], [1, 2]], 4, weights, names=["sentence 1", "mañana \ud800"], features_sha256="c" * 64, source="test"
    )


def test_json_and_files_keep_everything(named, tmp_path):
    path = tmp_path / "groups.json"
    named.save(path)
    for again in (Groups.from_json(json.loads(json.dumps(named.to_json()))), Groups.read(path)):
        assert again.fingerprint() == named.fingerprint()
        assert again.names == named.names
        assert again.weights.tolist() == named.weights.tolist()
        assert (again.features_sha256, again.source) == (named.features_sha256, named.source)
    assert Groups.from_json(Groups.singletons(2).to_json()).to_json()["names"] is None


def test_fingerprint_sees_every_part():
    data = Groups.from_lists([[0, 1], [2, 3]], 4, names=["a", "bc"], features_sha256="c" * 64).to_json()
    changes = [
        {"n_features": 5},
        {"weights": [0.1, 0.2]},
        {"indices": [0, 1, 1, 3]},
        {"indptr": [0, 1, 4]},
        {"names": ["ab", "c"]},
        {"features_sha256": None},
    ]
    prints = {Groups.from_json(data | change).fingerprint() for change in [{}, *changes]}
    assert len(prints) == 7
    assert Groups.from_json(data | {"source": "other"}).fingerprint() in prints


def test_a_failed_save_leaves_the_old_file(named, tmp_path, monkeypatch):
    path = tmp_path / "groups.json"
    named.save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        Groups.singletons(2).save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["groups.json"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX systems")
def test_a_saved_file_follows_the_users_mask(named, tmp_path):
    before = os.umask(0o027)
    try:
        named.save(tmp_path / "groups.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "groups.json").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "model"}, "not a description of groups"),
        ({"format": 2}, "format 2 cannot be read"),
        ({"indices": [0, 1, 1, 9]}, "has the member 9"),
        ({"indptr": [0, 2, 5]}, "indptr"),
        ({"source": 3}, "source is 3"),
        ({"features_sha256": 3}, "features_sha256 is 3"),
        ({"weights": [float("nan"), 1.0]}, "is nan"),
    ],
)
def test_descriptions_that_are_refused(named, change, message):
    with pytest.raises(ValueError, match=message):
        Groups.from_json(named.to_json() | change)


def test_broken_files_are_refused(named, tmp_path):
    path = tmp_path / "groups.json"
    named.save(path)
    path.write_text(path.read_text()[:-20])
    with pytest.raises(ValueError, match=r"groups\.json is not a JSON file of groups"):
        Groups.read(path)
    data = named.to_json()
    del data["weights"]
    with pytest.raises(ValueError, match="lacks weights"):
        Groups.from_json(data)
    with pytest.raises(ValueError, match="not a description of groups"):
        Groups.from_json([])


def test_copies_and_pickles(named):
    assert copy.deepcopy(named) is named
    assert copy.copy(named) is named
    small = named.restrict([0, 1])
    for groups in (named, small, small.split_singletons()[1], Groups.singletons(3)):
        again = pickle.loads(pickle.dumps(groups))
        assert again.fingerprint() == groups.fingerprint()
        assert again.names == groups.names


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
