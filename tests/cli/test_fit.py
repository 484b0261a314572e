import json
import os
import signal
import time

import pytest

from laconic.models import load

QUICK = ("--method", "lasso")


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_file_is_all_it_needs(run, letters, tmp_path):
    result = run("fit", letters)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split() == ["method", "λ₁", "λ₂", "accuracy,", "5-fold", "cv", "words", "gap", "seconds"]
    methods = [line[3:10].strip() for line in lines[1:5]]
    assert methods == ["ridge", "lasso", "elastic", "omp"]
    assert sum(line.startswith("→") for line in lines[1:5]) == 1
    assert "smallest sparse model within half a point of the best" in result.out
    assert "Saved to letters.laconic" in result.out
    assert "60 documents, 2 classes; text: text; label: label" in result.err
    assert load(tmp_path / "letters.laconic").predict(["thanks", "leaking"]).tolist() == ["praise", "repair"]
    assert "\x1b" not in result.out + result.err
    assert not any(line.endswith(" ") for line in lines)


def test_json_holds_the_whole_comparison(run, letters):
    result = run("fit", letters, *QUICK, "--test", letters, "--json", "--quiet")
    assert result.err == ""
    found = json.loads(result.out)
    (row,) = found["comparison"]["contenders"]
    assert row["method"] == "lasso"
    assert row["chosen"]
    assert row["test"] == 1.0
    assert found["config"]["data"]["train"]["documents"] == 60
    assert load(found["saved"]).info["n_words"] == row["words"]


def test_words_asks_for_a_size(run, letters):
    result = run("fit", letters, "--words", 2, "--json", "--quiet")
    found = json.loads(result.out)
    assert [row["method"] for row in found["comparison"]["contenders"]] == ["lasso", "elastic", "omp"]
    chosen = next(row for row in found["comparison"]["contenders"] if row["chosen"])
    assert 1 <= chosen["words"] <= 2
    assert load(found["saved"]).info["n_words"] <= 2


def test_options_reach_the_model(run, letters):
    options = ["--cells", "tfidf", "--ngrams", "1-2", "--min-df", "2", "--max-df", "0.9", "--class-weight", "balanced"]
    assert run("fit", letters, *QUICK, *options, "--metric", "macro_f1", "--folds", 3, "--out", "m").code == 0
    info = load("m").info
    assert info["cells"] == "tfidf"
    assert info["analyzer"]["ngrams"] == [1, 2]
    assert (info["min_df"], info["max_df"]) == (2, 0.9)
    assert info["estimator"]["parameters"]["class_weight"] == "balanced"
    assert info["extra"]["comparison"]["scored_on"] == "3-fold cv"
    assert info["extra"]["reading"] == {"text_cols": ["text"], "label_col": "label", "id_col": None}


