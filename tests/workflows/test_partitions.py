"""``laconic fit`` on partitions, seen from the command line."""

import json

import pytest

from laconic.cli.shared.options import Memory
from laconic.data.synthetic import planted
from laconic.models import load
from laconic.workflows.sources import is_pattern, stem


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letters")
    rows = [
        {"id": one.id, "text": one.text, "label": one.label, "sentences": list(one.sentences)}
        for one in planted(240, n_words=150, seed=6).corpus
    ]
    for i in range(3):
        lines = [json.dumps(row) for row in rows[i::3]]
        (folder / f"{i}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def test_a_pattern_of_files_gives_an_ordinary_model(run, parts, tmp_path):
    out = tmp_path / "model"
    options = "--memory", "1GB", "--method", "lasso", "--blocks", tmp_path / "b"
    result = run("fit", f"{parts}/*.jsonl", "--out", out, *options)
    assert result.code == 0, result.err
    assert "held-out" in result.out
    scorer = load(out)
    text = json.loads((parts / "0.jsonl").read_text().splitlines()[0])
    assert scorer.predict([text["text"]]) == [text["label"]]
    assert scorer.info["certificate"]["relative_gap"] <= 1e-6
    assert scorer.info["extra"]["data"]["train"]["documents"] == 240
    # The same job again finds its blocks and its fits, and ends with the same bytes.
    again = tmp_path / "again"
    assert run("fit", f"{parts}/*.jsonl", "--out", again, *options).code == 0
    for name in ("words.json", "weights.npy"):
        assert (out / name).read_bytes() == (again / name).read_bytes()


@pytest.mark.parametrize(
    "options", [["--method", "group", "--groups", "sentences"], ["--method", "omp", "--budget", "10"]]
)
def test_other_methods_run_on_partitions(run, parts, tmp_path, options):
    out = tmp_path / "model"
    result = run("fit", f"{parts}/*.jsonl", "--out", out, "--json", *options)
    assert result.code == 0, result.err
    kept = next(one for one in json.loads(result.out)["comparison"]["contenders"] if one["chosen"])
    assert kept["method"] == options[1]
    assert kept["score"] > 0.9
    assert load(out).predict(["nothing"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "2", "--cluster", "tcp://127.0.0.1:1"], "give one"),
        (["--cluster", "tcp://127.0.0.1:1"], "needs --blocks"),
        (["--memory", "2"], "such as 2GB"),
        (["--memory", "1GB", "--method", "ridge"], "does not run on partitions"),
        (["--memory", "1GB", "--method", "group", "--groups", "lsi"], "cannot be made on partitions"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(run, parts, tmp_path, options, message):
    result = run("fit", f"{parts}/*.jsonl", "--out", tmp_path / "model", *options)
    assert result.code in (1, 2)
    assert message in " ".join(result.err.split())
    assert not (tmp_path / "model").exists()


def test_a_malformed_line_is_named(run, parts, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"text": "a", "label": "x"}\n{"text": \n')
    result = run("fit", f"{tmp_path}/*.jsonl", "--out", tmp_path / "model")
    assert result.code == 1
    assert "bad.jsonl, line 2" in " ".join(result.err.split())


def test_patterns_and_sizes():
    assert is_pattern("a/*.csv")
    assert not is_pattern("a.csv")
    assert stem("deep/er/part-?.csv") == "er"
    assert Memory().convert("1.5 GB", None, None) == 1_500_000_000
