"""Groups of the user's own, from dictionaries and files, and the vocabularies they do not fit."""

import json
import os

import numpy as np
import pytest

from laconic.core import Groups
from laconic.core import group_parts as checks
from laconic.groups import GivenGroups
from laconic.text import Vocabulary

VOCABULARY = Vocabulary(("disk", "moon", "orbit", "soul"), np.array([1, 1, 1, 1]), n_documents=4)
SPACE = {"space": ["orbit", "moon", "orbit"], "mixed": ["soul", "moon"]}


def write(path, data):
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_dictionary_and_a_file_give_the_same(tmp_path):
    groups = GivenGroups(SPACE).build(None, VOCABULARY)
    assert groups.names == ("space", "mixed")
    assert [groups.members(g).tolist() for g in range(2)] == [[1, 2], [1, 3]]
    assert groups.weights.tolist() == pytest.approx([2**0.5, 2**0.5])
    assert groups.features_sha256 == VOCABULARY.sha256
    path = write(tmp_path / "space.json", SPACE)
    assert GivenGroups(path).build(None, VOCABULARY) == groups
    assert GivenGroups(str(path), weights="ones").build(None, VOCABULARY).weights.tolist() == [1.0, 1.0]


def test_unknown_words_are_dropped_and_counted():
    groups = GivenGroups({"space": ["moon", "rover"], "none": ["rover", "probe"]}).build(None, VOCABULARY)
    assert groups.names == ("space",)
    assert groups.weights.tolist() == [1.0]
    assert groups.source == "given groups (3 of 4 words not in the vocabulary)"


def test_no_known_word_at_all_is_refused(tmp_path):
    path = write(tmp_path / "cars.json", {"cars": ["Truck", "van"]})
    with pytest.raises(ValueError, match=r"None of the 2 words of .*cars.json \('cars'\) is in the vocabulary"):
        GivenGroups(path).build(None, VOCABULARY)


def test_a_file_of_groups_comes_back_as_it_was(tmp_path):
    groups = Groups.from_dict(SPACE | {"space": ["orbit", "moon"]}, VOCABULARY.words, 3.0, VOCABULARY.sha256)
    groups.save(tmp_path / "g.json")
    assert GivenGroups(tmp_path / "g.json").build(None, VOCABULARY) == groups


def test_groups_of_another_vocabulary_are_refused_with_file_and_names(tmp_path):
    path = tmp_path / "g.json"
    names = [f"topic {k}" for k in range(5)]
    Groups.from_lists([[0, 1]] * 5, 4, names=names, features_sha256="0" * 64).save(path)
    message = r"The groups 'topic 0', 'topic 1', 'topic 2' and 2 more of .*g.json cannot .* another vocabulary"
    with pytest.raises(ValueError, match=message):
        GivenGroups(path).build(None, VOCABULARY)
    Groups.from_lists([[0, 6]], 7, names=["far"]).save(path)
    with pytest.raises(ValueError, match=r"'far' of .*g.json cannot be used here. .* 7 features, but there are 4"):
        GivenGroups(path).build(None, VOCABULARY)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (["moon"], "must be an object"),
        ({}, "at least one group"),
        ({"space": "moon"}, "group 'space' is 'moon'; it must be a list of words"),
        ({"space": [1]}, "must be a list of words"),
        ({"kind": "groups", "format": 7}, "cannot be used: Groups of format 7"),
    ],
)
def test_files_of_something_else_are_refused(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        GivenGroups(write(tmp_path / "g.json", data)).build(None, VOCABULARY)


def test_missing_and_broken_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file of groups '.*nope.json'"):
        GivenGroups(tmp_path / "nope.json").read()
    (tmp_path / "g.json").write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"g.json is not a JSON file of groups"):
        GivenGroups(tmp_path / "g.json").read()


def test_wrong_arguments():
    with pytest.raises(TypeError, match="takes a file or a dictionary"):
        GivenGroups(["moon"])
    with pytest.raises(ValueError, match="weights is 'log'"):
        GivenGroups(SPACE, weights="log")


def test_a_byte_order_mark_is_no_part_of_a_file_and_a_name_stands_once(tmp_path):
    path = tmp_path / "space.json"
    path.write_text('\ufeff{"space": ["moon"]}', encoding="utf-8")
    assert GivenGroups(path).build(None, VOCABULARY).names == ("space",)
    path.write_text('{"space": ["moon"], "space": ["orbit"]}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"space\.json is not a JSON file of groups: the name 'space' occurs twice"):
        GivenGroups(path).build(None, VOCABULARY)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"space": ["moon"], "space": ["soul"]}', r"is not a JSON file of groups: the name 'space' occurs twice"),
        ("[" * 100_000, r"is not a JSON file of groups: brackets are nested too deep"),
        (
            json.dumps({**Groups.from_lists([[0, 1]], 4).to_json(), "n_features": 2_000_000_000}),
            r"cannot be used: n_features is 2000000000, but the description has 2 members",
        ),
    ],
)
def test_hostile_files_are_refused_with_their_name(tmp_path, text, message):
    (tmp_path / "g.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"g\.json {message}"):
        GivenGroups(tmp_path / "g.json").read()


def test_groups_over_many_features_are_read_if_they_have_so_many_members():
    assert Groups.from_json(Groups.singletons(5).to_json()) == Groups.singletons(5)
    most = checks.MOST_FEATURES
    assert Groups.from_json(Groups.from_lists([[0, 1]], most + 2).to_json()).n_features == most + 2
    with pytest.raises(ValueError, match="2 members of groups"):
        Groups.from_json(Groups.from_lists([[0, 1]], most + 3).to_json())


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "g.json")
    with pytest.raises(ValueError, match=r"g\.json is a pipe; a regular file of groups is needed"):
        GivenGroups(tmp_path / "g.json").read()
