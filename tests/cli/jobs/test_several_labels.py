"""Texts with several labels, from ``laconic fit`` to ``laconic evaluate``."""

import json

import numpy as np
import pytest

from laconic.models import load
from tests.cli.conftest import write_rows


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
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0][-2:] == ["F1,", "test"]
    assert [line[0] for line in lines[1:5]] == ["law", "art", "always", "all"]
    has = np.array([["art" in row["labels"], "law" in row["labels"]] for row in map(json.loads, notes.open())])
    shares = has.mean(axis=0)
    always = [f"{value:.3f}" for value in (shares.mean(), 1.0, (2.0 * shares / (1.0 + shares)).mean())]
    assert lines[3] == ["always", "(macro)", *always, "0"]
    assert f"macro_f1 {lines[4][-1]}" in result.out
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


def test_every_label_that_a_text_gets_is_explained(run, folder):
    both = run("explain", folder, "paint. court. w1")
    assert both.code == 0
    headings = [line.strip() for line in both.out.splitlines()]
    assert headings.index("art") < headings.index("law")
    assert "words for art" in both.out
    assert "words for law" in both.out
    neither = run("explain", folder, "w1 w2").out
    assert "No label reaches its threshold." in neither
    one = run("explain", folder, "paint", "--class", "law").out
    assert "the intercept decides" in one
    assert "words for art" not in one
    data = json.loads(run("explain", folder, "paint court", "--json").out)
    assert data["labels"] == ["art", "law"]
    assert data["explained"] == "art"


def test_edits_are_fitted_and_fitted_again(run, notes, tmp_path):
    options = ["--label-col", "labels", "--folds", 3, "--quiet"]
    assert run("fit", notes, *options, "--ban", "w1", "--sign", "court=-art", "--editable").code == 0
    before = load("notes.laconic")
    assert before.info["edits"] == {"ban": ["w1"], "signs": {"court": "-art"}}
    assert before.words["court"]["art"] <= 0.0 < before.words["court"]["law"]
    assert (tmp_path / "notes.design").is_dir()
    result = run("edit", "notes.laconic", "--ban", "court", "--test", notes)
    assert result.code == 0
    assert "test micro F1 1.0000 → 0." in result.out
    after = load("notes-edited.laconic")
    assert "court" not in after.words
    assert after.info["edits"] == {"ban": ["w1", "court"]}
    # the kept matrix and the texts themselves give the same model
    assert run("edit", "notes.laconic", notes, "--ban", "court", "--out", "again.laconic").code == 0
    again = load("again.laconic")
    np.testing.assert_allclose(again.model.weights, after.model.weights, atol=1e-6)
    diff = run("diff", "notes.laconic", "again.laconic", notes, "--label-col", "labels")
    assert "Words removed" in diff.out
    assert "art|law" in diff.out
    assert "Edits: banned w1, court" in run("inspect", "again.laconic").out


def test_stability_of_every_label(run, folder, notes):
    found = json.loads(run("stability", folder, notes, "--pairs", 4, "--threshold", 0.9, "--json").out)
    assert {label: one["stable"] for label, one in found.items()} == {"art": ["paint"], "law": ["court"]}
    shown = run("stability", folder, notes, "--pairs", 4, "--threshold", 0.9)
    assert "law:" in shown.out
    assert shown.code == 0


def test_groups_of_words(run, notes, tmp_path):
    (tmp_path / "topics.json").write_text(json.dumps({"art": ["paint", "w3"], "noise": ["w1", "w2"]}))
    options = ["--label-col", "labels", "--folds", 3, "--quiet", "--groups", "topics.json"]
    assert run("fit", notes, *options).code == 0
    assert "art" in run("inspect", "notes.laconic", "--groups").out
    assert run("fit", notes, *options, "--ban-group", "art", "--force").code == 0
    assert "paint" not in load("notes.laconic").words
    refused = run("fit", notes, *options, "--ban-group", "art", "--keep", "paint", "--force")
    assert refused.code == 1
    assert "'paint' (in the group 'art') is to be both banned and kept" in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sign", "court=+"], "The sign of 'court' names no label; write such as '+art'"),
        (["--sign", "court=+tax"], "names the label 'tax'; write such as '+art': the labels are 'art', 'law'"),
        (["--ban", "cuort"], "not in the vocabulary: 'cuort' (did you mean 'court'?)"),
        (["--words", "5"], "words is not for texts with several labels"),
        (["--method", "lasso", "--method", "omp"], "by one method"),
    ],
)
def test_edits_that_do_not_fit_are_refused(run, notes, options, message):
    result = run("fit", notes, "--label-col", "labels", "--quiet", *options)
    assert result.code == 1
    assert message in result.err


def test_a_page_is_written_and_written_again(run, notes, folder, tmp_path):
    result = run("fit", notes, "--label-col", "labels", "--folds", 3, "--test", notes)
    assert "Report: notes.laconic.html" in result.out
    page = (tmp_path / "notes.laconic.html").read_text()
    assert "assigns any of the labels art and law using 2 of the" in page
    assert run("report", folder, "-o", "again.html").code == 0
    refused = run("report", folder, "--corpus", notes, "--documents", 3, "-o", "other.html")
    assert refused.code == 2
    assert "only of models that give a text one label" in refused.err


def test_what_cannot_be_done_is_said(run, folder, notes):
    verbs = "gives several labels; use laconic predict, evaluate, inspect, explain, edit, diff, stability or report"
    for command in (["check", folder, notes], ["export", folder, "--to", "onnx"]):
        result = run(*command)
        assert result.code == 1
        assert verbs in result.err
    assert run("compare", folder, folder, notes).code != 0
    assert load(folder).info["kind"] == "multilabel text classifier"


@pytest.mark.parametrize("kind", ["lists", "separated", "columns"])
def test_labels_written_in_other_ways_make_the_same_model(run, folder, notes, tmp_path, kind):
    """The texts are those of ``notes`` as csv; a small test file alone would not show what separates labels."""
    rows = [json.loads(line) for line in notes.read_text().splitlines()]
    own = {
        "lists": lambda labels: [json.dumps(labels).replace('"', '""').join('""')],
        "separated": lambda labels: ["|".join(labels) or "none"],
        "columns": lambda labels: [str(int(name in labels)) for name in ("art", "law", "tax")],
    }[kind]
    headings = "id,text," + ("art,law,tax" if kind == "columns" else "labels")
    lines = [",".join([row["id"], row["text"], *own(row["labels"])]) for row in rows]
    if kind == "separated":
        lines += ["x1,court paint tax,art|law|tax", "x2,tax paint,tax|art", "x3,court,law|tax", "x4,a,tax"] * 3
    path, few = tmp_path / "a.csv", tmp_path / "few.csv"
    path.write_text("\n".join([headings, *lines]))
    few.write_text("\n".join([headings, *lines[:3]]))
    result = run("fit", path, "--folds", 3, "--out", "m", "--min-class", 1)
    assert result.code == 0, result.err
    assert run("evaluate", "m", few).code == 0
    given = load(tmp_path / "m").predict([row["text"] for row in rows])
    assert [set(labels) - {"none"} for labels in given] == [set(row["labels"]) for row in rows]
