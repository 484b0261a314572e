import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from laconic.report.summaries.curves import POINTS, curves


def test_points_fall_in_recall_and_the_area_is_the_average_precision():
    rng = np.random.default_rng(0)
    labels = rng.choice(["a", "b"], 60)
    p = np.clip(0.3 * rng.random(60) + 0.5 * (labels == "b"), 0, 1)
    points = np.array(curves(labels, np.column_stack([1 - p, p]), ["a", "b"]).precision_recall["b"])
    assert np.all(np.diff(points[:, 0]) <= 0)
    assert -np.sum(np.diff(points[:, 0]) * points[:-1, 1]) == pytest.approx(average_precision_score(labels == "b", p))


def test_many_thresholds_are_thinned_and_absent_classes_left_out():
    p = np.linspace(0, 1, 1000)
    shown = curves(["a", "b"] * 500, np.column_stack([1 - p, p, 0 * p]), ["a", "b", "c"]).precision_recall
    assert list(shown) == ["a", "b"]
    assert len(shown["a"]) == POINTS
