import json
import os

import pytest

from laconic.data import known

FOLDER = os.environ.get("LACONIC_DATA")


def test_list(run, tmp_path):
    result = run("data", "list")
    assert result.code == 0
    for one in known():
        assert one.name in result.out
    assert "No data folder" in result.out
    assert "sorted_data_acl" in result.out  # where a release comes from
    found = json.loads(run("data", "list", "--json", "--data", tmp_path).out)
    assert [one["name"] for one in found] == [one.name for one in known()]
    assert not any(one["here"] for one in found)


def test_check_of_a_missing_set(run, tmp_path):
    result = run("data", "check", "movie", "--data", tmp_path)
    assert result.code == 1
    assert result.out.split() == ["movie", "train", "missing", "dev", "missing", "test", "missing"]
    found = json.loads(run("data", "check", "movie", "--data", tmp_path, "--json").out)
    assert [split["found"] for split in found["movie"]] == [False] * 3


@pytest.mark.parametrize("names", [[], ["movie"]])
def test_checking_nothing_is_a_failure(run, tmp_path, names):
    for arguments, start in (
        ([], "set LACONIC_DATA or pass --data"),
        (["--data", tmp_path / "none"], f"the data folder {tmp_path / 'none'} does not exist"),
        (["--data", tmp_path], "nothing was checked"),
    ):
        result = run("data", "check", *names, *arguments)
        assert result.code == 1
        assert result.err.startswith(f"laconic: error: {start}")
        assert result.err.count("\n") == 1


def test_check_of_a_wrong_set(run, tmp_path):
    folder = tmp_path / "text" / "movie"
    folder.mkdir(parents=True)
    (folder / "train.jsonl.xz").write_bytes(b"no xz")
    result = run("data", "check", "--data", tmp_path)
    assert result.code == 1
    assert "train DIFFERS" in result.out


def test_an_unknown_set_lists_the_known(run, tmp_path):
    result = run("data", "check", "chess", "--data", tmp_path)
    assert result.code == 1
    assert "known are 20ng/science" in result.err


def test_describe(run, letters):
    result = run("data", "describe", letters)
    assert "documents    60" in result.out
    assert "2: praise 30, repair 30" in result.out
    (facts,) = json.loads(run("data", "describe", letters, "--json").out)
    assert facts["classes"] == {"praise": 30, "repair": 30}
    assert facts["fingerprint"] in result.out


def test_describe_lists_the_columns_that_could_be_the_label(run, tmp_path):
    rows = [("warm and kind", "happy", "web"), ("cold and dull", "sad", "web"), ("not again", "sad", "post")]
    path = tmp_path / "a.csv"
    lines = [",".join(row) for row in [("story", "mood", "source"), *rows, ("so very kind", "happy", "post")]]
    path.write_text("\n".join(lines), encoding="utf-8")
    said = run("data", "describe", path).out
    assert "unclear which column is the label: 'mood', 'source'; pass --label-col" in " ".join(said.split())
    (facts,) = json.loads(run("data", "describe", path, "--json").out)
    assert facts["possible_labels"] == ["mood", "source"]
    assert "2: happy 2, sad 2" in run("data", "describe", path, "--label-col", "mood").out
    path.write_text("\n".join(line.split(",")[0] for line in lines), encoding="utf-8")
    assert "no labels" in run("data", "describe", path).out


def test_describe_names_what_it_cannot_find(run):
    result = run("data", "describe", "nothing")
    assert result.code == 1
    assert "no built-in dataset of that name" in result.err


@pytest.mark.skipif(FOLDER is None, reason="LACONIC_DATA is not set")
def test_known_sets(run):
    assert "train ok (949)" in run("data", "check", "20ng/science", "--data", FOLDER).out
    result = run("data", "describe", "20ng/science", "--data", FOLDER)
    assert [line.split()[1] for line in result.out.splitlines() if line.startswith("documents")] == [
        "949",
        "238",
        "790",
    ]
    result = run("fit", "20ng/science", "--data", FOLDER, "--method", "lasso", "--words", "20", "--json", "--quiet")
    (row,) = json.loads(result.out)["comparison"]["contenders"]
    assert row["words"] <= 20
    assert row["test"] > 0.8
    result = run("evaluate", "science.laconic", "20ng/science", "--data", FOLDER, "--json")
    assert json.loads(result.out)["metrics"]["accuracy"] == pytest.approx(row["test"])
    labels = run("predict", "science.laconic", "20ng/science", "--data", FOLDER, "--format", "labels").out.splitlines()
    assert len(labels) == 790
    assert run("fit", "20ng/science", "--data", FOLDER, "--dev", "science.laconic", "--force").code == 2
