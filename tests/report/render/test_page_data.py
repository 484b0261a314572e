from laconic.core.summaries.summary import MarkedSentence, StructuredSummary
from laconic.report import html
from laconic.report.render.page_data import structured_data


def test_a_hostile_sentence_and_arcs(open_page):
    bad = "<img src=x onerror=\"document.title='run'\">"
    tree = MarkedSentence(
        (bad, "sang", "songs"), ("nsubj", "root", "obj"), ("nsubj", "root", "nmod"), (2, 0, 2), (2, 0, 1)
    )
    tags = MarkedSentence((bad, "sang"), ("N", "V"), (bad, "V"))
    for one in (tree, tags):
        summary = StructuredSummary(
            "T", "dependency parser", ("a",), 3, sentences=(one,), scores=({"name": "all", "las": 0.5, "count": 2},)
        )
        with open_page(html(summary)) as page:
            assert page.title() == "T"
            assert page.locator("#main img").count() == 0
            assert bad in page.locator("#sentences").text_content()
            if one.true_heads:
                assert page.locator("svg.tree .arc").count() == 4  # three, and the true one below a wrong one


def test_the_lead_and_the_facts_are_words():
    row = {"template": "word[0]", "kept": True, "norm": 1.23456789, "strength": None}
    scores = ({"name": "all tokens", "accuracy": 0.9}, {"name": "all spans", "f1": 0.972})
    summary = StructuredSummary(
        "", "sequence tagger", ("B", "O"), 1200, templates=(row,), corpus="10 sentences", scores=scores, size=2000
    )
    data = structured_data(summary)
    assert data["title"] == "A sequence tagger"
    assert data["lead"] == (
        "This sequence tagger predicts 2 tags. It uses 1 of 1 templates and has 1,200 non-zero weights. "
        "Its F1 on 10 sentences is 97.2%."
    )
    assert [(fact["name"], fact["value"]) for fact in data["facts"]] == [
        ("Task", "2 labels"), ("F1", "97.20%"), ("Templates kept", "1"), ("Weights", "1,200"), ("Size", "2 kB"),
    ]  # fmt: skip
    assert data["templates"][0]["norm"] == 1.2346


def test_long_sentences_are_cut_and_long_trees_left_out():
    words = ("word",) * 100
    tags = MarkedSentence(words, words, words)
    tree = MarkedSentence(words, words, words, (0,) * 100, (0,) * 100)
    (shown,) = structured_data(StructuredSummary("", "sequence tagger", ("a",), 1, sentences=(tags, tree)))["sentences"]
    assert (len(shown["words"]), shown["cut"]) == (80, 20)
