from dataclasses import replace

import pytest

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.summary import ClassRow, Making, Scores, Selection, Summary, WordWeight
from laconic.report.render.headline import facts, lead


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
