import json

import pytest

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.explanation import Contribution, Explanation
from laconic.core.summaries.summary import Example, Scores, Summary, WordWeight


def three_classes():
    words = (WordWeight("a", (0.5, -3.0, 0.0)), WordWeight("b", (2.0, 0.0, 0.0)), WordWeight("c", (-0.5, 0.0, 1.0)))
    return Summary("three", (1, 2, 3), (1, 2, 3), words, (0.0, 0.1, 0.2), 10, float("inf"))


def two_classes():
    words = (WordWeight("a", (-3.0,)), WordWeight("b", (2.0,)), WordWeight("c", (-0.5,)))
    return Summary("two", ("no", "yes"), ("yes",), words, (0.3,), 0, 1e-8)


def explanation(label, outputs, *words):
    return Explanation(label, ("no", "yes"), None, outputs, (0.0,), (0.0,), words)


def test_of_two_classes_each_word_speaks_for_one():
    summary = two_classes()
    assert summary.words_for("no") == [("a", 3.0), ("c", 0.5)]
    assert summary.words_for("yes") == [("b", 2.0)]


def test_a_weight_counts_as_often_as_its_word():
    words = (
        WordWeight("a", (3.0,), 2),
        WordWeight("b", (2.0,), 4),
        WordWeight("c", (8.0,), 1),
        WordWeight("d", (4.0,)),
    )
    summary = Summary("two", ("no", "yes"), ("yes",), words, (0.3,), 0, 1e-8)
    assert summary.words_for("yes") == [("b", 2.0), ("c", 8.0), ("a", 3.0), ("d", 4.0)]


def test_of_more_classes_a_word_may_speak_against_one():
    summary = three_classes()
    assert summary.words_for(1) == [("b", 2.0), ("a", 0.5), ("c", -0.5)]
    assert summary.words_for(2) == [("a", -3.0)]


def test_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match="no class 'maybe'; its classes are 'no', 'yes'"):
        two_classes().words_for("maybe")


def test_share_of_nothing_is_nothing():
    assert two_classes().share == 0.0
    assert three_classes().share == 0.3


def test_the_chosen_contender():
    rows = [Contender(name, 0.0, 1.0, 0.9, 0.01, None, 5, 1e-7, chosen=name == "b") for name in "ab"]
    assert Comparison("accuracy", "dev", "", tuple(rows)).chosen.method == "b"


def test_the_telling_sentence_is_the_one_that_pulls_most():
    why = explanation("yes", ("yes",))
    assert Example("1", "a b c", "yes", why, ((0, 1, 0.2), (2, 3, 0.7), (4, 5, -1.0))).telling == 1
    assert Example("1", "a b", "yes", why, ((0, 1, 0.0), (2, 3, -0.7))).telling is None
    assert Example("1", "", "yes", why).telling is None


def test_everything_can_be_written_as_json():
    row = Contender("ridge", 0.0, 1.0, 0.9, 0.01, None, 5, 1e-7, 0.1, True)
    word = Contribution("w", 2.0, (1.5,), ((0, 1),))
    summary = Summary(
        "t",
        ("no", "yes"),
        ("yes",),
        (WordWeight("w", (1.5,)),),
        (0.0,),
        4,
        1e-8,
        {"method": "ridge"},
        Comparison("accuracy", "dev", "why", (row,)),
        Scores("c", 1, {"accuracy": 1.0}, (), ()),
        (Example("1", "w", "yes", explanation("yes", ("yes",), word), ((0, 1, 3.0),)),),
    )
    found = json.loads(json.dumps(summary.to_dict()))
    assert found["share"] == 0.25
    assert found["comparison"]["contenders"][0]["words"] == 5
    assert found["examples"][0]["explanation"]["words"][0]["contributions"] == [3.0]
    assert found["scores"]["metrics"] == {"accuracy": 1.0}
