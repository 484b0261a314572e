"""``laconic tag``: from a column file to tags and scores."""

import json
from pathlib import Path

import pytest

from laconic.cli import main


def column_file(path, n, tags=True, seed=0):
    from tests.structured.conftest import planted_sentences

    sentences, found = planted_sentences(n, seed)
    lines = []
    for sentence, one in zip(sentences, found, strict=True):
        rows = zip(sentence["word"], sentence["pos"], *([one] if tags else []), strict=True)
        lines += [" ".join(row) for row in rows] + [""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def train(tmp_path_factory):
    return column_file(tmp_path_factory.mktemp("tag") / "train.conll", 100)


@pytest.fixture(scope="module")
def tagger(train):
    folder = train.parent / "chunker"
    assert main(["tag", "fit", str(train), "--templates", "crfsuite", "--budget", "4", "--out", str(folder), "-q"]) == 0
    return folder


def test_fit_prints_size_and_scores(run, train, tmp_path):
    dev = column_file(tmp_path / "dev.conll", 30, seed=5)
    result = run("tag", "fit", train, "--dev", dev, "--templates", "minimal")
    assert result.code == 0
    assert "5 of 5 templates" in result.out
    assert "NP" in result.out
    assert "Saved to train.laconic" in result.out
    assert (tmp_path / "train.laconic" / "model.json").exists()


def test_fit_as_json(run, train):
    result = run("tag", "fit", train, "--templates", "word[0]", "--templates", "pos[0] & pos[1]", "--json")
    assert json.loads(result.out) | {"weights": 0} == {
        "saved": "train.laconic",
        "templates": 2,
        "weights": 0,
        "dev": None,
    }


def test_predict_adds_a_column(run, tagger, tmp_path):
    new = column_file(tmp_path / "new.conll", 5, tags=False, seed=6)
    result = run("tag", "predict", tagger, new)
    assert result.code == 0
    lines = result.out.splitlines()
    assert len(lines) == len(new.read_text().splitlines()) + (not new.read_text().endswith("\n\n"))
    assert {line.split()[2] for line in lines if line} <= {"B-NP", "I-NP", "B-VP", "O"}


def test_evaluate(run, tagger, tmp_path):
    test = column_file(tmp_path / "test.conll", 40, seed=7)
    scores = json.loads(run("tag", "evaluate", tagger, test, "--json").out)
    assert scores["f1"] > 0.95
    assert scores["sentences"] == 40
    assert "precision" in run("tag", "evaluate", tagger, test).out


def test_labels_that_training_did_not_have(run, tagger, tmp_path):
    test = tmp_path / "other.conll"
    test.write_text("the DT B-XP\n", encoding="utf-8")
    result = run("tag", "evaluate", tagger, test)
    assert result.code == 0
    assert "never occurred in training and cannot be predicted: B-XP" in result.err


def test_inspect(run, tagger):
    out = run("tag", "inspect", tagger, "--top", "2").out
    assert "4 of 19 templates" in out
    assert "Dropped (15)" in out
    data = json.loads(run("tag", "inspect", tagger, "--json", "--label", "B-NP").out)
    assert sum(row["kept"] for row in data["templates"]) == 4
    assert list(data["features"]) == ["B-NP"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tag", "fit", "none.conll"], "There is no file 'none.conll'"),
        (["tag", "fit", "TRAIN", "--templates", "lemma[0]"], "looks at the column 'lemma'"),
        (["tag", "fit", "TRAIN", "--templates", "word[0"], "expected a cell"),
        (["tag", "fit", "TRAIN", "--columns", "word,tag"], "has 3 columns, but 2 names"),
        (["tag", "fit", "TRAIN", "--out", "no/such/place"], "does not exist"),
        (["tag", "inspect", "TAGGER", "--label", "B-XP"], "no label 'B-XP'"),
        (["tag", "predict", "TAGGER", "none.conll"], "There is no file"),
        (["inspect", "TAGGER"], "is a tagger"),
    ],
)
def test_problems_are_one_sentence(run, train, tagger, arguments, sentence):
    given = [{"TRAIN": train, "TAGGER": tagger}.get(one, one) for one in arguments]
    result = run(*given)
    assert result.code == 1
    assert sentence in result.err
    assert result.err.count("\n") <= 2


def test_a_text_model_is_no_tagger(run, model):
    result = run("tag", "inspect", model)
    assert result.code == 1
    assert "classifies texts" in result.err


def test_explaining_a_sentence(run, tagger):
    out = run("tag", "inspect", tagger, "--sentence", "the/DT lamp/NN")
    assert out.code == 0
    assert "B-NP" in out.out
    data = json.loads(run("tag", "inspect", tagger, "--sentence", "the/DT lamp/NN", "--json").out)
    assert [one["token"] for one in data] == ["the", "lamp"]
    assert "needs word/pos for each token" in run("tag", "inspect", tagger, "--sentence", "the").err


