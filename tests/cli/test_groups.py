"""``laconic fit --groups`` and ``laconic inspect --groups``, from files to tables."""

import json

import pytest

from laconic.cli import main
from laconic.data import demo
from laconic.groups import SentenceGroups
from laconic.models import load
from laconic.text import BagOfWords
from tests.cli.conftest import write_rows

GROUP = ("--method", "group", "--groups")
TOPICS = {"harm": ["broken", "leaking", "loose", "Pothole"], "anger": ["rude", "ignored", "unfair"]}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Letters of two classes with sentences: a training and a dev file, and a file of groups."""
    place = tmp_path_factory.mktemp("groups")
    letters = demo()
    for name, corpus in (("train", letters.train), ("dev", letters.dev)):
        rows = [{"id": one.id, "text": one.text, "label": one.label} for one in corpus if one.label != "praise"]
        write_rows(place / f"{name}.jsonl", rows)
    (place / "topics.json").write_text(json.dumps(TOPICS), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def grouped(files):
    """A model of sentence groups made by ``laconic fit``."""
    arguments = ["fit", files / "train.jsonl", "--dev", files / "dev.jsonl", *GROUP, "sentences"]
    assert main([*map(str, arguments), "--out", str(files / "model"), "--words", "60", "--quiet", "--json"]) == 0
    return files / "model"


def test_fit_chooses_among_methods_with_groups(run, files):
    result = run("fit", files / "train.jsonl", "--dev", files / "dev.jsonl", "--groups", "sentences", "--out", "m")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split() == ["method", "λ_g", "λ₁", "λ₂", "accuracy,", "dev", "words", "gap", "seconds"]
    assert [line[3:10].strip() for line in lines[1:7]] == ["ridge", "lasso", "elastic", "omp", "group", "gomp"]


def test_the_model_knows_its_groups(grouped):
    info = load(grouped).info
    assert info["extra"]["recipe"]["groups"] == ["sentences"]
    assert info["extra"]["chosen"]["method"] == "group"
    assert info["extra"]["chosen"]["group"] > 0
    assert info["n_words"] <= 60
    kept = load(grouped).model.groups
    assert 0 < len(kept.groups) <= kept.n_selected <= kept.n_groups
    assert kept.groups.names[0].startswith("sentence ")


def test_inspect_lists_the_groups(run, grouped):
    result = run("inspect", grouped, "--groups", 3)
    assert result.code == 0
    kept = load(grouped).model.groups
    assert f"groups      {kept.n_selected:,} of {kept.n_groups:,} selected" in result.out
    assert f"{kept.n_removed:,} removed; sentences of the training texts" in result.out
    assert "method      group, λ_g = " in result.out
    table = result.out[result.out.index(" norm  group") :].splitlines()
    norms = [float(line.split()[0]) for line in table[1:] if line[:5].strip().replace(".", "").isdigit()]
    assert len(norms) == 3
    assert norms == sorted(norms, reverse=True)
    assert "complaint: " in result.out
    assert f"{len(kept.groups) - 3:,} more" in result.out
    assert f"{len(kept.groups) - 20:,} more" in run("inspect", grouped, "--groups").out


def test_inspect_groups_as_json(run, grouped):
    found = json.loads(run("inspect", grouped, "--groups", 2, "--json").out)
    kept = load(grouped).model.groups
    assert (found["selected"], found["removed"]) == (kept.n_selected, kept.n_removed)
    assert len(found["groups"]) == 2
    assert set(found["groups"][0]) == {"name", "norm", "words"}
    assert set(found["groups"][0]["words"]) <= set(load(grouped).words)


def test_a_text_is_explained_by_the_influence_of_its_sentences(run, grouped):
    text = "The lamp is broken. Nothing else. Your office ignored me and was rude."
    result = run("inspect", grouped, "--text", text)
    influence = load(grouped).influence(text)
    for value in influence:
        assert f"{value:+.2f}" in result.out
    assert "pull  log P  sentence" in result.out
    found = json.loads(run("inspect", grouped, "--text", text, "--json").out)
    assert [one["influence"] for one in found["sentences"]] == pytest.approx(influence.tolist())


def test_families_are_put_together_and_words_counted(run, files):
    options = ("--words", 20, "--out", "m", "--folds", 2)
    result = run(
        "fit", files / "train.jsonl", *GROUP, files / "topics.json", "--groups", "sentences:document", *options
    )
    assert result.code == 0
    assert "Its groups: laconic inspect m --groups" in result.out
    kept = load("m").model.groups
    assert kept.n_groups == 2 + 144
    source = "topics.json (1 of 7 words not in the vocabulary) + documents of the training texts"
    assert source in " ".join(run("inspect", "m").out.split())


def test_the_configuration_comes_back(run, grouped, files):
    result = run(
        "fit", files / "train.jsonl", "--dev", files / "dev.jsonl", "--config", grouped, "--out", "m", "--json", "-q"
    )
    assert result.code == 0
    found = json.loads(result.out)
    assert found["config"]["recipe"] == load(grouped).info["extra"]["recipe"]
    assert [row["method"] for row in found["comparison"]["contenders"]] == ["group"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--groups", "topics"), 2, "no groups of the kind 'topics'; use sentences, sentences:paragraph"),
        (("--groups", "sentences:word"), 2, "no groups of the kind 'sentences:word'"),
        (("--groups", "sentences", "--method", "lasso"), 2, "The method lasso has no groups, but groups were given"),
        (("--method", "group"), 2, "The method group needs groups"),
        (("--groups", "nope.json"), 1, "There is no file of groups 'nope.json'; check its name."),
    ],
)
def test_mistakes(run, files, options, code, message):
    result = run("fit", files / "train.jsonl", *options, "--out", "m")
    assert result.code == code
    assert message in " ".join(result.err.split())
    assert result.out == ""


def test_a_file_of_groups_fits_its_own_vocabulary_only(run, files):
    rows = [json.loads(line) for line in (files / "train.jsonl").read_text("utf-8").splitlines()]
    from laconic.data import Corpus

    corpus = Corpus.from_lists([row["text"] for row in rows])
    SentenceGroups("document").build(corpus, BagOfWords().fit(corpus.texts).vocabulary).save("g.json")
    options = (*GROUP, "g.json", "--words", 20, "--out", "m")
    assert run("fit", files / "train.jsonl", "--dev", files / "dev.jsonl", *options).code == 0
    result = run("fit", files / "train.jsonl", *options, "--force", "--min-df", 2, "--dev", files / "dev.jsonl")
    assert result.code == 1
    assert "'doc 1', 'doc 2', 'doc 3' and 141 more of g.json cannot be used here" in " ".join(result.err.split())


def test_a_model_without_groups_says_so(run, model):
    result = run("inspect", model, "--groups")
    assert result.code == 1
    assert "has no groups; fit one with laconic fit … --groups sentences" in result.err


def test_groups_and_a_text_at_once_and_groups_before_the_model_are_mistakes(run, grouped):
    assert run("inspect", grouped, "--groups", 3, "--text", "lamp").code == 2
    before = run("inspect", "--groups", grouped)
    assert before.code == 2
    assert "--groups alone goes behind the other arguments" in " ".join(before.err.split())
