import json

from laconic.core.summaries.explanation import Contribution, Explanation


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
        {"word": "lamp", "value": 2.0, "weights": [0.5], "spans": [[0, 4], [9, 13]], "contributions": [1.0]}
    ]


def test_no_probability_without_probabilities():
    why = Explanation("a", ("a", "b"), None, ("b",), (-1.0,), (-1.0,), ())
    assert why.probability is None
    assert why.to_dict()["probabilities"] is None


def test_a_short_repr():
    word = Contribution("lamp", 2.0, (0.5,), ((0, 4),))
    why = Explanation("b", ("a", "b"), (0.25, 0.75), ("b",), (0.5,), (1.5,), (word,) * 100)
    assert repr(why) == "Explanation(label='b', probabilities=(0.25, 0.75), margins=(1.5,))"
