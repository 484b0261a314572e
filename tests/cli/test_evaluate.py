import json

import pytest


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
