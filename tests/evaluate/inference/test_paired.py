"""Paired tests against enumeration and against scipy."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from laconic.evaluate import holm, mcnemar, sign_test

labels = st.lists(st.tuples(*[st.sampled_from("ab")] * 3), min_size=1, max_size=12)


def enumerated(wins, losses):
    """P(K ≥ wins): the share of all ways in which the deciding documents could have fallen."""
    ways = list(product((0, 1), repeat=wins + losses))
    return np.mean([sum(way) >= wins for way in ways])


@given(labels)
def test_against_enumeration(rows):
    truth, first, second = map(list, zip(*rows, strict=True))
    wins = sum(a == t != b for t, a, b in rows)
    losses = sum(b == t != a for t, a, b in rows)
    found = sign_test(truth, first, second)
    assert (found.wins, found.losses) == (wins, losses)
    assert found.p_value == pytest.approx(enumerated(wins, losses))
    two = mcnemar(truth, first, second).p_value
    assert two == pytest.approx(min(1.0, 2 * enumerated(max(wins, losses), min(wins, losses))))
    if wins + losses:
        assert two == pytest.approx(binomtest(wins, wins + losses).pvalue)
    assert mcnemar(truth, second, first).p_value == two


def test_models_that_agree_are_not_told_apart():
    y = [0, 1, 1]
    assert sign_test(y, y, y).p_value == mcnemar(y, y, y).p_value == 1.0


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_against_its_step_down(p_values):
    """Holm's procedure itself: a hypothesis is rejected at a level exactly if its adjusted value is at most that."""
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.3):
        rejected, left = set(), sorted(range(len(p_values)), key=lambda i: p_values[i])
        for step, i in enumerate(left):
            if p_values[i] * (len(p_values) - step) > level:
                break
            rejected.add(i)
        assert {i for i, p in enumerate(adjusted) if p <= level} == rejected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [1], [1, 0]), "2 true labels but 1 predictions of model 1"),
        (([1, 0], [1, 0], ["1", "0"]), "strings never equal numbers"),
        (([], [], []), "y_true has no labels"),
    ],
)
def test_wrong_labels(arguments, message):
    with pytest.raises(ValueError, match=message):
        sign_test(*arguments)


def test_wrong_p_values():
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, float("nan")])
