"""``laconic parse``: from a treebank to trees and scores."""

import json

import pytest

from laconic.cli import main
from tests.structured.trees import as_conllu, planted_trees


@pytest.fixture(scope="module")
def train(tmp_path_factory):
    path = tmp_path_factory.mktemp("parse") / "train.conllu"
    path.write_text(as_conllu(*planted_trees(60)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def parser(train):
    folder = train.parent / "parser"
    options = ["--templates", "small", "--budget", "5", "--every", "30", "--passes", "3", "--out", str(folder), "-q"]
    assert main(["parse", "fit", str(train), *options]) == 0
    return folder


def test_fit_prints_size_and_scores(run, train, tmp_path):
    result = run("parse", "fit", train, "--dev", train, "--templates", "small", "--passes", "2")
    assert result.code == 0
    assert "8 of 8 templates" in result.out
    assert "one root" in result.out
    assert "without punctuation" in result.out
    assert (tmp_path / "train.laconic" / "model.json").exists()


def test_fit_as_json(run, train):
    result = run("parse", "fit", train, "--templates", "head.pos & mod.pos", "--passes", "1", "--json")
    found = json.loads(result.out)
    assert (found["saved"], found["templates"], found["dev"]) == ("train.laconic", 1, None)


def test_predict_keeps_all_other_lines(run, parser, train, tmp_path):
    blank = tmp_path / "blank.conllu"
    lines = [line.split("\t") for line in train.read_text().splitlines()]
    rows = ["\t".join([*row[:6], "_", "_", *row[8:]]) if len(row) == 10 else row[0] for row in lines]
    blank.write_text("\n".join(rows) + "\n", encoding="utf-8")
    result = run("parse", "predict", parser, blank, "--out", "parsed.conllu")
    assert result.code == 0
    found = (tmp_path / "parsed.conllu").read_text().splitlines()
    assert [line.split("\t")[:6] for line in found] == [row[:6] for row in lines]
    assert sum(a == "\t".join(b) for a, b in zip(found, lines, strict=True)) > 0.95 * len(lines)


def test_evaluate(run, parser, train):
    result = run("parse", "evaluate", parser, train, "--json")
    found = json.loads(result.out)
    assert found["sentences"] == 60
    assert found["without punctuation"]["uas"] > 0.95
    assert found["without punctuation"]["tokens"] == found["all"]["tokens"] - 60
    assert "UAS" in run("parse", "evaluate", parser, train).out


def test_inspect_shows_templates_kinds_and_features(run, parser):
    result = run("parse", "inspect", parser)
    assert "5 of 8 templates" in result.out
    assert "Dropped (3)" in result.out
    assert "looks at head and modifier" in result.out
    found = json.loads(run("parse", "inspect", parser, "--json").out)
    assert len(found["templates"]) == 8
    assert len(found["features"]) == 10


def test_inspect_explains_a_sentence(run, parser):
    result = run("parse", "inspect", parser, "--sentence", "the/DT lamp/NN sees/VB ./.", "--top", "2")
    assert result.code == 0
    assert "3 sees" in result.out
    found = json.loads(run("parse", "inspect", parser, "--sentence", "the/DT lamp/NN sees/VB", "--json").out)
    assert [one["head"] for one in found] == [2, 3, 0]


def test_a_tagger_in_front(run, parser, train, tmp_path):
    columns = "id,word,lemma,pos,xpos,feats,head,deprel,deps,misc"
    assert run("tag", "fit", train, "--columns", columns, "--tag", "pos", "--out", "tags", "-q").code == 0
    untagged = tmp_path / "untagged.conllu"
    lines = [line.split("\t") for line in train.read_text().splitlines()]
    rows = ["\t".join([*row[:3], "_", *row[4:]]) if len(row) == 10 else row[0] for row in lines]
    untagged.write_text("\n".join(rows) + "\n", encoding="utf-8")
    result = run("parse", "predict", parser, untagged)
    assert result.code == 1
    assert "a parser needs a part of speech for every token" in result.err
    result = run("parse", "predict", parser, untagged, "--tagger", "tags", "--out", "parsed.conllu")
    assert result.code == 0
    found = (tmp_path / "parsed.conllu").read_text().splitlines()
    assert sum(a == "\t".join(b) for a, b in zip(found, lines, strict=True)) > 0.95 * len(lines)
    assert run("parse", "evaluate", parser, untagged, "--tagger", "tags").code == 0
    assert "is a parser; use laconic parse" in run("parse", "predict", parser, untagged, "--tagger", parser).err


def test_texts_become_trees_and_groups(run, parser, train, tmp_path):
    from laconic import ConstituentGroups
    from laconic.text import BagOfWords

    columns = "id,word,lemma,pos,xpos,feats,head,deprel,deps,misc"
    options = ["--templates", "word[0]", "--templates", "word[1]", "--columns", columns, "--tag", "pos"]
    assert run("tag", "fit", train, *options, "--out", "tags", "-q").code == 0
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"text": "The old lamp sees a river. the song holds a house."}\n{"text": " "}\n')
    result = run("parse", "texts", parser, texts, "--tagger", "tags", "--out", "trees.conllu")
    assert result.code == 0, result.err
    vocabulary = BagOfWords().fit(["old lamp sees a river", "the song holds a house"]).vocabulary
    groups = ConstituentGroups(str(tmp_path / "trees.conllu")).build(None, vocabulary)
    words = [{vocabulary.words[i] for i in groups.members(g)} for g in range(len(groups))]
    assert {"a", "river"} in words
    assert {"the", "song"} in words
    assert {"the", "song", "holds", "a", "house"} in words
    assert "ends in .conllu" in run("parse", "texts", parser, texts, "--tagger", "tags", "--out", "trees.txt").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "fit", "none.conllu"], "There is no file 'none.conllu'"),
        (["parse", "fit", "TRAIN", "--templates", "nonsense"], "no set of templates 'nonsense'"),
        (["parse", "fit", "TRAIN", "--selection", "lasso"], "name how many with --budget"),
        (["parse", "fit", "TRAIN", "--out", "PARSER"], "exists already"),
        (["parse", "fit", "TRAIN", "--budget", "3", "--refit", "frozen", "--loss", "crf"], "refit is 'frozen'"),
        (
            ["parse", "fit", "TRAIN", "--budget", "3", "--refit", "frozen", "--selection", "information-gain"],
            "no features to keep to",
        ),
        (["parse", "inspect", "PARSER", "--sentence", "the lamp"], "'the' has no tag"),
        (["inspect", "PARSER"], "is a parser"),
        (["tag", "inspect", "PARSER"], "is a parser; use laconic parse"),
    ],
)
def test_mistakes_get_a_sentence(run, train, parser, arguments, message):
    given = [{"TRAIN": train, "PARSER": parser}.get(one, one) for one in arguments]
    result = run(*given)
    assert result.code == 1
    assert message in result.err


def test_an_empty_file(run, tmp_path):
    (tmp_path / "empty.conllu").write_text("")
    result = run("parse", "fit", "empty.conllu")
    assert result.code == 1
    assert "has no tokens" in result.err
