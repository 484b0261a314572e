import json
import zipfile

import pytest


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "trees.zip"
    with zipfile.ZipFile(path, "w") as made:
        for split in ("train", "dev", "test"):
            made.writestr(f"trees/{split}.txt", "(3 (2 A) (3 film))\n(1 (2 A) (1 bore))\n")
    return path


def test_files_and_verdicts(run, archive, tmp_path):
    result = run("import", "sst", archive, "--data", tmp_path)
    assert result.code == 1  # not the whole release
    assert "2  text/sst/train.jsonl.xz" in result.out
    assert "train DIFFERS" in result.out


def test_json(run, archive, tmp_path):
    found = json.loads(run("import", "sst", archive, "--data", tmp_path, "--json").out)
    assert found["files"]["text/sst/dev.jsonl.xz"] == 2
    assert found["checks"]["sst"][0]["hash_ok"] is False


def test_errors(run, archive, tmp_path):
    assert "known are 20ng" in run("import", "chess", archive, "--data", tmp_path).err
    assert "LACONIC_DATA" in run("import", "sst", archive).err
    assert "no archive" in run("import", "sst", "absent.zip", "--data", tmp_path).err


def test_a_release_without_a_check_says_so(run, archive, tmp_path):
    with zipfile.ZipFile(tmp_path / "chunks.zip", "w") as made:
        for split in ("train", "test"):
            made.writestr(f"{split}.txt", "Confidence NN B-NP\n")
    result = run("import", "conll2000", tmp_path / "chunks.zip", "--data", tmp_path)
    assert result.code == 0
    assert "conll2000 was not checked" in result.out
    assert "not checked" not in run("import", "sst", archive, "--data", tmp_path).out
