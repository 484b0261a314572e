"""The model folder: whole or not at all, every damage named."""

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from laconic.core import files, folder
from laconic.core.folder import check_target, folder_kind, load_folder, save_folder

FACTS = {"kind": "test", "answer": 0.1, "names": ["é", "\ud800"]}
PARTS = {"weights.npy": np.arange(4.0).reshape(2, 2), "words.json": ["a", "b\ud800"]}


@pytest.fixture
def saved(tmp_path):
    return save_folder(tmp_path / "model", FACTS, PARTS, timings={"fit": 1.5})


def rewrite_head(folder, **changes):
    """Edit model.json and make its own hash fit again."""
    head = {**json.loads((folder / "model.json").read_text()), **changes}
    head.pop("sha256")
    own = hashlib.sha256(json.dumps(head, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()
    (folder / "model.json").write_text(json.dumps({**head, "sha256": own}))


def test_what_is_saved_comes_back(saved):
    facts, parts = load_folder(saved)
    assert {name: facts[name] for name in FACTS} == FACTS
    assert facts["format"] == 1
    assert parts["words.json"] == PARTS["words.json"]
    np.testing.assert_array_equal(parts["weights.npy"], PARTS["weights.npy"])
    assert json.loads((saved / "timings.json").read_text()) == {"fit": 1.5}
    assert sorted(os.listdir(saved.parent)) == ["model"]


def test_the_same_model_gives_the_same_bytes_but_for_the_timings(saved, tmp_path):
    again = save_folder(tmp_path / "again", FACTS, PARTS, timings={"fit": 2.5})
    names = sorted(os.listdir(saved))
    assert names == sorted(os.listdir(again)) == ["model.json", "timings.json", "weights.npy", "words.json"]
    different = [name for name in names if (saved / name).read_bytes() != (again / name).read_bytes()]
    assert different == ["timings.json"]


def test_the_folder_follows_the_users_mask(saved):
    mask = os.umask(0)
    os.umask(mask)
    assert saved.stat().st_mode & 0o777 == 0o777 & ~mask


def test_an_existing_folder_is_refused_before_anything_is_encoded(saved):
    with pytest.raises(FileExistsError, match=r"exists already.*overwrite"):
        save_folder(saved, FACTS, {"bad.npy": object()})
    with pytest.raises(FileExistsError, match="exists already"):
        check_target(saved)


def test_overwrite_replaces_a_model(saved):
    save_folder(saved, {"kind": "new"}, {}, overwrite=True)
    assert load_folder(saved)[0]["kind"] == "new"
    assert os.listdir(saved) == ["model.json"]
    assert os.listdir(saved.parent) == ["model"]


def test_overwrite_through_a_link_replaces_what_it_points_to(saved, tmp_path):
    (tmp_path / "link").symlink_to(saved)
    save_folder(tmp_path / "link", {"kind": "new"}, {}, overwrite=True)
    assert (tmp_path / "link").is_symlink()
    assert load_folder(saved)[0]["kind"] == "new"


def test_overwrite_takes_an_empty_folder(tmp_path):
    (tmp_path / "empty").mkdir()
    save_folder(tmp_path / "empty", FACTS, PARTS, overwrite=True)
    assert load_folder(tmp_path / "empty")[0]["kind"] == "test"


def test_overwrite_refuses_what_is_not_a_model(tmp_path, saved):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_text("x")
    with pytest.raises(FileExistsError, match=r"cat\.png.*no part of a laconic model"):
        check_target(tmp_path / "photos", overwrite=True)
    (tmp_path / "photos" / "cat.png").rename(tmp_path / "photos" / "model.json")
    with pytest.raises(FileExistsError, match=r"model\.json.*no part"):
        check_target(tmp_path / "photos", overwrite=True)
    (saved / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"notes\.txt"):
        save_folder(saved, FACTS, PARTS, overwrite=True)
    assert (saved / "notes.txt").read_text() == "mine"


def test_a_file_or_a_missing_parent_in_the_way(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileExistsError, match="is a file"):
        check_target(tmp_path / "file", overwrite=True)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        check_target(tmp_path / "no" / "model")


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize(
    ("failing", "call", "overwrite"),
    [
        ("fsync", 1, False),
        ("fsync", 1, True),
        ("fsync", 2, True),
        ("rename", 1, False),
        ("rename", 1, True),
        ("rename", 2, True),
    ],
)
def test_a_failed_save_changes_nothing(saved, monkeypatch, fault, failing, call, overwrite):
    before = {name: (saved / name).read_bytes() for name in os.listdir(saved)}
    real, calls = getattr(os, failing), []

    def faulty(*args):
        calls.append(args)
        if len(calls) == call:
            raise fault
        return real(*args)

    target = saved if overwrite else saved.parent / "other"
    monkeypatch.setattr(files, "exchange", lambda *_: False)  # where names cannot be exchanged, there are two renames
    monkeypatch.setattr(os, failing, faulty)
    wanted = KeyboardInterrupt if isinstance(fault, KeyboardInterrupt) else OSError
    with pytest.raises(wanted) as caught:
        save_folder(target, {"kind": "new"}, PARTS, overwrite=overwrite)
    if wanted is OSError:
        assert caught.value.errno == errno.ENOSPC
        assert "what was there before is unchanged" in str(caught.value)
    assert os.listdir(saved.parent) == ["model"]
    assert {name: (saved / name).read_bytes() for name in os.listdir(saved)} == before


def test_facts_that_json_cannot_hold(tmp_path):
    with pytest.raises(TypeError, match=r"cannot be stored.*set"):
        save_folder(tmp_path / "m", {"kind": "x", "bad": {1, 2}}, {})
    with pytest.raises(ValueError, match="finite numbers"):
        save_folder(tmp_path / "m", {"kind": "x", "bad": float("nan")}, {})
    with pytest.raises(ValueError, match="may not be called files, sha256"):
        save_folder(tmp_path / "m", {"sha256": 1, "files": 2}, {})
    with pytest.raises(ValueError, match=r"\.\./words\.json"):
        save_folder(tmp_path / "m", {}, {"../words.json": []})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["weights.npy", "words.json"])
@pytest.mark.parametrize("damage", [lambda content: content[:-3], lambda content: content.replace(b"\n", b" ", 1)])
def test_a_cut_or_edited_file_is_named(saved, name, damage):
    path = saved / name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=rf"{name} is not as it was saved: it was cut short or edited\. Restore"):
        load_folder(saved)


