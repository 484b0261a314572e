import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.core.calibration import Calibration, linked, log_odds

shares = st.floats(0.01, 1.0)


def chosen_slowly(row, thresholds):
    """The rule in words, one document at a time."""
    reached = [(q / t, -k) for k, (q, t) in enumerate(zip(row, thresholds, strict=True)) if t is not None and q >= t]
    if reached:
        return -max(reached)[1]
    free = [(q, -k) for k, (q, t) in enumerate(zip(row, thresholds, strict=True)) if t is None]
    return -max(free)[1] if free else -1


@given(st.lists(shares, min_size=2, max_size=5), st.data())
def test_the_rule_of_thresholds(weights, data):
    row = np.array(weights) / sum(weights)
    thresholds = tuple(data.draw(st.lists(st.none() | st.floats(0.01, 1.0), min_size=len(row), max_size=len(row))))
    found = Calibration(thresholds=thresholds).choose(row[None])
    assert found.tolist() == [chosen_slowly(row.tolist(), thresholds)]


def test_without_thresholds_the_most_likely_class_is_chosen():
    Q = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]])
    assert Calibration().choose(Q).tolist() == [1, 0]


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3), st.floats(0.1, 3), st.floats(-2, 2))
def test_a_sigmoid_is_a_softmax_of_scaled_margins(f, scale, shift):
    found = Calibration("sigmoid", (scale,) * 3, (shift, 0.0, 0.5)).probabilities(np.array([f]))
    odds = np.exp(scale * np.array(f) + np.array([shift, 0.0, 0.5]))
    np.testing.assert_allclose(found[0], odds / odds.sum(), rtol=1e-12)


def test_isotonic_curves_are_read_at_the_log_odds():
    curve = ((-1.0, 0.0, 2.0), (0.1, 0.3, 0.9))
    two = Calibration("isotonic", curves=(curve,)).probabilities(np.array([-7.0, -0.5, 1.0, 9.0]))
    np.testing.assert_allclose(two[:, 1], [0.1, 0.2, 0.6, 0.9])
    np.testing.assert_allclose(two.sum(axis=1), 1.0)
    F = np.array([[0.3, -1.0, 2.0]])
    P = np.exp(F[0]) / np.exp(F[0]).sum()
    read = np.interp(np.log(P / (1 - P)), *curve)
    three = Calibration("isotonic", curves=(curve,) * 3).probabilities(F)
    np.testing.assert_allclose(three[0], read / read.sum(), rtol=1e-12)
    np.testing.assert_allclose(log_odds(F)[0], np.log(P / (1 - P)), rtol=1e-12)


def test_a_prior_is_bayes_rule():
    F = np.array([[0.2, 1.0, -0.4]])
    old, new = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.1, 0.8])
    found = Calibration(prior=tuple(new / old)).probabilities(F)
    likelihood = linked(F)[0] / old
    np.testing.assert_allclose(found[0], likelihood * new / (likelihood * new).sum(), rtol=1e-12)


def test_several_labels_have_probabilities_of_their_own():
    F = np.array([[0.0, 3.0]])
    one = Calibration("sigmoid", (1.0, 2.0), (0.5, -1.0), several=True, thresholds=(0.7, None))
    Q = one.probabilities(F)
    np.testing.assert_allclose(Q[0], 1 / (1 + np.exp(-np.array([0.5, 5.0]))), rtol=1e-12)
    assert one.has(Q).tolist() == [[False, True]]
    rarer = Calibration(prior=(0.5, 1.0), several=True).probabilities(F)
    np.testing.assert_allclose(rarer[0] / (1 - rarer[0]), [0.5, np.exp(3.0)], rtol=1e-9)


def test_json_brings_it_back():
    whole = Calibration("isotonic", curves=(((0.0, 1.0), (0.2, 0.8)),), prior=(2.0, 0.5), thresholds=(None, 0.9))
    assert Calibration.from_json(json.loads(json.dumps(whole.to_json()))) == whole


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "magic"}, "no calibration 'magic'"),
        ({"kind": "sigmoid", "scale": (-1.0,), "shift": (0.0,)}, "scale at least 0"),
        ({"kind": "isotonic", "curves": (((1.0, 0.0), (0.1, 0.2)),)}, "must rise"),
        ({"kind": "isotonic", "curves": (((0.0, 1.0), (0.1, 1.2)),)}, "from 0 to 1"),
        ({"thresholds": (0.0, None)}, "thresholds of a calibration must be positive"),
        ({"prior": (float("nan"), 1.0)}, "prior of a calibration must be positive"),
    ],
)
def test_wrong_numbers_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Calibration(**wrong)


def test_a_calibration_of_another_model_is_refused():
    with pytest.raises(ValueError, match="with 3 outputs"):
        Calibration("sigmoid", (1.0,), (0.0,)).check(3, 3)
    with pytest.raises(ValueError, match="fit 3 classes"):
        Calibration(thresholds=(0.5, None)).check(3, 3)
