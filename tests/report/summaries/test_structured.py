from types import SimpleNamespace

import numpy as np
import pytest

from laconic.core.summaries.summary import MarkedSentence
from laconic.report import html, summarize, summarize_parser, summarize_tagger
from laconic.report.summaries.structured import MOST_CONFUSIONS, folder_size, scored, unscored
from laconic.structured import DependencyParser, SequenceTagger
from laconic.structured.scores import score_tags, score_trees
from tests.structured.conftest import planted_sentences
from tests.structured.trees import planted_trees


def summary(**info):
    scorer = SimpleNamespace(info=info, model=SimpleNamespace(n_weights=7))
    return unscored(scorer, "Chunks", None, kind="sequence tagger", labels=("B", "O"))


def marked(i):
    return MarkedSentence((f"word {i}",), ("B",), ("O",))


def test_what_the_folder_says_is_kept():
    found = summary(memory=[3, 2], settings={"passes": 2}, extra={}, kind="x")
    assert (found.weights, found.memory, found.configuration, found.size) == (
        7,
        (3, 2),
        {"settings": {"passes": 2}},
        None,
    )


def test_the_worst_sentences_come_first_and_the_most_frequent_confusions():
    labels = ["B", "B", "O", "O", "O"], ["O", "B", "B", "B", "O"]
    found = scored(summary(), "test.conll", [{"name": "all tokens"}], labels, [0, 2, 1], marked, 2)
    assert found.corpus == "3 sentences of test.conll"
    assert found.confusions == (("O", "B", 2), ("B", "O", 1))
    assert [one.words for one in found.sentences] == [("word 1",), ("word 2",)]
    many = [str(i) for i in range(50)]
    assert len(scored(summary(), "", [], (many, ["x"] * 50), [0], marked, 0).confusions) == MOST_CONFUSIONS


def test_the_size_of_a_folder(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "b").write_bytes(b"1")
    assert folder_size(tmp_path) == 6


TEMPLATES = ["word[0]", "pos[0]", "word[-1]", "pos[-1]", "suffix2[0]", "pos[0] & word[-1]"]


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(templates=TEMPLATES, budget=2, passes=2).fit(*planted_sentences(60))


@pytest.fixture(scope="module")
def held_out():
    sentences, tags = planted_sentences(40, seed=1)
    tags = [list(one) for one in tags]
    tags[7][0] = "O"  # one mistake for sure
    return sentences, tags


def test_templates_features_scores_and_the_worst_sentences(tagger, held_out):
    summary = summarize_tagger(tagger, held_out, name="held out", sentences=3)
    assert [row["template"] for row in summary.templates if row["kept"]] == sorted(
        (str(one) for one in tagger.model_.templates),
        key=lambda name: -dict(zip(map(str, tagger.model_.templates), tagger.model_.norms.tolist(), strict=True))[name],
    )
    assert {row["template"] for row in summary.templates} == set(TEMPLATES)
    scores = score_tags(held_out[1], tagger.predict(held_out[0]))
    assert summary.scores[0]["accuracy"] == scores.accuracy < 1.0
    assert summary.scores[1]["f1"] == scores.overall.f1
    wrong = [sum(a != b for a, b in zip(one.true, one.predicted, strict=True)) for one in summary.sentences]
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[0] >= 1
    assert sum(n for *_, n in summary.confusions) == round((1 - scores.accuracy) * scores.tokens)
    names = [row["template"] for row in summary.templates]
    assert (names.index("pos[0]"), names.index("word[0]")) in summary.edges
    assert summarize(tagger, held_out).scores == summary.scores
    assert summary.to_dict()["kind"] == "sequence tagger"


def test_the_page_of_a_tagger(open_page, tagger, held_out):
    summary = summarize_tagger(tagger, held_out, title="Chunks", sentences=5)
    with open_page(html(summary)) as page:
        rows = page.locator("#templates tbody tr")
        assert rows.count() == len(TEMPLATES)
        assert page.locator("#templates td", has_text="kept").count() == 2
        page.locator("#templates summary").click()
        assert page.locator(".hasse rect").count() == len(TEMPLATES)
        page.select_option("#features select", "B-VP")
        assert page.locator("#features tbody tr").count() == len(summary.features["B-VP"])
        first = summary.features["B-VP"][0]
        page.fill("#features input", " ".join(first["values"]))
        assert first["template"] in page.locator("#features tbody").inner_text()
        cells = page.locator("#transitions tbody tr").count()
        assert cells == len(summary.labels) + 1
        page.select_option("#sentences select", "wrong")
        shown = page.locator("#sentences .document").count()
        assert shown == sum(one.true != one.predicted for one in summary.sentences) >= 1
        assert page.locator(".token.bad").count() >= 1
        assert page.locator("#how-it-was-made svg").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_parser_with_its_worst_trees(open_page):
    parser = DependencyParser(templates="small", passes=2).fit(*planted_trees(40))
    sentences, trees = planted_trees(20, seed=1)
    trees = [list(tree) for tree in trees]
    trees[3][0] = (len(trees[3]), "dep")  # one mistake for sure
    summary = summarize_parser(parser, (sentences, trees), sentences=4)
    scores = score_trees(sentences, np.array([head for tree in trees for head, _ in tree]), parser.parse(sentences)[0])
    assert summary.scores[0]["uas"] == scores.all.uas < 1.0
    assert summary.sentences[0].true_heads != summary.sentences[0].predicted_heads
    assert summarize(parser, (sentences, trees)).scores == summary.scores
    with open_page(html(summary)) as page:
        assert page.locator("svg.tree").count() == 4
        assert page.locator("svg.tree >> nth=0").locator(".arc.bad").count() >= 1
        assert page.locator("#features option").first.inner_text() == "an arc"
        assert "las" in page.locator("#errors").inner_text()