def test_a_missing_file_is_named(saved):
    (saved / "words.json").unlink()
    with pytest.raises(ValueError, match=r"lacks the file .*words\.json"):
        load_folder(saved)


def test_a_cut_or_edited_head(saved):
    path = saved / "model.json"
    content = path.read_text()
    path.write_text(content.replace('"answer": 0.1', '"answer": 0.2'))
    with pytest.raises(ValueError, match=r"model\.json is not as it was saved"):
        load_folder(saved)
    path.write_text(content[:40])
    with pytest.raises(ValueError, match=r"model\.json is no JSON file"):
        load_folder(saved)


def test_other_formats(saved):
    rewrite_head(saved, format=2)
    with pytest.raises(ValueError, match=r"made by a newer laconic .*: format 2; this one reads 1\. Upgrade"):
        load_folder(saved)
    rewrite_head(saved, format=0)
    with pytest.raises(ValueError, match="format 0, which never was"):
        load_folder(saved)


def test_not_a_model(tmp_path, saved):
    with pytest.raises(FileNotFoundError, match="no model folder"):
        load_folder(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"not a laconic model folder: it has no model\.json"):
        load_folder(tmp_path / "empty")
    with pytest.raises(ValueError, match="is a file"):
        load_folder(saved / "model.json")
    (tmp_path / "empty" / "model.json").write_text("[1]")
    with pytest.raises(ValueError, match="of another kind"):
        load_folder(tmp_path / "empty")


