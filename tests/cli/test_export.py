import json

import joblib
import pytest

from laconic.models import load


def test_all_forms(run, model, tmp_path):
    pytest.importorskip("onnx")
    for form, name in (("json", "letters.json"), ("sklearn", "letters.joblib"), ("onnx", "letters.onnx")):
        result = run("export", model, "--to", form)
        assert result.code == 0
        assert result.out.startswith(f"Written: {name} (")
    assert set(json.loads((tmp_path / "letters.json").read_text())["words"]) == set(load(model).words)
    assert joblib.load(tmp_path / "letters.joblib").predict(["broken"]).tolist() == ["repair"]


def test_files_are_replaced_only_by_force(run, model, tmp_path):
    (tmp_path / "a.json").write_text("mine", encoding="utf-8")
    refused = run("export", model, "--to", "json", "-o", "a.json")
    assert refused.code == 1
    assert "--force" in refused.err
    found = json.loads(run("export", model, "--to", "json", "-o", "a.json", "--force", "--json").out)
    assert found["bytes"] == (tmp_path / "a.json").stat().st_size
