from dataclasses import replace

import pytest

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.explanation import Contribution, Explanation
from laconic.core.summaries.summary import ClassRow, Example, Scores, Summary, WordWeight
from laconic.report import markdown
from laconic.report.render.markdown import MOST_WORDS


@pytest.fixture
def summary():
    word = Contribution("a|b", 1.0, (2.0,), ((0, 3),))
    why = Explanation("yes", ("no", "yes"), (0.1, 0.9), ("yes",), (0.0,), (2.0,), (word,))
    rows = (
        Contender("ridge", 0.0, 1.0, 0.9, 0.01, 0.8, 500, float("inf"), 0.5),
        Contender("lasso", 2.0, 0.0, 0.9, 0.01, 0.8, 2, 1e-7, 0.5, True),
    )
    classes = (ClassRow("no", 1.0, 0.5, 2 / 3, 4), ClassRow("yes", 0.5, 1.0, 2 / 3, 2))
    return Summary(
        "A *title*",
        ("no", "yes"),
        ("yes",),
        (WordWeight("a|b", (2.0,)), WordWeight("c", (-1.0,))),
        (0.0,),
        500,
        1e-7,
        {},
        Comparison("macro_f1", "dev", "Lasso is small.", rows),
        Scores("held_out", 6, {"macro_f1": 2 / 3}, classes, ((2, 2), (0, 2))),
        (Example("d1", "a|b is here.\nAnd more.", "yes", why, ((0, 12, 2.0), (13, 22, 0.0))),),
    )


def test_all_parts_in_order(summary):
    text = markdown(summary)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# A \\*title\\*", "## Comparison", "## Words", "## Scores on held\\_out", "## Why: d1"]
    assert "2 of 500 words (0.40%) for 2 classes; relative duality gap 1.0e-07." in text
    assert "| **kept** | lasso | 2 | 0 | 0.900 ± 0.010 | 0.800 | 2 | 1.0e-07 | 0.5 |" in text
    assert "|  | ridge | 0 | 1 | 0.900 ± 0.010 | 0.800 | 500 | none | 0.5 |" in text
    assert "| c | +1.000 | a\\|b | +2.000 |" in text
    assert "| no | 2 | 2 |" in text
    assert "- +2.00  **a\\|b is here.**" in text
    assert "- +0.00  And more." in text
    assert text.endswith("a\\|b.\n")


def test_every_row_of_a_table_has_as_many_cells_as_its_header(summary):
    width = None
    for line in markdown(summary).splitlines():
        if not line.startswith("|"):
            width = None
            continue
        cells = line.replace("\\|", "").count("|")
        width = width or cells
        assert cells == width


def test_long_lists_are_cut_and_say_so():
    words = tuple(WordWeight(f"w{i}", (1.0 + i,)) for i in range(MOST_WORDS + 3))
    text = markdown(Summary("", ("no", "yes"), ("yes",), words, (0.0,), 100, float("inf")))
    assert text.startswith("# Model\n")
    assert "no certificate" in text
    assert "Not shown: 3 of yes." in text
    assert "| w27 |" in text
    assert "| w2 |" not in text


def test_a_model_without_words_and_a_text_without_known_words():
    why = Explanation("no", ("no", "yes"), None, ("yes",), (-1.0,), (-1.0,), ())
    example = Example("e", "", None, why)
    text = markdown(Summary("t", ("no", "yes"), ("yes",), (), (-1.0,), 9, 0.0, examples=(example,)))
    assert "| no | weight | yes | weight |" in text
    assert "No word of it is in the model." in text


def test_metrics_that_cannot_be_computed_are_named_with_the_reason(summary):
    scores = replace(summary.scores, undefined={"log_loss": "there are no probabilities."})
    assert "\n\nNo log\\_loss: there are no probabilities.\n\n" in markdown(replace(summary, scores=scores))


def test_score_against_words_is_a_table_and_doubts_are_bold(summary):

    def point(method, score, error, words, **more):
        return Contender(method, 0.0, 0.0, score, error, None, words, float("inf"), **more)

    points = (
        point("always 'a'", 0.9, 0.0, 0, also={"accuracy": 0.9, "macro_f1": 0.45}, gain=0.0),
        point("omp", 0.9, 0.01, 20, also={"accuracy": 0.9, "macro_f1": 0.8}, gain=0.0, half=0.0, chosen=True),
        point("ridge", 0.95, 0.01, 1234, also={"accuracy": 0.95, "macro_f1": 0.9}, gain=0.05, half=0.01),
    )
    rows = (Contender("omp", 0.0, 0.1, 0.9, 0.01, None, 20, float("inf"), budget=20, chosen=True),)
    text = markdown(replace(summary, comparison=Comparison("accuracy", "dev", "So.", rows, points)))
    assert "|  | always 'a' | 0 | 0 | 0.900 ± 0.000 | 0 | none |" in text
    assert "**The model is not surely better than always 'a': accuracy 0.900 against 0.900 (dev).**" in text
    assert "| **kept** | omp | 20 | 0.900 ± 0.010 | 0.800 |  |" in text
    assert "|  | ridge | 1,234 | 0.950 ± 0.010 | 0.900 | +5.0 \\[+4.0, +6.0\\] |" in text