def test_a_head_cannot_point_outside_its_folder(saved, tmp_path):
    shutil.copy(saved / "words.json", tmp_path / "words.json")
    sha = hashlib.sha256((tmp_path / "words.json").read_bytes()).hexdigest()
    rewrite_head(saved, files={"../words.json": sha})
    with pytest.raises(ValueError, match="plain name"):
        load_folder(saved)


def test_pickles_are_not_read(saved):
    np.save(saved / "weights.npy", np.array([{}], dtype=object), allow_pickle=True)
    sha = hashlib.sha256((saved / "weights.npy").read_bytes()).hexdigest()
    rewrite_head(saved, files={"weights.npy": sha})
    with pytest.raises(ValueError, match=r"weights\.npy cannot be read"):
        load_folder(saved)


def test_an_exchange_that_fails_changes_nothing(saved, monkeypatch):
    def full(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(files, "exchange", full)
    with pytest.raises(OSError, match="what was there before is unchanged"):
        save_folder(saved, {"kind": "new"}, PARTS, overwrite=True)
    assert os.listdir(saved.parent) == ["model"]
    assert folder_kind(saved) == "test"


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is a call of Linux")
def test_two_folders_change_their_names_in_one_step(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert files.exchange(tmp_path / "a", tmp_path / "b")
    assert [os.listdir(tmp_path / name) for name in "ab"] == [["b"], ["a"]]
    with pytest.raises(FileNotFoundError):
        files.exchange(tmp_path / "a", tmp_path / "c")


KILLED = """
import os, shutil, signal, sys
from laconic.core import files, folder
place, exchanging = sys.argv[1], sys.argv[2] == "True"
left = 0

def dying(real):
    def call(*args, **kwargs):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)
    return call

import ctypes, importlib.metadata, tempfile
for owner, name in [(os, "mkdir"), (os, "fsync"), (os, "rename"), (os, "unlink"), (os, "rmdir"), (shutil, "rmtree")]:
    setattr(owner, name, dying(getattr(owner, name)))
files.exchange = dying(files.exchange if exchanging else lambda *_: False)
for step in range(len(os.listdir(place))):
    if (child := os.fork()) == 0:
        left = step
        folder.save_folder(f"{place}/{step}/model", {"kind": "new"}, {"weights.npy": [1.0]}, overwrite=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
STEPS = 24


@pytest.mark.parametrize("exchanging", [True, False])
def test_a_save_killed_at_any_step_leaves_the_old_model_or_the_new_one(tmp_path, exchanging):
    for step in range(STEPS):
        (tmp_path / str(step)).mkdir()
        save_folder(tmp_path / str(step) / "model", FACTS, PARTS)
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(exchanging)]
    ends = list(map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()))
    finished = ends.index(0)
    assert set(ends[:finished]) == {-signal.SIGKILL}
    assert finished > 6
    kinds = []
    for step in range(finished + 1):
        model = tmp_path / str(step) / "model"
        if model.exists():
            kinds.append(load_folder(model)[0]["kind"])
            continue
        assert not exchanging
        with pytest.warns(UserWarning, match=r"a save was cut off\. The model is read from .*\.model\.\w+\.old"):
            kinds.append(load_folder(model)[0]["kind"])
        with pytest.warns(UserWarning, match="rename that folder to model to keep it"):
            assert folder_kind(model) == "test"
    assert kinds[0] == "test"
    assert kinds == sorted(kinds, reverse=True)  # once it is the new one, it stays so
    assert kinds[-1] == "new"


def test_only_a_whole_model_of_this_name_is_taken_for_what_a_save_left(saved, tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "PAUSE", 0.0)
    missing = tmp_path / "other"
    shutil.copytree(saved, tmp_path / ".other.x.ab12.old")
    (tmp_path / ".other.ab12.new").mkdir()
    with pytest.raises(FileNotFoundError, match="no model folder"):
        load_folder(missing)
    shutil.copytree(saved, tmp_path / ".other.cd34.new")
    with pytest.warns(UserWarning, match=r"\.other\.cd34\.new; rename that folder to other"):
        assert load_folder(missing)[0]["kind"] == "test"


@pytest.mark.parametrize("exchanging", [True, False])
@pytest.mark.parametrize("other", [PARTS, {"else.json": [1]}])
def test_a_folder_replaced_while_it_is_read_is_read_again(saved, monkeypatch, exchanging, other):
    real, read = folder._read, []
    if not exchanging:
        monkeypatch.setattr(files, "exchange", lambda *_: False)

    def racing(path):
        read.append(os.path.basename(path))
        content = real(path)
        if len(read) in (1, 3):  # the head has been read, and the files that it lists are not there any more
            monkeypatch.setattr(folder, "_read", real)
            save_folder(saved, {"kind": f"save {len(read)}"}, {**other, "weights.npy": [len(read)]}, overwrite=True)
            monkeypatch.setattr(folder, "_read", racing)
        return content

    monkeypatch.setattr(folder, "_read", racing)
    facts, parts = load_folder(saved)
    assert facts["kind"] == "save 3"
    assert parts["weights.npy"] == [3]
    assert read[:2] == ["model.json", "weights.npy"]


def test_a_new_folder_with_the_number_of_the_old_one_is_told_apart(saved, monkeypatch):
    """The number of a folder that was removed is given to the next one that is made."""
    real, stat, read = folder._read, os.stat, []

    def numbered(path, *args, **kwargs):
        found = stat(path, *args, **kwargs)
        return SimpleNamespace(
            **{name: getattr(found, name) for name in dir(found) if name[:3] == "st_"} | {"st_ino": 1}
        )

    def racing(path):
        read.append(path)
        if len(read) == 2:
            monkeypatch.setattr(folder, "_read", real)
            save_folder(saved, {"kind": "new"}, {"weights.npy": [2.0], "words.json": ["b"]}, overwrite=True)
        return real(path)

    monkeypatch.setattr(os, "stat", numbered)
    monkeypatch.setattr(folder, "_read", racing)
    assert load_folder(saved)[0]["kind"] == "new"


def test_a_model_replaced_while_its_files_are_listed_is_no_foreign_folder(saved, monkeypatch):
    real = os.listdir

    def racing(place):
        names = real(place)
        monkeypatch.setattr(os, "listdir", real)
        save_folder(saved, {"kind": "new"}, {"else.json": [1]}, overwrite=True)
        return names

    monkeypatch.setattr(os, "listdir", racing)
    assert check_target(saved, overwrite=True) == saved


def test_hostile_files_of_a_folder_are_refused_with_a_sentence(saved):
    head = (saved / "model.json").read_bytes()
    (saved / "model.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"model\.json is no JSON file \(brackets are nested too deep\)"):
        load_folder(saved)
    (saved / "model.json").write_bytes(head)
    (saved / "words.json").unlink()
    os.mkfifo(saved / "words.json")
    with pytest.raises(ValueError, match=r"words\.json is a pipe; a regular file is needed"):
        load_folder(saved)


HUGE = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"


@pytest.mark.parametrize(
    "forged",
    [
        b"PK\x03\x04" + bytes(60),
        b"\x93NUMPY\x01\x00v\x00" + HUGE.ljust(117) + b"\n",
        b"\x93NUMPY\x01\x00v\x00" + b"(" * 117 + b"\n",
        b"\x93NUMPY\x09\x00v\x00" + bytes(118),
    ],
)
def test_a_forged_array_is_refused_before_memory_is_taken(saved, forged):
    (saved / "weights.npy").write_bytes(forged)
    rewrite_head(saved, files={"weights.npy": hashlib.sha256(forged).hexdigest()})
    with pytest.raises(ValueError, match=r"weights\.npy cannot be read"):
        load_folder(saved)
