"""``laconic fit --ban …``, ``laconic edit`` and ``laconic diff``."""

import json

import pytest


@pytest.fixture
def lasso(run, letters, tmp_path):
    folder = tmp_path / "lasso.laconic"
    assert run("fit", letters, "--out", folder, "--method", "lasso", "--quiet", "--no-report").code == 0
    return folder


def words(run, folder):
    return {one["word"] for side in json.loads(run("inspect", folder, "--json").out)["words"] for one in [side]}


def test_edit_bans_a_word_and_shows_what_changed(run, lasso, letters, tmp_path):
    result = run("edit", lasso, "--ban", "broken", "--test", letters)
    assert result.code == 0, result.err
    assert "Words removed" in result.out
    assert "broken" in result.out
    assert "test accuracy 1.0000 →" in result.out
    assert "Saved to lasso-edited.laconic" in result.out
    stored = json.loads((tmp_path / "lasso-edited.laconic" / "model.json").read_text())
    assert stored["edits"] == {"ban": ["broken"]}
    assert stored["extra"]["recipe"]["edits"] == {"ban": ["broken"]}


def test_edit_reads_lists_signs_and_factors(run, lasso, letters, tmp_path):
    (tmp_path / "ban.txt").write_text("broken\n\nleaking\n", encoding="utf-8")
    options = ("--ban", "@ban.txt", "--keep", "river", "--sign", "thanks=+repair", "--factor", "kind=3")
    found = json.loads(run("edit", lasso, letters, *options, "--out", "e", "--json").out)
    assert found["edits"] == {
        "ban": ["broken", "leaking"],
        "keep": ["river"],
        "signs": {"thanks": "+repair"},
        "factors": {"kind": 3.0},
    }
    assert found["gap"] <= 1e-6
    assert {one["word"] for one in found["diff"]["words"]["went"]} >= {"broken", "thanks"} - {"leaking"}
    shown = " ".join(run("inspect", "e").out.split())
    assert "Edits: banned broken, leaking; kept river; signs thanks=+repair; factors kind=3" in shown
    assert "Edits:" not in run("inspect", lasso).out
    # A later edit comes on top, and --config carries edits on.
    again = json.loads(run("edit", "e", "--keep", "broken", "--out", "f", "--json").out)
    assert again["edits"]["ban"] == ["leaking"]
    assert run("fit", letters, "--config", "f", "--out", "g", "--method", "lasso", "--quiet", "--no-report").code == 0
    assert json.loads((tmp_path / "g" / "model.json").read_text())["extra"]["recipe"]["edits"] == again["edits"]


def test_fit_takes_edits(run, letters, tmp_path):
    result = run(
        "fit",
        letters,
        "--method",
        "lasso",
        "--method",
        "omp",
        "--ban",
        "broken",
        "--out",
        "m",
        "--quiet",
        "--no-report",
    )
    assert result.code == 0, result.err
    assert "broken" not in json.loads((tmp_path / "m" / "words.json").read_text())


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--ban", "broken", "--keep", "broken"], 2, "both banned and kept"),
        (["--ban", "brokn"], 1, "did you mean 'broken'"),
        (["--sign", "broken"], 2, "write it as --sign thanks=+"),
        (["--sign", "broken=up"], 2, "must begin with"),
        (["--sign", "broken=+poem"], 1, "names the label 'poem'"),
        (["--factor", "broken=x"], 2, "must be a number"),
        (["--ban", "@missing.txt"], 1, "missing.txt"),
        (["--ban-group", "topic 1"], 1, "there are no groups here"),
        ([], 2, "nothing to do"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(run, lasso, tmp_path, options, code, said):
    result = run("edit", lasso, *options)
    assert result.code == code
    assert said in " ".join(result.err.split())
    assert not (tmp_path / "lasso-edited.laconic").exists()


def test_edit_refuses_changed_labels_and_taken_places(run, lasso, letters, tmp_path):
    path = tmp_path / "poems.csv"
    path.write_text("text,label\nbroken,poem\nthanks,ode\n", encoding="utf-8")
    result = run("edit", lasso, path)
    assert result.code == 1
    assert "labels have changed since the model was made (new: 'ode', 'poem'; gone: 'praise', 'repair')" in result.err
    assert run("edit", lasso, "--ban", "broken", "--out", lasso).code == 1
    assert run("edit", lasso, "--ban", "broken", "--out", lasso, "--force").code == 0


def test_diff_of_models_and_documents(run, lasso, letters):
    assert run("edit", lasso, "--ban", "broken", "--ban", "leaking", "--quiet").code == 0
    shown = run("diff", lasso, "lasso-edited.laconic", letters)
    assert shown.code == 0
    assert "Words removed" in shown.out
    found = json.loads(run("diff", lasso, "lasso-edited.laconic", letters, "--json").out)
    assert {one["word"] for one in found["words"]["went"]} >= {"broken"}
    assert found["documents"]["seen"] == 60
    unlabelled = letters.parent / "unlabelled.csv"
    unlabelled.write_text("text\nbroken street\nthanks again\n", encoding="utf-8")
    seen = json.loads(run("diff", lasso, "lasso-edited.laconic", unlabelled, "--json").out)["documents"]
    assert seen["seen"] == 2
    assert all(one["truth"] is None for one in seen["changed"])
    assert run("diff", lasso, lasso).out.startswith(f"{found['words']['before']} words before")


def test_an_editable_model_needs_no_texts(run, letters, tmp_path):
    copy = tmp_path / "gone.jsonl"
    copy.write_bytes(letters.read_bytes())
    assert run("fit", copy, "--method", "lasso", "--editable", "--quiet", "--no-report").code == 0
    assert (tmp_path / "gone.design").is_dir()
    copy.unlink()
    assert run("edit", "gone.laconic", "--ban", "broken", "--quiet").code == 0
    (tmp_path / "deeper").mkdir()
    again = run("edit", "gone-edited.laconic", "--ban", "leaking", "--out", "deeper/m", "--json")
    assert again.code == 0, again.err
    assert json.loads(again.out)["edits"] == {"ban": ["broken", "leaking"]}
    assert json.loads((tmp_path / "deeper" / "m" / "model.json").read_text())["extra"]["design"] == "../gone.design"
    assert run("fit", letters, "--out", "gone.laconic", "--editable").code == 1
