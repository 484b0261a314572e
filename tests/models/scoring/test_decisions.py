import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.core.calibration import Calibration
from laconic.models.scoring.decisions import (
    decide,
    explained,
    log_odds,
    log_probability,
    most_likely,
    named,
    probabilities,
)

MARGINS = st.floats(-1000, 1000)


@given(MARGINS)
def test_one_document_of_two_classes_equals_a_batch(margin):
    number, shares = decide(margin)
    assert number == most_likely(np.array([margin]))[0]
    assert shares == pytest.approx(probabilities(np.array([margin]))[0].tolist(), abs=1e-15)


@given(st.lists(MARGINS, min_size=3, max_size=3))
def test_one_document_of_three_classes_equals_a_batch(margins):
    number, shares = decide(np.array(margins))
    assert number == most_likely(np.array([margins]))[0]
    assert shares == tuple(probabilities(np.array([margins]))[0])
    assert sum(shares) == pytest.approx(1.0)


def test_a_tie_goes_to_the_first_class():
    assert decide(0.0)[0] == 0
    assert most_likely(np.array([0.0]))[0] == 0
    assert decide(np.zeros(3))[0] == 0


@given(st.lists(st.floats(-800, 800), min_size=3, max_size=3))
def test_log_probabilities(margins):
    every = np.array(margins)
    expected = every - every.max() - np.log(np.exp(every - every.max()).sum())
    np.testing.assert_allclose([log_probability(every, k) for k in range(3)], expected, atol=1e-9)
    np.testing.assert_allclose(log_probability(margins[0], 1), -np.logaddexp(0.0, -margins[0]), atol=1e-9)


@given(st.lists(st.floats(-4, 4), min_size=3, max_size=3))
def test_log_odds(margins):
    every = np.array(margins)
    shares = np.exp(every) / np.exp(every).sum()
    np.testing.assert_allclose([log_odds(every, k) for k in range(3)], np.log(shares / (1 - shares)), atol=1e-6)
    np.testing.assert_allclose([log_odds(margins[0], k) for k in (0, 1)], [-margins[0], margins[0]], atol=1e-9)


def test_far_margins_keep_their_logarithm():
    assert log_probability(-1000.0, 1) == -1000.0
    assert log_odds(-1000.0, 1) == -1000.0


def test_a_document_without_a_label_is_explained_by_the_most_likely():
    strict = Calibration(thresholds=(0.9, 0.9))
    assert most_likely(np.array([1.0]), strict).tolist() == [-1]
    assert explained(np.array([1.0]), strict) == 1
    assert named(np.array(["a", "b"]), np.array([1, -1])).tolist() == ["b", None]
