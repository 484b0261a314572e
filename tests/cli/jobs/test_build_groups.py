"""``laconic groups``: from texts to a file of groups, and a look at it."""

import json
from pathlib import Path

import pytest

from laconic.data import demo
from laconic.groups import BrownPaths, LSIGroups, brown_clusters
from laconic.groups.given import by_word
from laconic.models import load
from laconic.text import BagOfWords
from tests.cli.conftest import write_rows


@pytest.fixture
def texts(tmp_path):
    return write_rows(tmp_path / "texts.jsonl", [{"text": one} for one in demo().train.texts])


def test_groups_are_built_written_and_fitted(run, texts, letters):
    result = run("groups", texts, "--kind", "lsi", "--size", 5, "-o", "lsi.json")
    assert result.code == 0
    corpus = demo().train
    vocabulary = BagOfWords().fit(corpus.texts).vocabulary
    expected = by_word(LSIGroups(5).build(corpus, vocabulary), vocabulary.words)
    assert json.loads(Path("lsi.json").read_text("utf-8")) == expected
    assert "groups   5, overlapping" in result.out
    assert "saved    lsi.json" in result.out
    assert all(name.split(":")[0] in result.out for name in expected)
    fitted = run("fit", letters, "--groups", "lsi.json", "--method", "group", "--words", 9, "--folds", 2, "--out", "m")
    assert fitted.code == 0


def test_brown_clusters_are_written_as_paths(run, texts):
    result = run("groups", texts, "--kind", "brown", "--size", 20, "-o", "b.paths")
    assert result.code == 0
    read = BrownPaths.read("b.paths")
    expected = brown_clusters(demo().train.texts, 20)
    assert (read.bits, read.words) == (expected.bits, expected.words)
    again = run("groups", texts, "--kind", "brown:b.paths", "-o", "b.json")
    assert again.out.replace("saved    b.json", "saved    b.paths") == result.out
    wrong = run("groups", texts, "--kind", "lsi", "-o", "x.paths")
    assert (wrong.code, "only Brown clusters have paths" in wrong.err) == (2, True)


def test_show(run):
    topics = {"space": ["moon", "orbit"], "disks": ["disk"], "both": ["moon", "disk", "drive"]}
    Path("topics.json").write_text(json.dumps(topics), encoding="utf-8")
    result = run("groups", "show", "topics.json", "--top", 2)
    assert result.code == 0
    lines = [line.split() for line in result.out.splitlines()]
    assert ["groups", "3,", "overlapping"] in lines
    assert ["words", "4", "of", "4", "in", "a", "group"] in lines
    assert ["sizes", "1", "to", "3,", "median", "2,", "mean", "2.0"] in lines
    assert ["overlap", "1.50", "groups", "per", "word;", "50%", "of", "the", "words", "in", "several"] in lines
    assert ["space", "2", "moon,", "orbit"] in lines
    found = json.loads(run("groups", "show", "topics.json", "--json").out)
    assert found["sample"] == {name: sorted(own) for name, own in topics.items()}
    assert found["mean"] == 2.0


def test_a_cache_is_filled_and_used(run, texts, tmp_path, monkeypatch):
    first = run("groups", texts, "--kind", "lsi:3", "--cache", "kept", "--json")
    assert len(list((tmp_path / "kept").iterdir())) == 1
    monkeypatch.setattr(LSIGroups, "build", lambda *_: pytest.fail("built again"))
    assert run("groups", texts, "--kind", "lsi:3", "--cache", "kept", "--json") == first


def test_fit_keeps_groups(run, letters, tmp_path):
    options = ("--method", "gomp", "--groups", "lsi:3", "--budget", 20, "--folds", 2, "--group-cache", "kept")
    assert run("fit", letters, *options, "--out", "m").code == 0
    assert len(list((tmp_path / "kept").iterdir())) == 3  # of two folds and of all texts


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("lda:3", "topic "),
        ("brown:5", "cluster "),
        ("graph", "community "),
        ("ngrams", "history: "),
        ("constituents:trees.mrg", "constituent "),
        ("lexicon.csv:field", "harm"),
    ],
)
def test_fit_knows_every_kind(run, letters, kind, first):
    Path("trees.mrg").write_text("(S (A broken) (B (C leaking) (D street)))\n(S (A kind) (B thanks))", encoding="utf-8")
    Path("lexicon.csv").write_text("word,field\nbroken,harm\nleaking,harm\nkind,joy\n", encoding="utf-8")
    options = ("--method", "gomp", "--ngrams", "1-2", "--budget", 5, "--folds", 2, "--out", "m")
    result = run("fit", letters, "--groups", kind, *options)
    assert result.code == 0
    assert any(name.startswith(first) for name in load("m").model.groups.groups.names)


