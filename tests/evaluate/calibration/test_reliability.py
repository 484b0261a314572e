import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from laconic.evaluate import reliability
from laconic.evaluate.calibration.reliability import binned


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    p = rng.random(1000)
    return p, rng.random(1000) < p**2


def test_the_error_is_the_mean_distance_of_ten_equal_bins(drawn):
    p, true = drawn
    order = np.argsort(p)
    parts = [order[i : i + 100] for i in range(0, 1000, 100)]
    slow = np.mean([abs(p[part].mean() - true[part].mean()) for part in parts])
    found = reliability(np.column_stack([1 - p, p]), true.astype(int))
    assert found.error == pytest.approx(slow, rel=1e-12)
    assert [one.documents for one in found.bins] == [100] * 10
    assert found.brier == pytest.approx(brier_score_loss(true, p))
    assert found.log_loss == pytest.approx(log_loss(true, p))


def test_true_probabilities_have_a_small_error(drawn):
    p, true = drawn
    assert reliability(np.column_stack([1 - p**2, p**2]), true.astype(int)).error < 0.04
    assert reliability(np.column_stack([1 - p, p]), true.astype(int)).error > 0.1


def test_of_more_classes_the_most_likely_one_is_looked_at():
    Q = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    found = reliability(Q, np.array([0, 1]), bins=1)
    assert found.bins[0].probability == pytest.approx(0.65)
    assert found.bins[0].share == 0.5
    assert found.error == pytest.approx(0.15)


def test_equal_probabilities_stay_together():
    bins, _ = binned(np.array([0.1] * 7 + [0.9] * 3), np.array([False] * 10), bins=5)
    assert [one.documents for one in bins] == [7, 3]


def test_weights_count_documents_again(drawn):
    p, true = drawn
    Q, codes = np.column_stack([1 - p, p]), true.astype(int)
    twice = reliability(np.vstack([Q, Q[codes == 1]]), np.append(codes, codes[codes == 1]), bins=1)
    once = reliability(Q, codes, bins=1, weight=1.0 + codes)
    assert once.brier == pytest.approx(twice.brier)
    assert once.error == pytest.approx(twice.error)
