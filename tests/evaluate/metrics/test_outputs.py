"""What metrics take from models."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from laconic.evaluate.metrics.outputs import outputs
from laconic.evaluate.metrics.scores import METRICS, score


def test_probabilities_come_before_margins(data):
    model = LogisticRegression().fit(*data)
    for metric in ("log_loss", "average_precision"):
        found = outputs(model, metric, data[0])
        np.testing.assert_array_equal(found["proba"], model.predict_proba(data[0]))
        assert list(found["classes"]) == ["ant", "bee"]
    assert list(outputs(model, "macro_f1", data[0])) == ["y_pred"]


def test_margins_serve_average_precision(data):
    model = LinearSVC().fit(*data)
    np.testing.assert_array_equal(
        outputs(model, "average_precision", data[0])["proba"], model.decision_function(data[0])
    )


@pytest.mark.parametrize("metric", METRICS)
def test_outputs_are_arguments_of_score(data3, metric):
    model = LogisticRegression().fit(*data3)
    assert 0.0 < score(metric, data3[1], **outputs(model, metric, data3[0])) < 2.0


class OnlyLabels:
    classes_ = ("a", "b")

    def predict(self, X):
        return ["a" for _ in X]


def test_models_that_lack_something():
    with pytest.raises(TypeError, match="log_loss needs probabilities, and LinearSVC has no predict_proba"):
        outputs(LinearSVC(), "log_loss", [])
    with pytest.raises(TypeError, match="OnlyLabels has neither predict_proba nor decision_function"):
        outputs(OnlyLabels(), "average_precision", [])
    assert outputs(OnlyLabels(), "accuracy", [1, 2]) == {"y_pred": ["a", "a"]}
