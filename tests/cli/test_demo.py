import json

from laconic.models import load


def test_the_demo_shows_and_saves_everything(run, tmp_path):
    result = run("demo")
    assert result.code == 0
    for piece in (
        "method",
        "ridge",
        "lasso",
        "elastic",
        "complaint",
        "praise",
        "repair",
        "macro_f1",
        "→",
        "test letters",
    ):
        assert piece in result.out
    assert max(map(len, result.out.splitlines())) <= 100
    assert len(load(tmp_path / "laconic-demo" / "model").words) < 300
    report = (tmp_path / "laconic-demo" / "report.md").read_text(encoding="utf-8")
    assert "## Comparison" in report
    assert run("demo", "--quiet").code == 0  # over its own folder


def test_json_and_foreign_folders(run, tmp_path):
    found = json.loads(run("demo", "--out", "d", "--json").out)
    assert found["summary"]["scores"]["documents"] == 72
    assert 0 < found["telling_sentences_found"] <= 72
    (tmp_path / "d" / "diary.txt").write_text("mine", encoding="utf-8")
    result = run("demo", "--out", "d")
    assert result.code == 1
    assert "diary.txt" in result.err
