import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from laconic.evaluate.calibration.calibrators import fit_calibration, fit_calibration_of_several


def drawn(n_classes, n=400, seed=0, steep=3.0):
    """Margins that are too sure of themselves, and classes by the true probabilities."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=(n, n_classes)) * 1.5
    odds = np.exp(true - true.max(axis=1, keepdims=True))
    codes = np.array([rng.choice(n_classes, p=row / row.sum()) for row in odds])
    margins = steep * true
    return (margins[:, 1] - margins[:, 0] if n_classes == 2 else margins), codes


def platt_targets(codes, n_classes):
    counts = np.bincount(codes, minlength=n_classes)
    targets = np.array([[1 / (counts[k] + n_classes)] * n_classes for k in codes])
    targets[np.arange(len(codes)), codes] = [(counts[k] + 1) / (counts[k] + n_classes) for k in codes]
    return targets


def test_the_sigmoid_is_platts():
    margins, codes = drawn(2)
    found = fit_calibration("sigmoid", margins, codes, 2)
    # soft targets as weighted copies of every document
    targets = platt_targets(codes, 2)
    X, y = np.tile(margins, 2)[:, None], np.repeat([0, 1], len(margins))
    twin = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(X, y, sample_weight=targets.T.ravel())
    np.testing.assert_allclose(found.scale, twin.coef_[0], rtol=1e-5)
    np.testing.assert_allclose(found.shift, twin.intercept_, rtol=1e-4, atol=1e-6)
    assert found.scale[0] == pytest.approx(1 / 3, rel=0.2)


def test_the_sigmoid_of_more_classes_has_no_slope_left():
    margins, codes = drawn(4)
    found = fit_calibration("sigmoid", margins, codes, 4)
    assert len(set(found.scale)) == 1
    assert found.scale[0] == pytest.approx(1 / 3, rel=0.2)
    rest = found.probabilities(margins) - platt_targets(codes, 4)
    # of the scale and of every shift, per document and in units of the margins
    assert abs(np.sum(rest * margins)) / len(codes) < 1e-5
    assert np.abs(rest.sum(axis=0)).max() / len(codes) < 1e-6


def test_margins_that_order_nothing_leave_the_shares():
    codes = np.array([0, 1, 1] * 20)
    constant = fit_calibration("sigmoid", np.full(60, 3.0), codes, 2)
    assert constant.scale == (0.0,)
    assert constant.probabilities(np.array([7.0]))[0, 1] == pytest.approx(2 / 3, abs=0.01)
    backwards = fit_calibration("sigmoid", np.where(codes == 1, -1.0, 1.0), codes, 2)
    assert backwards.scale == (0.0,)


def test_separable_documents_give_finite_slopes():
    found = fit_calibration("sigmoid", np.array([-1.0, 1.0] * 10), np.array([0, 1] * 10), 2)
    assert found.probabilities(np.array([1.0]))[0, 1] == pytest.approx(11 / 12, abs=1e-4)


def isotonic_slowly(y):
    """Max-min formula over all stretches."""
    n = len(y)
    return [max(min(np.mean(y[a : b + 1]) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=12))
def test_isotonic_is_the_max_min_formula(truth):
    margins = np.arange(len(truth), dtype=float)
    found = fit_calibration("isotonic", margins, np.array(truth, dtype=int), 2).probabilities(margins)[:, 1]
    least = 1 / (len(truth) + 2)
    np.testing.assert_allclose(found, np.clip(isotonic_slowly(np.array(truth, float)), least, 1 - least), atol=1e-9)


def test_isotonic_of_more_classes_sums_to_one():
    margins, codes = drawn(3)
    Q = fit_calibration("isotonic", margins, codes, 3).probabilities(margins)
    np.testing.assert_allclose(Q.sum(axis=1), 1.0)
    assert Q.min() > 0.0


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
def test_of_several_labels_each_is_calibrated_alone(kind):
    first, codes = drawn(2, seed=1)
    second, others = drawn(2, seed=2)
    both = fit_calibration_of_several(kind, np.column_stack([first, second]), np.column_stack([codes, others]) == 1)
    Q = both.probabilities(np.column_stack([first, second]))
    alone = fit_calibration(kind, second, others, 2).probabilities(second)[:, 1]
    np.testing.assert_allclose(Q[:, 1], alone, rtol=1e-9)
