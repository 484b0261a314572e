from dataclasses import replace

import pytest

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.summary import (
    ClassRow,
    Making,
    MarkedSentence,
    Scores,
    Selection,
    StructuredSummary,
    Summary,
    WordWeight,
)
from laconic.report import html
from laconic.report.render.page_data import facts, lead, structured_data


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


@pytest.fixture
def summary():
    words = (WordWeight("lamp", (1.5,)), WordWeight("thanks", (-1.0,)))
    made = {"method": "lasso", "l1": 2.0, "documents": 216, "trained_on": "letters"}
    return Summary("", ("complaint", "praise"), ("praise",), words, (0.1,), 1714, 1e-7, made)


def values(summary):
    return {fact["name"]: (fact["value"], fact["note"]) for fact in facts(summary)}


def test_the_lead_says_what_the_model_does(summary):
    says = "This model separates complaint and praise using 2 of the 1,714 words in its training data."
    assert lead(summary) == says
    scores = Scores("letters", 72, {"accuracy": 0.97222}, (), ())
    assert lead(replace(summary, scores=scores)) == f"{says} It classifies 97.2% of the 72 test documents correctly."
    several = replace(summary, classes=("a", "b", "c"), several=True)
    assert lead(several).startswith("This model assigns any of the labels a, b and c using")
    assert lead(replace(summary, classes=tuple("abcde"))).startswith("This model separates 5 classes using")


def test_facts_of_a_certified_and_of_a_greedy_model(summary):
    found = values(summary)
    assert found["Task"] == ("2 classes", "complaint, praise")
    assert found["Words kept"] == ("2", "0.12% of the 1,714 words in the training data")
    assert found["Certificate"] == (
        "1.0e-07", "relative duality gap: provably within this relative distance of the optimum",
    )  # fmt: skip
    assert found["Trained on"] == ("216 documents", "letters")
    assert found["How it was chosen"] == ("lasso", "λ₁ = 2")
    greedy = values(replace(summary, gap=float("inf")))
    assert greedy["Certificate"] == ("none", "greedy selection: no optimality guarantee")


@pytest.mark.parametrize(("size", "share"), [(2, "100"), (3, "67"), (40, "5"), (1714, "0.12")])
def test_the_share_of_words_is_written_out(summary, size, share):
    found = values(replace(summary, vocabulary_size=size))
    assert found["Words kept"] == ("2", f"{share}% of the {size:,} words in the training data")


def test_scores_come_before_tuning(summary):
    contender = Contender("lasso", 2.0, 0.0, 0.9, 0.01, None, 2, 1e-7, chosen=True)
    tuned = replace(summary, comparison=Comparison("macro_f1", "dev", "Lasso is small.", (contender,)))
    assert values(tuned)["Macro f1"] == ("0.900 ± 0.010", "dev; ± one standard error")
    assert values(tuned)["How it was chosen"] == ("lasso", "λ₁ = 2; Lasso is small.")
    always = replace(contender, method="always 'a'", score=0.4)
    beside = replace(tuned, comparison=replace(tuned.comparison, frontier=(always,)))
    assert values(beside)["Macro f1"][1] == "dev; ± one standard error; always 'a': 0.400"
    row = ClassRow("praise", 1.0, 1.0, 1.0, 72)
    scores = Scores("letters", 72, {"accuracy": 0.9}, (row,), (), intervals={"accuracy": (0.85, 0.95)})
    found = values(replace(tuned, scores=scores))
    interval = "95% interval 0.850 to 0.950; on 72 documents of letters"
    assert found["Accuracy"] == ("0.900", f"{interval}; always praise: 1.000")
    rows = (replace(row, documents=30), replace(row, label="complaint", documents=42))
    assert values(replace(tuned, scores=replace(scores, classes=rows)))["Accuracy"][1].endswith(
        "; always complaint: 0.583"
    )
    assert "Macro f1" not in found


def test_groups_and_costs(summary):
    full = replace(summary, selection=Selection("sentences", 3, 997), making=Making({}, size=12_345, seconds=0.5))
    assert values(full)["Groups kept"] == ("3", "of 1,000; sentences")
    assert values(full)["Size, time to train"][0] == "12 kB, 0.5 s"
    assert values(replace(full, making=Making({}, size=2_500_000)))["Size"][0] == "2.5 MB"
