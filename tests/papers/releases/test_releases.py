"""Releases: made-up archives of their shape, and, where the data are, archives rebuilt from them to the character."""

import gzip
import io
import json
import lzma
import os
import re
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state

from papers.releases.archives import members
from papers.releases.importing import import_release
from papers.releases.newsgroups import TASKS, dev_ids, stratified_fifth
from papers.releases.releases import RELEASES

REVIEW = (
    "<review>\n<unique_id>\n{unique_id}\n</unique_id>\n<product_name>\n{product}\n</product_name>\n"
    "<rating>\n{rating}\n</rating>\n<title>\n{title}\n</title>\n<review_text>\n{text}\n</review_text>\n</review>\n"
)


def write_tar(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def write_zip(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def rows_of(base, file):
    with lzma.open(base / f"{file}.jsonl.xz", "rt", encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def splits_of(base, folder, ending=""):
    return {split: rows_of(base, f"text/{folder}/{split}{ending}") for split in ("train", "dev", "test")}


# Made-up archives


def test_20ng(tmp_path):
    files = {"20news-bydate-train/notes.txt": b"not a post"}
    for part, count in (("train", 10), ("test", 3)):
        for group in (*TASKS["science"], "misc.forsale"):
            for i in range(count):
                files[f"20news-bydate-{part}/{group}/{100 + i}"] = f"From: caf\xe9 {group} {i}\n".encode("latin-1")
    made = import_release("20ng", write_tar(tmp_path / "a.tar.gz", files), tmp_path)
    found = splits_of(tmp_path, "20ng")
    assert {split: len(rows) for split, rows in found.items()} == {"train": 24, "dev": 6, "test": 9}
    assert made.files["text/20ng/train.jsonl.xz"] == 24
    assert not made.complete
    assert found["test"][0] == {
        "id": "misc.forsale/100",
        "label": "misc.forsale",
        "task": None,
        "text": "From: café misc.forsale 0\n",
    }
    names = {group: [str(100 + i) for i in range(10)] for group in (*TASKS["science"], "misc.forsale")}
    dev = {row["id"] for row in found["dev"] if row["task"] == "science"}
    assert dev == dev_ids(names, "science")
    assert {one.partition("/")[0] for one in dev} == set(TASKS["science"])


@pytest.mark.parametrize("n", [10, 21, 57, 1079])
def test_the_split_is_scikit_learns(n):
    labels = check_random_state(n).randint(2, size=n)
    _, apart = train_test_split(np.arange(n), test_size=0.2, random_state=0, stratify=labels)
    assert set(stratified_fifth(labels)) == set(apart.tolist())


def test_movie_from_a_folder(tmp_path):
    place = tmp_path / "unpacked" / "txt_sentoken"
    for label in ("neg", "pos"):
        (place / label).mkdir(parents=True)
        for number in (0, 799, 800, 999):
            text = f"a {label} film . \nthe end . \n"
            (place / label / f"cv{number:03}_12.txt").write_text(text, encoding="utf-8")
    import_release("movie", tmp_path / "unpacked", tmp_path)
    found = splits_of(tmp_path, "movie")
    assert [row["id"] for row in found["dev"]] == ["neg/cv800_12", "pos/cv800_12"]
    assert found["train"][0]["sentences"] == ["a neg film .", "the end ."]
    assert len(found["train"]) == 4


def test_vote(tmp_path):
    files = {}
    for folder in ("training", "development", "test"):
        for name in ("006_400009_0002057_DON", "006_400009_0002058_DMN", "007_400011_0000001_RMY"):
            path = f"convote_v1.1/data_stage_three/{folder}_set/{name}.txt"
            files[path] = b"mr. speaker , i rise .  thank you .  \n"
    files["convote_v1.1/data_stage_one/training_set/006_400009_0002057_DON.txt"] = b"another stage"
    import_release("vote", write_tar(tmp_path / "a.tgz", files), tmp_path)
    first = splits_of(tmp_path, "vote")["train"][1]
    assert first["label"] == "N"
    assert first["party"] == "D"
    assert first["mentions_bill"] is True
    assert first["sentences"] == ["mr. speaker , i rise .", "thank you ."]
    speakers = splits_of(tmp_path, "vote", "_by_speaker")["test"]
    assert [row["id"] for row in speakers] == ["006_400009", "007_400011"]
    assert speakers[0]["segments"] == ["006_400009_0002057_DON", "006_400009_0002058_DMN"]
    assert len(speakers[0]["sentences"]) == 4


def test_amazon(tmp_path):
    files = {}
    for domain in ("books", "kitchen_&_housewares"):
        for label in ("negative", "positive"):
            reviews = [
                REVIEW.format(unique_id=f"{i}:x", product="a thing", rating="1.0", title=" t ", text=f"\n{label} {i}")
                for i in range(50)
            ]
            files[f"sorted_data_acl/{domain}/{label}.review"] = "".join(reviews).encode()
            files[f"sorted_data_acl/{domain}/unlabeled.review"] = b"<review>\n</review>\n"
    made = import_release("amazon", write_tar(tmp_path / "a.tar.gz", files), tmp_path)
    assert set(made.checks) == {"amazon/books", "amazon/dvd", "amazon/electronics", "amazon/kitchen"}
    found = splits_of(tmp_path, "amazon_kitchen")
    assert {split: len(rows) for split, rows in found.items()} == {"train": 72, "dev": 18, "test": 10}
    row = next(row for row in found["train"] if row["label"] == "positive")
    assert row["text"] == f"\npositive {int(row['id'][-4:])}"
    assert row["title"] == "t"
    assert {row["label"] for row in found["test"]} == {"negative", "positive"}


def test_music(tmp_path):
    lines = "".join(f"{i % 2}\treview {i}\n" for i in range(80)).encode()
    files = {"fdu-mtl/music.task.train": lines, "fdu-mtl/music.task.test": lines[:200], "fdu-mtl/toys.task.train": b""}
    import_release("amazon/music", write_zip(tmp_path / "a.zip", files), tmp_path)
    rows = [row for part in splits_of(tmp_path, "amazon_music").values() for row in part]
    first = next(row for row in rows if row["id"] == "music/train0000")
    assert (first["label"], first["text"]) == ("negative", "review 0")


def test_sst(tmp_path):
    tree = "(3 (2 A) (3 (4 fine) (2 film)))\n(2 (2 Well) (2 .))\n"
    files = {f"trees/{split}.txt": tree.encode() for split in ("train", "dev", "test")}
    import_release("sst", write_zip(tmp_path / "a.zip", files), tmp_path)
    first, second = splits_of(tmp_path, "sst")["dev"]
    assert (first["id"], first["label"], first["binary"], first["text"]) == ("dev/00000", 3, 1, "A fine film")
    assert second["binary"] is None
    assert first["tree"] == "(3 (2 A) (3 (4 fine) (2 film)))"


def test_imdb(tmp_path):
    files = {
        f"aclImdb/{part}/{label}/{i}_{1 + i % 9}.txt": f"{label} <br />{i}".encode()
        for part in ("train", "test")
        for label in ("neg", "pos", "unsup")
        for i in range(20)
    }
    import_release("imdb", write_tar(tmp_path / "a.tar.gz", files), tmp_path)
    found = splits_of(tmp_path, "imdb")
    assert {split: len(rows) for split, rows in found.items()} == {"train": 36, "dev": 4, "test": 40}
    assert [row["id"] for row in found["test"][:11]][-1] == "test/neg/10_2"  # by number, not by name
    assert found["test"][10]["rating"] == 2


@pytest.mark.parametrize("packed", [False, True])
def test_conll2000(tmp_path, packed):
    text = b"Confidence NN B-NP\nin IN B-PP\n\nIt PRP B-NP\n"
    files = {
        f"release/{name}.txt{'.gz' * packed}": gzip.compress(text) if packed else text for name in ("train", "test")
    }
    made = import_release("conll2000", write_zip(tmp_path / "a.zip", files), tmp_path)
    assert made.complete
    assert made.files == {f"structured/conll2000/{name}.conll.xz": 2 for name in ("train", "test")}
    stored = lzma.decompress((tmp_path / "structured/conll2000/test.conll.xz").read_bytes())
    assert stored == text + b"\n"


# Wrong archives


def test_errors_say_what_is_wrong(tmp_path):
    empty = write_zip(tmp_path / "empty.zip", {"readme": b""})
    (tmp_path / "text.txt").write_text("no archive", encoding="utf-8")
    half = write_zip(tmp_path / "half.zip", {"neg/cv000_1.txt": b"a .\n"})
    odd = write_zip(tmp_path / "odd.zip", {"books/negative.review": b"<review>\n</review>\n"})
    columns = write_zip(tmp_path / "columns.zip", {"train.txt": b"a b\n", "test.txt": b"a b\n"})
    for name, archive, message in (
        ("movie", empty, "has none of the files of the release 'movie' \\(review_polarity.tar.gz\\)"),
        ("movie", tmp_path / "text.txt", "neither a tar or zip archive nor a folder"),
        ("movie", half, "has no documents for text/movie/dev"),
        ("amazon", odd, "review 1 of books/negative.review has no <review_text>"),
        ("conll2000", columns, "a line has not three columns"),
        ("conll2000", empty, "does not hold train.txt and test.txt"),
    ):
        with pytest.raises(ValueError, match=message):
            import_release(name, archive, tmp_path / "out")
    with pytest.raises(FileNotFoundError, match="no archive or folder"):
        import_release("movie", tmp_path / "absent.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_damaged_archive_is_refused(tmp_path):
    path = write_tar(tmp_path / "a.tar.gz", {"neg/cv000_1.txt": os.urandom(100_000)})
    path.write_bytes(path.read_bytes()[:50_000])
    with pytest.raises(ValueError, match="archive"):
        list(members(path, lambda path: True))


# The real thing


def rebuilt(name):
    """Return the files of a release, rebuilt from the data at hand."""
    base = Path(os.environ["LACONIC_DATA"])
    parts = {split: rows_of(base, f"text/{name}/{split}") for split in ("train", "dev", "test")}
    rows = [(split, row) for split, part in parts.items() for row in part]
    if name == "20ng":
        where = {"train": "train", "dev": "train", "test": "test"}
        return {f"20news-bydate-{where[s]}/{row['id']}": row["text"].encode("latin-1") for s, row in rows}
    if name == "movie":
        return {f"txt_sentoken/{row['id']}.txt": row["text"].encode() for _, row in rows}
    if name == "vote":
        where = {"train": "training", "dev": "development", "test": "test"}
        return {f"data_stage_three/{where[s]}_set/{row['id']}.txt": row["text"].encode("latin-1") for s, row in rows}
    if name == "sst":
        return {f"trees/{s}.txt": "".join(row["tree"] + "\n" for row in part).encode() for s, part in parts.items()}
    if name == "imdb":
        return {f"aclImdb/{row['id']}.txt": row["text"].encode() for _, row in rows}
    domain = name.removeprefix("amazon_")
    labels: dict[str, dict[str, str]] = {"negative": {}, "positive": {}}
    for _, row in rows:
        labels[row["label"]][row["id"]] = REVIEW.format(**row)
    return {
        f"{domain}/{label}.review": "".join(own[one] for one in sorted(own)).encode() for label, own in labels.items()
    }


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets")
@pytest.mark.parametrize("name", ["20ng", "movie", "vote", "sst", "amazon_books"])
def test_rebuilt_releases_give_every_character(name):
    files = rebuilt(name)
    release = RELEASES["amazon" if name.startswith("amazon") else name]
    assert all(re.search(release.pattern, path) for path in files)
    made = release.read(dict(sorted(files.items())))
    assert made
    for file, rows in made.items():
        assert rows == rows_of(Path(os.environ["LACONIC_DATA"]), file), file
