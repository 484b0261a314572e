import json

from tests.cli.conftest import write_rows


def test_the_verdict_is_the_exit_code(run, model, letters, rows, tmp_path):
    result = run("check", model, letters)
    assert result.code == 0
    assert result.out.splitlines()[-1] == "✓ The model fits these texts."
    others = write_rows(tmp_path / "new.jsonl", [{"text": "etwas ganz anderes", "label": row["label"]} for row in rows])
    result = run("check", model, others)
    assert result.code == 1
    assert result.out.splitlines()[-1].startswith("✗ The model no longer fits these texts: drift, unknown words")
    assert result.err == ""
    found = json.loads(run("check", model, others, "--json").out)
    assert found["ok"] is False
    assert found["findings"][0]["name"] == "drift"


def test_texts_without_labels_are_enough(run, model, rows, tmp_path):
    new = write_rows(tmp_path / "new.jsonl", [{"text": row["text"]} for row in rows])
    result = run("check", model, new, "--json")
    assert result.code == 0
    names = [one["name"] for one in json.loads(result.out)["findings"]]
    assert names == ["drift", "unknown words", "texts without words"]
