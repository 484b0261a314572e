"""`compare`: all models against the first."""

import pytest

from laconic.evaluate import compare, holm, mcnemar, sign_test

Y = [0, 1] * 20
PREDICTIONS = {"half": [0] * 40, "good": [0, 1] * 18 + [1, 0] * 2, "best": Y}


def test_it_is_the_tests_one_by_one():
    first, good, best = compare(Y, PREDICTIONS)
    assert (first.name, first.difference, first.holm) == ("half", None, None)
    assert (good.wins, good.losses) == (18, 2)
    assert good.sign == sign_test(Y, PREDICTIONS["good"], PREDICTIONS["half"]).p_value
    raw = [mcnemar(Y, PREDICTIONS[name], PREDICTIONS["half"]).p_value for name in ("good", "best")]
    assert [good.mcnemar, best.mcnemar] == raw
    assert [good.holm, best.holm] == holm(raw)
    assert best.difference.value == 0.5
    assert good.to_dict()["accuracy"]["value"] == 0.9


def test_nothing_to_compare():
    with pytest.raises(ValueError, match="nothing to compare"):
        compare(Y, {})
