"""Texts with several labels, from ``laconic fit`` to ``laconic evaluate``."""

import json

import numpy as np
import pytest

from laconic.models import load

from .conftest import write_rows


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    rng = np.random.default_rng(0)
    rows = []
    for i in range(120):
        own = [label for label in ("art", "law") if rng.random() < 0.5]
        words = [{"art": "paint", "law": "court"}[label] for label in own] + [f"w{rng.integers(20)}"]
        rows.append({"id": f"n{i}", "text": " ".join(words), "labels": own})
    return write_rows(tmp_path_factory.mktemp("notes") / "notes.jsonl", rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, notes):
    from laconic.cli import main

    place = tmp_path_factory.mktemp("several") / "notes.laconic"
    options = ["--label-col", "labels", "--text-col", "text", "--folds", "3", "--quiet", "--json"]
    assert main(["fit", str(notes), "--out", str(place), *options]) == 0
    return place


def test_fit_shows_every_label(run, notes):
    result = run("fit", notes, "--label-col", "labels", "--folds", 3, "--calibrate", "sigmoid", "--test", notes)
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()[:3]] == ["label", "art", "law"]
    assert "Calibration: sigmoid on 120 documents, out of fold" in result.out
    assert "micro_f1" in result.out
    assert "2 words for 2 labels. Saved to notes.laconic" in result.out


def test_predict_evaluate_and_inspect(run, folder, notes, tmp_path):
    rows = [json.loads(line) for line in notes.read_text().splitlines()]
    found = [json.loads(line) for line in run("predict", folder, notes).out.splitlines()]
    assert [one["id"] for one in found] == [row["id"] for row in rows]
    assert [one["labels"] for one in found] == [row["labels"] for row in rows]
    assert all(set(one["probabilities"]) == set(one["labels"]) for one in found)
    texts = tmp_path / "x.txt"
    texts.write_text("paint court\nw1\n")
    assert run("predict", folder, texts, "--lines", "--format", "labels").out == "art|law\n\n"
    table = run("predict", folder, texts, "--lines", "--format", "csv", "--proba").out.splitlines()
    assert table[0] == "id,labels,p(art),p(law)"
    assert table[1].startswith("1,art|law,")
    scores = json.loads(run("evaluate", folder, notes, "--json").out)
    assert scores["metrics"]["exact"] == 1.0
    assert "exact" in run("evaluate", folder, notes).out
    shown = run("inspect", folder)
    assert shown.code == 0
    assert "court" in shown.out


def test_what_cannot_be_done_is_said(run, folder, notes):
    for command in (["check", folder, notes], ["stability", folder, notes], ["compare", folder, folder, notes]):
        result = run(*command)
        assert result.code != 0
    assert "gives several labels; use laconic predict, evaluate or inspect" in run("check", folder, notes).err
    assert "without groups" in run("fit", notes, "--label-col", "labels", "--groups", "sentences", "--out", "x").err
    assert load(folder).info["kind"] == "multilabel text classifier"
