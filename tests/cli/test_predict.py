import csv
import io
import json
import os
import signal

import pytest

from laconic.models import load

BLOCK = "import sys\nfor name in ('numba', 'scipy', 'sklearn', 'rich', 'pandas'): sys.modules[name] = None"


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_one_record_per_text(run, model, letters, rows):
    result = run("predict", model, letters)
    assert (result.code, result.err) == (0, "")
    found = records(result.out)
    assert [one["id"] for one in found] == [row["id"] for row in rows]
    scorer = load(model)
    assert [one["label"] for one in found] == scorer.predict([row["text"] for row in rows]).tolist()
    best = scorer.predict_proba([row["text"] for row in rows]).max(axis=1)
    assert [one["probability"] for one in found] == pytest.approx(best.tolist(), abs=1e-15)
    assert run("predict", model, letters, "--json").out == result.out


def test_probabilities_of_all_classes(run, model, letters):
    for one in records(run("predict", model, letters, "--proba").out):
        assert sum(one["probabilities"].values()) == pytest.approx(1.0)
        assert one["probabilities"][one["label"]] == one["probability"]


def test_csv_and_labels(run, model, letters, rows):
    table = list(csv.DictReader(io.StringIO(run("predict", model, letters, "--format", "csv", "--proba").out)))
    assert [one["id"] for one in table] == [row["id"] for row in rows]
    assert list(table[0]) == ["id", "label", "probability", "p(praise)", "p(repair)"]
    assert float(table[0][f"p({table[0]['label']})"]) == float(table[0]["probability"])
    labels = run("predict", model, letters, "--format", "labels").out.splitlines()
    assert labels == [one["label"] for one in table]


def test_plain_text_one_document_a_line(run, model, tmp_path):
    (tmp_path / "new.txt").write_text("broken\n\nthanks", encoding="utf-8")
    (tmp_path / "new.log").write_text("broken\n\nthanks", encoding="utf-8")
    found = run("predict", model, "new.txt").out
    assert [one["id"] for one in records(found)] == ["1", "2", "3"]
    assert run("predict", model, "new.log", "--lines").out == found
    empty = load(model).predict([""])[0]
    assert [one["label"] for one in records(found)] == ["repair", empty, "praise"]


def test_a_file_is_written_whole_and_replaced_with_force(run, model, letters, tmp_path):
    (tmp_path / "labels.jsonl").write_text("old", encoding="utf-8")
    result = run("predict", model, letters, "--out", "labels.jsonl")
    assert (result.code, result.out) == (1, "")
    assert "labels.jsonl exists already" in result.err
    assert (tmp_path / "labels.jsonl").read_text(encoding="utf-8") == "old"
    result = run("predict", model, letters, "--out", "labels.jsonl", "--force")
    assert (result.code, result.out) == (0, "")
    assert "60 documents classified: labels.jsonl" in result.err
    assert len(records((tmp_path / "labels.jsonl").read_text(encoding="utf-8"))) == 60


def test_after_a_bad_line_the_old_file_stays(run, model, letters, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(letters.read_text(encoding="utf-8") + "{", encoding="utf-8")
    (tmp_path / "labels.jsonl").write_text("old", encoding="utf-8")
    result = run("predict", model, bad, "--out", "labels.jsonl", "--force")
    assert result.code == 1
    assert "line 61: malformed JSON" in result.err
    assert (tmp_path / "labels.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "labels.jsonl"]


def test_the_file_that_is_read_is_never_written(run, model, letters, tmp_path):
    (tmp_path / "mine.jsonl").write_bytes(letters.read_bytes())
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "mine.jsonl")
    for out in ("mine.jsonl", "link.jsonl"):
        result = run("predict", model, "mine.jsonl", "--out", out, "--force")
        assert result.code == 1
        assert "is the file that is read" in result.err
    assert (tmp_path / "mine.jsonl").read_bytes() == letters.read_bytes()


def test_a_place_that_cannot_be_written_is_named_before_any_work(run, tmp_path):
    (tmp_path / "folder").mkdir()
    for out, sentence in (
        ("no/labels.csv", "the folder no does not exist"),
        ("folder", "is a folder"),
        (os.devnull, "not an ordinary"),
    ):
        result = run("predict", "no-model", "no-texts", "--out", out, "--force")
        assert result.code == 1
        assert out in result.err
        assert sentence in result.err


def test_the_suffix_decides_on_the_format(run, model, letters, tmp_path):
    for out, form in (("a.csv", "csv"), ("a.txt", "labels"), ("a.jsonl", "jsonl"), ("a.out", "jsonl")):
        assert run("predict", model, letters, "--out", out).code == 0
        assert (tmp_path / out).read_text(encoding="utf-8") == run("predict", model, letters, "--format", form).out
    assert run("predict", model, letters, "--out", "b.csv", "--format", "jsonl").code == 0
    assert (tmp_path / "b.csv").read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    assert run("predict", model, letters, "--json", "--format", "csv").code == 2


def test_lone_surrogates_survive(run, model, tmp_path):
    path = tmp_path / "odd.jsonl"
    path.write_text('{"id": "\\ud800x", "text": "broken \\ud800"}\n', encoding="utf-8")
    assert records(run("predict", model, path).out)[0]["id"] == "\ud800x"
    run("predict", model, path, "--out", "labels.jsonl")
    assert json.loads((tmp_path / "labels.jsonl").read_text(encoding="utf-8"))["id"] == "\ud800x"


def test_a_pipe_flows_without_compiled_code(start, model):
    process = start("predict", model, before=BLOCK)
    for text, label in (("broken lamp", "repair"), ("kind thanks", "praise")):
        process.stdin.write(json.dumps({"text": text}) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["label"] == label  # while standard input is still open
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def test_lines_on_standard_input(start, model):
    process = start("predict", model, "--lines", "--format", "labels")
    out, _ = process.communicate("broken\nthanks\n", timeout=60)
    assert out == "repair\npraise\n"


def test_ctrl_c_leaves_no_file(start, model, tmp_path):
    process = start("predict", model, "-", "--out", tmp_path / "labels.jsonl")
    process.stdin.write('{"text": "broken"}\n' * 50)
    process.stdin.flush()
    while not list(tmp_path.iterdir()):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert list(tmp_path.iterdir()) == []
    assert process.stderr.read().strip() == "laconic: interrupted"


def test_an_empty_source_is_refused(run, model, tmp_path):
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    for arguments in (["empty.jsonl"], ["empty.txt", "--lines"]):
        result = run("predict", model, *arguments)
        assert result.code == 1
        assert "has no documents" in result.err


def test_a_missing_column_lists_the_others(run, model, letters):
    result = run("predict", model, letters, "--text-col", "story")
    assert result.code == 1
    assert "its columns are 'id', 'text', 'label'" in result.err
