"""What a command learns from a file is what the estimator learns from its sentences, byte for byte."""

import pytest

from laconic import DependencyParser, SequenceTagger
from laconic.core.folder import TIMINGS
from laconic.data.annotated.tagged_files import read_tagged
from laconic.data.annotated.treebank import read_treebank
from laconic.models import load
from laconic.workflows.learned import LearnJob
from laconic.workflows.parse import fit_parser
from laconic.workflows.tag import TagFormat, fit_tagger
from laconic.workflows.watch import Watch
from tests.cli.test_tag import column_file
from tests.structured.trees import as_conllu, planted_trees


def contents(folder):
    """Return the files of a model but the timings, by name."""
    assert (folder / TIMINGS).is_file()
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != TIMINGS}


@pytest.mark.parametrize("budget", [None, 4])
def test_a_tagger_of_the_command_is_that_of_the_estimator(run, tmp_path, budget):
    train = column_file(tmp_path / "train.conll", 60)
    options = [] if budget is None else ["--budget", budget]
    assert run("tag", "fit", train, "--templates", "crfsuite", "--passes", 2, *options, "--out", "a").code == 0
    sentences, tags, _ = read_tagged(train)
    tagger = SequenceTagger(["crfsuite"], budget, passes=2).fit(sentences, tags)
    extra = load(tmp_path / "a").info["extra"]
    assert extra["columns"] == ["word", "pos"]
    tagger.save(tmp_path / "b", extra=extra)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.parametrize("budget", [None, 5])
def test_a_parser_of_the_command_is_that_of_the_estimator(run, tmp_path, budget):
    train = tmp_path / "train.conllu"
    train.write_text(as_conllu(*planted_trees(40)), encoding="utf-8")
    options = [] if budget is None else ["--budget", budget, "--every", 20]
    assert run("parse", "fit", train, "--templates", "small", "--passes", 2, *options, "--out", "a").code == 0
    treebank = read_treebank(train)
    parser = DependencyParser(["small"], budget, passes=2, every=20 if budget else 1000)
    parser.fit(treebank.sentences, treebank.arcs).save(tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_workflows_tell_how_they_go_on_and_print_nothing(tmp_path, capfd):
    heard, said = [], []
    watch = Watch()
    watch.advance = lambda done, total, note="": heard.append((done, total))
    watch.say = said.append
    train = column_file(tmp_path / "train.conll", 20)
    settings = {"templates": ["word[0]"], "passes": 2}
    learned = fit_tagger(LearnJob(str(train), tmp_path / "t", settings, dev=str(train)), TagFormat(), watch)
    assert learned.to_dict() == {
        "saved": str(tmp_path / "t"),
        "templates": 1,
        "weights": learned.model.n_weights,
        "dev": learned.scores.to_dict(),
    }
    assert heard[0] == (0, None)
    assert heard[-1][0] == heard[-1][1]
    assert said == [f"{train}: 20 sentences, {learned.scores.tokens} tokens, 1 templates"]
    trees = tmp_path / "train.conllu"
    trees.write_text(as_conllu(*planted_trees(10)), encoding="utf-8")
    fit_parser(LearnJob(str(trees), tmp_path / "p", {"templates": ["small"], "passes": 1}))
    assert capfd.readouterr() == ("", "")


def test_a_place_that_is_taken_is_refused_before_the_files_are_read(tmp_path):
    (tmp_path / "t").mkdir()
    for fit, rest in ((fit_tagger, (TagFormat(),)), (fit_parser, ())):
        settings = {"templates": ["word[0]" if fit is fit_tagger else "small"]}
        with pytest.raises(FileExistsError, match="overwrite=True"):
            fit(LearnJob("nothing", tmp_path / "t", settings), *rest)
