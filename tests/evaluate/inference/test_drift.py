import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from laconic.evaluate.inference.drift import drift

numbers = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 40), st.floats(0.0, 2.0)), min_size=1, max_size=8)


@settings(deadline=None)
@given(numbers)
def test_words_changed_are_those_of_the_test_of_two_shares(rows):
    before, now, strength = (np.array(one, dtype=float) for one in zip(*rows, strict=True))
    found = drift(before, 80, now, 40, strength)
    p_values = []
    for a, b in zip(before, now, strict=True):
        table = np.array([[a, 80 - a], [b, 40 - b]])
        # the squared z of two proportions is the chi-square of the table
        p_values.append(chi2_contingency(table, correction=False)[1] if table.sum(axis=0).min() > 0 else 1.0)
    # Holm, step by step
    order = np.argsort(p_values)
    slow = set()
    for step, j in enumerate(order):
        if p_values[j] * (len(rows) - step) >= 0.01:
            break
        slow.add(int(j))
    assert set(found.changed) == slow
    heard = float(strength @ (before / 80))
    effect = sum(strength[j] * abs(now[j] / 40 - before[j] / 80) for j in slow)
    assert found.value == pytest.approx(effect / heard if heard else 0.0)


def test_the_same_source_seldom_drifts():
    rng = np.random.default_rng(0)
    p = rng.random(50) * 0.3
    drifts = [
        drift(rng.binomial(2000, p).astype(float), 2000, rng.binomial(300, p).astype(float), 300, np.ones(50)).value
        for _ in range(100)
    ]
    assert np.count_nonzero(drifts) <= 5


def test_a_model_without_words_hears_nothing():
    assert drift(np.zeros(0), 10, np.zeros(0), 10, np.zeros(0)).value == 0.0
