import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from laconic.core.summaries.explanation import Contribution, Explanation
from laconic.models import TextClassifier


def test_contributions_are_value_times_weight():
    assert Contribution("a", 2.0, (0.5, -1.0), ()).contributions == (1.0, -2.0)


def test_the_dictionary_survives_json_with_types():
    why = Explanation(
        label=True,
        classes=(False, True),
        probabilities=(0.25, 0.75),
        outputs=(True,),
        intercept=(0.5,),
        margins=(1.5,),
        words=(Contribution("lamp", 2.0, (0.5,), ((0, 4), (9, 13))),),
    )
    found = json.loads(json.dumps(why.to_dict()))
    assert found == why.to_dict()
    assert found["label"] is True
    assert found["probability"] == 0.75
    assert found["words"] == [
        {
            "word": "lamp",
            "value": 2.0,
            "weights": [0.5],
            "spans": [[0, 4], [9, 13]],
            "contributions": [1.0],
            "effect": 1.0,
        }
    ]


def three(probabilities=(0.5, 0.3, 0.2)):
    words = (Contribution("white", 1.0, (0.0, -1.4, 0.0), ((0, 5),)), Contribution("a", 1.0, (0.1, 0.1, 0.1), ()))
    return Explanation("x", ("x", "y", "z"), probabilities, ("x", "y", "z"), (0.2,) * 3, (0.3, -1.1, 0.3), words)


def test_a_word_without_a_weight_for_the_label_has_an_effect_on_its_log_odds():
    effects = {effect.word.word: effect.log_odds for effect in three().effects()}
    assert effects["white"] > 0.3
    assert effects["a"] == pytest.approx(0.0, abs=1e-12)  # for all classes alike
    assert three().effects("y")[0].log_odds == pytest.approx(-1.4)
    assert three().to_dict("y")["words"][0]["effect"] == three().effects("y")[0].log_odds


def test_labels_of_a_document_that_may_have_several_do_not_compete():
    assert [effect.log_odds for effect in replace(three(), several=True).effects()] == pytest.approx([0.1, 0.0])


def test_of_many_classes_the_likeliest_are_shown_and_the_explained_one():
    many = tuple(f"class {k:02d}" for k in range(20))
    shares = tuple((k + 1) / 210 for k in range(20))
    why = Explanation(many[0], many, shares, many, (0.0,) * 20, shares, ())
    assert why.likeliest() == (19, 18, 17, 16, 15, 14, 13, 0)
    assert three().likeliest() == (0, 1, 2)
    assert three(None).likeliest(2) == (0, 2)


def test_no_probability_without_probabilities():
    why = Explanation("a", ("a", "b"), None, ("b",), (-1.0,), (-1.0,), ())
    assert why.probability is None
    assert why.to_dict()["probabilities"] is None


def test_a_short_repr():
    word = Contribution("lamp", 2.0, (0.5,), ((0, 4),))
    why = Explanation("b", ("a", "b"), (0.25, 0.75), ("b",), (0.5,), (1.5,), (word,) * 100)
    assert repr(why) == "Explanation(label='b', probabilities=(0.25, 0.75), margins=(1.5,))"


TEXTS = ["broken <b>lamp", "broken bench", "kind thanks", "thanks again"]


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(page):
    found = Balanced()
    found.feed(page)
    assert found.open == []
    return found


def test_a_notebook_shows_the_text_with_its_words_marked_and_escaped():
    model = TextClassifier().fit(TEXTS, ["<i>repair</i>", "<i>repair</i>", "praise", "praise"])
    why = model.explain("The <script>lamp</script> is broken. Thanks & so on.")
    page = why._repr_html_()
    assert set(parsed(page).seen) == {"div", "span", "b"}
    assert "&lt;script&gt;" in page
    assert "<b>&lt;i&gt;repair&lt;/i&gt;</b>" in page
    assert page.count("border-bottom:2px solid") >= 1
    assert page.count("border-bottom:2px dashed") == 1
    assert len(why.sentences) == 2
    assert "text" not in why.to_dict()


def test_a_list_of_tokens_shows_its_words():
    model = TextClassifier(analyzer="tokens").fit([["a<"], ["b"]], ["x", "y"])
    page = model.explain(["a<"])._repr_html_()
    parsed(page)
    assert "a&lt;" in page