def test_features_are_chosen_as_in_fit(run, texts):
    found = json.loads(run("groups", texts, "--kind", "sentences:document", "--min-df", 3, "--json").out)
    assert found["vocabulary"] == len(BagOfWords(min_df=3).fit(demo().train.texts).vocabulary)
    assert found["source"] == "documents of texts.jsonl"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ((), 2, "Missing option '--kind'"),
        (("--kind", "topics"), 2, "no groups of the kind 'topics'; use sentences"),
        (("--kind", "sentences", "--size", 3), 2, "Groups of the kind 'sentences' take no size (3)."),
        (("--kind", "lsi:3", "--size", 4), 2, "The size of 'lsi:3' is given twice; the other one is 4."),
        (("--kind", "lsi", "--texts", "nope.txt"), 1, "There is no file of texts 'nope.txt'"),
        (("--kind", "lsi", "-o", "no/lsi.json"), 1, "cannot write no/lsi.json: the folder no does not exist"),
        (("--kind", "lsi", "-o", "."), 1, "--out . is a folder"),
        (("--kind", "lsi", "-o", "other.json"), 1, "other.json exists already"),
        (("--kind", "lsi", "-o", "-"), 2, "--out - is no file"),
        (("--kind", "lda:abc"), 2, "lda:N, lda:sklearn, lsi, lsi:N, brown, brown:N, brown:PATHS, graph, graph:leiden"),
    ],
)
def test_mistakes(run, texts, options, code, message):
    Path("other.json").write_text("{}", encoding="utf-8")
    result = run("groups", texts, *options)
    assert result.code == code
    assert message in " ".join(result.err.split())
    assert result.out == ""


def test_a_file_without_groups(run):
    result = run("groups", "show", "nope.json")
    assert result.code == 1
    assert "There is no file of groups 'nope.json'" in result.err


@pytest.mark.parametrize(
    ("kind", "out"),
    [
        ("lsi:3", "./texts.jsonl"),
        ("lsi:3", "more.txt"),
        ("brown:b.paths", "b.paths"),
        ("topics.json", "topics.json"),
        ("lexicon.csv:field", "lexicon.csv"),
    ],
)
def test_a_file_that_is_read_is_never_replaced(run, texts, kind, out):
    for name, content in (
        ("more.txt", "moon orbit\n"),
        ("b.paths", "0\tmoon\t2\n0\torbit\t1\n"),
        ("topics.json", '{"space": ["moon", "orbit"]}'),
        ("lexicon.csv", "word,field\nmoon,space\n"),
    ):
        Path(name).write_text(content, encoding="utf-8")
    before = Path(out).read_bytes()
    more = ("--texts", "more.txt") if out == "more.txt" else ()
    result = run("groups", texts, "--kind", kind, *more, "-o", out, "--force")
    assert result.code == 1
    assert f"--out {out} is the file that is read; choose another one" in result.err
    assert Path(out).read_bytes() == before


def test_show_brown_clusters(run, letters):
    Path("b.paths").write_text("00\tmoon\t7\n00\torbit\t3\n01\tdisk\t2\n1\tsoul\t9\n", encoding="utf-8")
    found = json.loads(run("groups", "show", "b.paths", "--json").out)
    assert found["sample"] == {
        "root: soul, moon, orbit": ["disk", "moon", "orbit", "soul"],
        "cluster 0: moon, orbit, disk": ["disk", "moon", "orbit"],
        "cluster 00: moon, orbit": ["moon", "orbit"],
    }
    assert "groups   3, tree" in run("groups", "show", "b.paths").out
    fitted = run("fit", letters, "--groups", "b.paths")
    assert (fitted.code, "use it as 'brown:b.paths'" in " ".join(fitted.err.split())) == (2, True)


def test_an_empty_group_is_refused(run):
    Path("a.json").write_text('{"b": ["moon"], "a": []}', encoding="utf-8")
    result = run("groups", "show", "a.json")
    assert (result.code, result.out) == (1, "")
    assert "a.json: the group 'a' is empty" in result.err


def test_vectors_of_zeros_are_refused(run, texts):
    words = BagOfWords().fit(demo().train.texts).vocabulary.words[:3]
    Path("v.txt").write_text("".join(f"{word} 0 0\n" for word in words), encoding="utf-8")
    result = run("groups", texts, "--kind", "vectors:v.txt")
    assert result.code == 1
    assert "vectors v.txt: all 3 of words in the vocabulary are zero" in " ".join(result.err.split())
