"""The table of known data sets is complete and says where the releases are.

load and check: on stand-ins of our own, and on the real files when LACONIC_DATA says where they are.
"""

import json
import lzma
import os
import re
from dataclasses import replace

import pytest

from laconic.data import Corpus, check, known, known_sets, load

NAMES = (
    "20ng/science 20ng/sports 20ng/religion 20ng/computer 20ng/all vote vote/by_speaker movie amazon/books amazon/dvd "
    "amazon/electronics amazon/kitchen amazon/music sst sst/five imdb"
)


def test_names():
    assert " ".join(one.name for one in known()) == NAMES


def test_every_set_is_fully_described():
    for one in known():
        assert re.search(r"(19|20)\d\d", one.source), one.name
        assert one.description
        assert one.split_rule
        assert all(re.fullmatch("[0-9a-f]{64}", fingerprint) for fingerprint in one.hashes)
        assert len(set(one.hashes)) == 3
        assert min(one.sizes) > 0


def test_places():
    by_name = {one.name: one for one in known()}
    assert by_name["amazon/dvd"].folder == "amazon_dvd"
    assert by_name["vote/by_speaker"].files[0] == "train_by_speaker.jsonl.xz"
    assert (by_name["20ng/science"].folder, by_name["20ng/science"].task) == ("20ng", "science")
    assert by_name["20ng/all"].task is None
    assert (by_name["sst"].label_field, by_name["sst/five"].label_field) == ("binary", "label")


DATA = os.environ.get("LACONIC_DATA")
real = pytest.mark.skipif(not DATA, reason="LACONIC_DATA is not set")


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A data folder with a small set 'toy' whose documents have tasks and a second label."""
    folder = tmp_path / "text" / "toy"
    folder.mkdir(parents=True)
    hashes = []
    for split in ("train", "dev", "test"):
        rows = [
            {"id": f"{split}/2", "label": 3, "binary": 1, "task": "t", "text": "good", "tree": "(3 good)"},
            {"id": f"{split}/1", "label": 2, "binary": None, "task": "t", "text": "so", "tree": "(2 so)"},
            {"id": f"{split}/3", "label": 0, "binary": 0, "task": "u", "text": "bad", "tree": "(0 bad)"},
            {"id": f"{split}/0", "label": 0, "binary": 0, "task": "t", "text": "poor", "tree": "(0 poor)"},
        ]
        with lzma.open(folder / f"{split}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        hashes.append(Corpus.from_lists(["good", "poor"], [1, 0], [f"{split}/2", f"{split}/0"]).fingerprint())
    toy = replace(
        known()[0], name="toy", folder="toy", sizes=(2, 2, 2), hashes=tuple(hashes), label_field="binary", task="t"
    )
    monkeypatch.setattr(known_sets, "known", lambda: (toy,))
    return tmp_path


def test_load(stand_in):
    splits = load("toy", stand_in)
    assert [name for name, _ in splits] == ["train", "dev", "test"]
    assert splits.dev.ids == ("dev/2", "dev/0")  # in the order of the file
    assert splits.dev.labels == (1, 0)
    assert splits.dev.trees == ("(3 good)", "(0 poor)")
    assert splits.dev.name == "toy dev"


def test_data_folder_from_the_environment(stand_in, monkeypatch):
    monkeypatch.setenv("LACONIC_DATA", str(stand_in))
    assert len(load("toy").test) == 2


def test_check(stand_in):
    assert [(c.split, c.found, c.documents, c.hash_ok) for c in check("toy", stand_in)] == [
        ("train", True, 2, True),
        ("dev", True, 2, True),
        ("test", True, 2, True),
    ]


def test_changed_split(stand_in):
    path = stand_in / "text" / "toy" / "dev.jsonl.xz"
    path.write_bytes(lzma.compress(lzma.decompress(path.read_bytes()).replace(b'"good"', b'"Good"')))
    with pytest.raises(ValueError, match=r"dev of 'toy' .*is not the expected one: it has 2 documents \(expected 2\)"):
        load("toy", stand_in)
    assert [split.hash_ok for split in check("toy", stand_in)] == [True, False, True]


@pytest.mark.parametrize("content", [b"garbage", lzma.compress(b"{not json}\n"), lzma.compress(b'{"id": 1}\n')])
def test_unreadable_split(stand_in, content):
    (stand_in / "text" / "toy" / "test.jsonl.xz").write_bytes(content)
    with pytest.raises(ValueError, match="test of 'toy' cannot be read from"):
        load("toy", stand_in)
    assert [(split.found, split.documents, split.hash_ok) for split in check("toy", stand_in)][2] == (True, None, False)


def test_missing_split(stand_in):
    (stand_in / "text" / "toy" / "dev.jsonl.xz").unlink()
    with pytest.raises(FileNotFoundError, match=r"not complete: dev\.jsonl\.xz missing in"):
        load("toy", stand_in)
    assert [split.found for split in check("toy", stand_in)] == [True, False, True]


@pytest.mark.parametrize(
    ("name", "release"), [("20ng/science", '"bydate" release of 20 Newsgroups'), ("imdb", "Maas et al. 2011")]
)
def test_missing_set_names_release_and_layout(tmp_path, monkeypatch, name, release):
    with pytest.raises(FileNotFoundError, match=rf"(?s){release}.*Expected files: train\.jsonl\.xz.*\"id\", \"label\""):
        load(name, tmp_path)
    monkeypatch.delenv("LACONIC_DATA", raising=False)
    for door in (load, check):
        with pytest.raises(FileNotFoundError, match=rf"{release}.*set the environment variable LACONIC_DATA"):
            door(name)


def test_unknown_name():
    for door in (load, check):
        with pytest.raises(ValueError, match="unknown data set 'nope'; known are 20ng/science"):
            door("nope")


@real
@pytest.mark.parametrize("one", known(), ids=lambda one: one.name)
def test_real_data(one):
    splits = load(one.name)
    assert tuple(len(corpus) for _, corpus in splits) == one.sizes


@real
def test_real_data_facts():
    assert load("20ng/religion").train.class_counts() == {"alt.atheism": 384, "soc.religion.christian": 479}
    assert load("sst").train.classes == (0, 1)
    assert load("sst/five").train.classes == (0, 1, 2, 3, 4)
    assert load("sst").test.trees is not None
    assert load("movie").dev.sentences is not None
    assert load("vote/by_speaker").train.class_counts() == {"N": 594, "Y": 581}
    assert [split.hash_ok for split in check("amazon/books")] == [True] * 3