def test_the_order_of_templates_as_svg(run, tagger, tmp_path):
    assert run("tag", "inspect", tagger, "--hasse", "order.svg").code == 0
    assert (tmp_path / "order.svg").read_text().count("<rect") == 19
    assert "choose another name with --hasse" in run("tag", "inspect", tagger, "--hasse", "order.svg").err
    assert run("tag", "inspect", tagger, "--hasse", "order.svg", "--force").code == 0


def test_gold_tags_are_brought_into_the_scheme_of_the_model(run, train, tagger, tmp_path):
    from laconic.data.annotated.tagged_files import read_tagged, write_conll

    sentences, tags, _ = read_tagged(train, scheme="iob1")
    with open(tmp_path / "iob1.conll", "w") as stream:
        write_conll(stream, sentences, tags)
    result = run("tag", "evaluate", tagger, "iob1.conll", "--json")
    assert "warning" not in result.err
    assert result.out == run("tag", "evaluate", tagger, train, "--json").out


def test_tags_left_out_of_the_warning_are_hinted_at(run, tagger, tmp_path):
    (tmp_path / "odd.conll").write_text("".join(f"the DT B-X{i}\n" for i in range(6)))
    assert "6 of the tags" in (told := run("tag", "evaluate", tagger, "odd.conll").err)
    assert "B-X4, …" in told


def test_columns_that_no_template_uses_may_be_missing(run, train, tmp_path):
    assert run("tag", "fit", train, "--templates", "word[0]", "--out", "words", "-q").code == 0
    (tmp_path / "new.conll").write_text("the\nlamp\n")
    (tmp_path / "new.jsonl").write_text('{"word": ["the", "New York"]}\n')
    assert run("tag", "predict", "words", "new.conll").out.startswith("the B-NP\n")
    line = json.loads(run("tag", "predict", "words", "new.jsonl").out)
    assert line["word"] == ["the", "New York"]
    assert line["tag"][0] == "B-NP"
    short = json.loads(run("tag", "inspect", "words", "--sentence", "the lamp", "--json").out)
    assert short == json.loads(run("tag", "inspect", "words", "--sentence", "the/DT lamp/NN", "--json").out)


def written(text):
    """Write a text to a file in the folder of the run and return its name."""
    Path("new.txt").write_text(text, encoding="utf-8")
    return "new.txt"


def test_plain_text_is_cut_into_sentences_and_words(run, train, tagger):
    assert run("tag", "fit", train, "--templates", "word[0]", "--out", "words", "-q").code == 0
    for text in ("The lamp, it's out.", "The lamp, it's out", "One more.\nThe lamp, it's out.  Dr. No", "a\nb c d\n"):
        result = run("tag", "predict", "words", written(text))
        assert result.err == (
            "laconic: warning: new.txt is not in columns: it is read as plain text, cut into sentences and words\n"
        )
        words = [line.split()[0] for line in result.out.splitlines() if line]
        assert "".join(words) == "".join(text.split())
        assert "it's" in words or "c" in words
    assert result.out.count("\n\n") == 1
    refused = run("tag", "predict", tagger, written("The lamp is out."))
    assert refused.code == 1
    assert "and as plain text it lacks what the model looks at beside words: pos" in refused.err


@pytest.mark.parametrize(
    "columns",
    ["the DT\nlamp NN\n", "the DT B-NP\n", "the\n", "a x y z\nb x y z\n\nc x y z\n", "-DOCSTART-\n\na DT\n", "a O\n"],
)
def test_columns_are_not_taken_for_plain_text(run, train, columns):
    assert run("tag", "fit", train, "--templates", "word[0]", "--out", "words", "-q").code == 0
    result = run("tag", "predict", "words", written(columns))
    assert (result.code, result.err) == (0, "")
    given = [line.split() for line in columns.splitlines() if line and line != "-DOCSTART-"]
    assert [line.split()[:-1] for line in result.out.splitlines() if line] == given


def test_a_malformed_line_does_not_make_columns_plain_text(run, train):
    assert run("tag", "fit", train, "--templates", "word[0]", "--out", "words", "-q").code == 0
    result = run("tag", "predict", "words", written("a DT\n" * 5 + "b\n"))
    assert result.code == 1
    assert "line 6: 1 columns, but line 1 has 2" in result.err


@pytest.mark.parametrize("given", [("--selection", "lasso"), ("--refit", "frozen"), ("--every", "10")])
def test_options_of_the_choice_need_a_budget(run, train, given):
    result = run("tag", "fit", train, *given)
    assert result.code == 1
    assert f"{given[0]} says how to choose templates; name how many with --budget" in result.err


def test_compare_refuses_a_tagger(run, tagger, train, tmp_path):
    result = run("compare", tagger, tmp_path / "other", train)
    assert result.code == 1
    assert f"the model {tagger} is a tagger; use laconic tag" in " ".join(result.err.split())
