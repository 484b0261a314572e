import pytest

from laconic.report import html, summarize, summarize_tagger
from laconic.structured import SequenceTagger
from laconic.structured.tagging.scores import score_tags
from tests.structured.conftest import planted_sentences

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