def test_a_stored_configuration_gives_the_same_model_and_options_win(run, letters, tmp_path):
    run("fit", letters, *QUICK, "--ngrams", "1-2", "--min-df", "2", "--out", "first")
    assert run("fit", letters, "--config", "first", "--out", "second").code == 0
    assert run("fit", letters, "--config", "first/model.json", "--min-df", "1", "--out", "third").code == 0
    recipes = [
        json.loads((tmp_path / name / "model.json").read_text())["extra"]["recipe"]
        for name in ("first", "second", "third")
    ]
    assert recipes[0] == recipes[1]
    assert recipes[2] == {**recipes[0], "min_df": 1}
    for name in ("words.json", "weights.npy"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_other_texts_than_those_of_the_configuration_are_noted(run, letters, rows, tmp_path):
    run("fit", letters, *QUICK, "--out", "first")
    fewer = write(tmp_path / "fewer.jsonl", rows[:50])
    assert "the texts differ" in run("fit", fewer, "--config", "first").err


def test_dev_and_refit(run, letters, rows, tmp_path):
    train, dev = write(tmp_path / "train.jsonl", rows[:40]), write(tmp_path / "dev.jsonl", rows[40:])
    result = run("fit", train, "--dev", dev, *QUICK, "--json", "--quiet")
    assert json.loads(result.out)["comparison"]["scored_on"] == "dev"
    assert load("train.laconic").info["n_documents"] == 40
    assert run("fit", train, "--dev", dev, *QUICK, "--refit", "--force").code == 0
    assert load("train.laconic").info["n_documents"] == 60


def test_several_text_columns_of_a_csv(run, rows, tmp_path):
    path = tmp_path / "mails.csv"
    lines = [f"{row['id']},{row['text']},hello,{row['label']}" for row in rows]
    path.write_text("nr,subject,body,kind\n" + "\n".join(lines), encoding="utf-8")
    result = run("fit", path, *QUICK, "--text-col", "subject", "--text-col", "body", "--label-col", "kind")
    assert result.code == 0
    assert "text: subject, body; label: kind" in result.err


def test_a_folder_of_folders(run, rows, tmp_path):
    for row in rows:
        (tmp_path / "mails" / row["label"]).mkdir(parents=True, exist_ok=True)
        (tmp_path / "mails" / row["label"] / f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
    assert run("fit", "mails", *QUICK).code == 0
    assert load("mails.laconic").info["classes"] == ["praise", "repair"]


def test_standard_input(start, letters, tmp_path):
    process = start("fit", "-", *QUICK, "--out", tmp_path / "m", "--json", "--quiet")
    out, err = process.communicate(letters.read_text(encoding="utf-8"), timeout=120)
    assert process.returncode == 0, err
    assert json.loads(out)["config"]["data"]["train"]["documents"] == 60


@pytest.fixture
def unclear(tmp_path, rows):
    lines = [f"{row['text']},{'xy'[i % 2]},{row['label']}" for i, row in enumerate(rows)]
    path = tmp_path / "unclear.csv"
    path.write_text("text,one,two\n" + "\n".join(lines), encoding="utf-8")
    return path


def test_a_column_that_cannot_be_told_is_asked_for(run, unclear, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.prompt", lambda *_, **__: 2)
    result = run("fit", unclear, *QUICK)
    assert result.code == 0
    assert "Which column of" in result.err
    assert "label: two" in result.err


def test_without_a_person_the_columns_are_listed(run, unclear):
    result = run("fit", unclear)
    assert result.code == 1
    assert "cannot tell which column" in result.err
    assert "'one', 'two'" in result.err
    assert "--label-col" in result.err


def test_a_first_row_that_is_a_document_is_one(run, rows, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("".join(f"{row['text']},{row['label']}\n" for row in rows), encoding="utf-8")
    result = run("fit", path, *QUICK)
    assert result.code == 0
    assert "seems to have no header row" in result.err
    assert "If that row is a header, name the columns by --text-col" in result.err
    assert f"{len(rows):,} documents" in result.err
    assert "label: column 2" in result.err
    assert run("fit", path, *QUICK, "--no-header", "--out", "n").err.count("header") == 0
    columns = ["--text-col", rows[0]["text"], "--label-col", "repair"]
    assert run("fit", path, *QUICK, *columns, "--out", "m").code == 0
    assert run("evaluate", "m", path).code == 0  # the model knows the columns by these names


def test_ids_that_repeat_rare_classes_and_missing_labels_stop_nothing(run, rows, tmp_path):
    more = [{"text": "quite rare", "label": "rare"}, {"text": "nothing known", "label": None}]
    lines = [json.dumps({**row, "id": f"user {i % 3}"}) for i, row in enumerate([*rows, *more])]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    assert "leave them out (--drop-unlabelled)" in " ".join(run("fit", path, *QUICK).err.split())
    result = run("fit", path, *QUICK, "--drop-unlabelled", "--force")
    said = " ".join(result.err.split())
    assert result.code == 0
    assert "3 ids occur more than once" in said
    assert '--id-col "" reads no ids' in said
    assert "left out 1 of" in said
    assert "set aside 1 class with fewer than 5 documents: 'rare' (1)" in said
    quiet = run("fit", path, *QUICK, "--drop-unlabelled", "--id-col", "", "--min-class", "1", "--folds", "2")
    assert "ids" not in quiet.err


BAD = {
    "empty": (b"", "has no documents"),
    "all documents empty": (b'{"text": " ", "label": 1}\n{"text": "", "label": 2}\n', "documents are empty"),
    "one class": (b'{"text": "a b", "label": "x"}\n' * 3, "the one label 'x'"),
    "a label missing": (
        b'{"text": "a", "label": "x"}\n{"text": "b", "label": null}\n',
        "1 of 2 documents have no label",
    ),
    "not UTF-8": (b'{"text": "a", "label": "x"}\n{"text": "\xff", "label": "y"}\n', "line 2: not valid UTF-8"),
    "malformed": (b'{"text": "a", "label": "x"}\n{"text": \n', "line 2: malformed JSON"),
    "too few for the folds": (b'{"text": "a", "label": "x"}\n{"text": "b", "label": "y"}\n', "fewer than the 5 folds"),
    "no labels at all": (b'{"text": "a"}\n{"text": "b"}\n', "labels"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_get_one_sentence_and_leave_nothing(run, tmp_path, case):
    content, sentence = BAD[case]
    (tmp_path / "bad.jsonl").write_bytes(content)
    result = run("fit", "bad.jsonl")
    assert result.code == 1
    assert result.out == ""
    error = result.err.splitlines()[-1]
    assert error.startswith("laconic: error: ")
    assert sentence in error
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.csv"], "no file or folder 'nothing.csv', and no built-in dataset"),
        (["movie"], "LACONIC_DATA"),
        (["LETTERS", "--text-col", "story"], "has no column 'story'; its columns are 'id', 'text', 'label'"),
        (["LETTERS", "--out", "no/such/place"], "does not exist"),
        (["LETTERS", "--min-df", "50"], "No word is left"),
        (["LETTERS", "--config", "LETTERS"], "is not a JSON file"),
    ],
)
def test_impossible_wishes_get_one_sentence(run, letters, arguments, sentence):
    result = run("fit", *(letters if one == "LETTERS" else one for one in arguments))
    assert result.code == 1
    assert sentence in result.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--words", "5", "--method", "ridge"], "keeps every word"),
        (["--refit"], "there is no dev set"),
        (["--analyzer", "char", "--tokenizer", "wnut2018"], "has no --tokenizer"),
        (["--text-col", "x", "--label-col", "x"], "both name the column 'x'"),
        (["--id-col", "x", "--label-col", "x"], "both name the column 'x'"),
        (["--id-col", "x", "--text-col", "x"], "both name the column 'x'"),
    ],
)
def test_options_that_contradict_each_other_are_usage_mistakes(run, tmp_path, arguments, sentence):
    (tmp_path / "unread.jsonl").write_text("no JSON", encoding="utf-8")
    result = run("fit", "unread.jsonl", *arguments)
    assert result.code == 2
    assert sentence in result.err


def test_a_configuration_of_defaults_goes_with_words(run, letters):
    assert run("fit", letters, "--out", "first").code == 0
    result = run("fit", letters, "--config", "first", "--words", 2, "--out", "second", "--json")
    assert result.code == 0
    assert [row["method"] for row in json.loads(result.out)["comparison"]["contenders"]] == ["lasso", "elastic", "omp"]


def test_a_model_without_words_is_warned_of(run, tmp_path):
    texts = [("so it goes", "no"), ("so far away", "yes"), ("so near us", "no")] * 10  # words that come in pairs
    pairs = write(tmp_path / "pairs.jsonl", [{"text": text, "label": label} for text, label in texts])
    result = run("fit", pairs, "--method", "elastic", "--words", 1, "--quiet")
    assert result.code == 0
    assert "The model has no words: it always answers 'no'." in result.err


def test_some_empty_documents_are_fine(run, rows, tmp_path):
    path = write(tmp_path / "some.jsonl", [*rows, {"id": "e", "text": "", "label": "praise"}])
    assert run("fit", path, *QUICK).code == 0


def test_labels_of_the_test_set_must_be_known(run, letters, tmp_path):
    strange = write(tmp_path / "strange.jsonl", [{"text": "a", "label": "poem"}])
    result = run("fit", letters, "--test", strange)
    assert result.code == 1
    assert "the label 'poem', which no training document has" in result.err


def test_what_exists_is_not_touched_without_force(run, letters, tmp_path):
    (tmp_path / "letters.laconic").mkdir()
    (tmp_path / "letters.laconic" / "diary.txt").write_text("mine", encoding="utf-8")
    result = run("fit", letters)
    assert result.code == 1
    assert "--force" in result.err
    result = run("fit", letters, "--force")
    assert result.code == 1
    assert "diary.txt" in result.err
    assert (tmp_path / "letters.laconic" / "diary.txt").read_text(encoding="utf-8") == "mine"


def test_ctrl_c_leaves_nothing(start, tmp_path):
    words = [f"w{i}" for i in range(400)]
    many = [{"text": " ".join(words[(i * j) % 400] for j in range(1, 120)), "label": f"c{i % 4}"} for i in range(3_000)]
    source = write(tmp_path / "many.jsonl", many)
    process = start("fit", source, cwd=tmp_path)
    assert "3,000 documents" in process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.strip().splitlines()[-1] == "laconic: interrupted"
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["many.jsonl"]


def test_a_home_that_cannot_be_written_to(start, letters, tmp_path):
    environment = {**os.environ, "HOME": "/proc/none", "TMPDIR": str(tmp_path)}
    environment.pop("XDG_CACHE_HOME", None)
    environment.pop("LACONIC_CACHE", None)
    process = start("fit", letters, *QUICK, "--out", tmp_path / "m", env=environment)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert any(path.name.startswith("laconic-") for path in tmp_path.iterdir())


def test_a_rare_class_makes_macro_f1_the_metric(run, rows, tmp_path):
    repair, praise = ([row for row in rows if row["label"] == label] for label in ("repair", "praise"))
    many = [{"text": f"{row['text']} x{i}", "label": "repair"} for i in range(3) for row in repair]
    few = [{"text": row["text"], "label": "praise"} for row in praise[:4]]
    path = write(tmp_path / "a.jsonl", [*many, *few, {"text": " ", "label": "praise"}, many[0]])
    result = run("fit", path, *QUICK)
    said = " ".join(result.err.split())
    assert f"labels: repair {100 * (len(many) + 1) / (len(many) + 6):.1f}%" in said
    assert "1 of" in said
    assert "documents are empty" in said
    assert "1 documents are copies of others;" in said
    assert "metric: macro_f1, since only" in said
    assert "macro_f1, 5-fold cv" in result.out
    assert "accuracy, 5-fold cv" in run("fit", path, *QUICK, "--metric", "accuracy", "--force").out
