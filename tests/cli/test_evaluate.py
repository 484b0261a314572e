import json

import pytest

from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier, load


def test_tables(run, model, letters):
    result = run("evaluate", model, letters)
    assert result.code == 0
    assert "60 documents of letters.jsonl" in result.out
    lines = [line.split() for line in result.out.splitlines()]
    assert ["accuracy", "1.000"] in lines
    assert ["praise", "1.000", "1.000", "1.000", "30"] in lines
    assert ["praise", "30", "·"] in lines
    assert ["repair", "·", "30"] in lines


def test_json(run, model, letters):
    found = json.loads(run("evaluate", model, letters, "--json").out)
    assert found["documents"] == 60
    assert found["metrics"]["accuracy"] == 1.0
    assert found["confusion"] == [[30, 0], [0, 30]]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [({"text": "broken"}, "labels"), ({"text": "broken", "label": "poem"}, "'poem'"), ({"text": "a", "label": 3}, "3")],
)
def test_labels_that_cannot_be_scored(run, model, tmp_path, row, sentence):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    result = run("evaluate", model, path)
    assert result.code == 1
    assert sentence in result.err


def test_columns_that_are_not_named_are_those_of_the_model(run, rows, tmp_path):
    path = tmp_path / "mails.csv"
    lines = [f"{'xy'[i % 2]},{row['text']},{row['label']}" for i, row in enumerate(rows)]
    path.write_text("one,story,two\n" + "\n".join(lines), encoding="utf-8")
    columns = ["--text-col", "story", "--label-col", "two"]
    assert run("fit", path, *columns, "--method", "lasso", "--out", "m").code == 0
    assert load("m").info["extra"]["reading"]["label_col"] == "two"
    named = run("evaluate", "m", path, *columns)
    assert named.code == 0
    assert run("evaluate", "m", path) == named
    assert run("evaluate", "m", path, "--label-col", "one").code == 1  # what is named wins
    assert run("evaluate", "m", path, "--label-col", "two", "--id-col", "two").code == 2


def test_metrics_that_cannot_be_computed_are_listed_with_the_reason(run, model, rows, tmp_path):
    path = tmp_path / "praise.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows if row["label"] == "praise"), encoding="utf-8")
    result = run("evaluate", model, path)
    assert result.code == 0
    undefined = json.loads(run("evaluate", model, path, "--json").out)["undefined"]
    assert undefined
    for name, reason in undefined.items():
        assert [name, "-"] in [line.split() for line in result.out.splitlines()]
        assert f"- {name}: {reason}"[:60] in result.out


def test_models_of_margins_are_scored_and_reported_without_probabilities(run, rows, letters, tmp_path):
    model = TextClassifier(ElasticNetClassifier(l1=1.0, l2=0.0, loss="squared_hinge"))
    model.fit([row["text"] for row in rows], [row["label"] for row in rows]).save(tmp_path / "hinge")
    found = json.loads(run("evaluate", "hinge", letters, "--json").out)
    assert found["metrics"]["accuracy"] == 1.0
    assert "predict_proba" in found["undefined"]["log_loss"]
    assert found["reliability"] is None
    assert run("report", "hinge", "--corpus", letters, "--documents", 3).code == 0
    assert run("check", "hinge", letters).code == 0
