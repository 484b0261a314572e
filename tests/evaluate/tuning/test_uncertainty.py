"""Standard errors of scores on a dev set."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from laconic.evaluate.metrics.outputs import outputs
from laconic.evaluate.metrics.scores import METRICS, label_score, score
from laconic.evaluate.tuning.uncertainty import standard_error
from tests.evaluate.conftest import make_data


def by_documents(metric, y, given, n_samples, seed):
    """The obvious twin: draw documents within each class, score each sample."""
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(n_samples):
        drawn = np.concatenate([rng.choice(np.flatnonzero(y == c), size=(y == c).sum()) for c in np.unique(y)])
        values.append(
            score(metric, y[drawn], **{k: v if k == "classes" else np.asarray(v)[drawn] for k, v in given.items()})
        )
    return np.std(values, ddof=1)


def test_accuracy_is_binomial():
    y = np.array(["a"] * 6 + ["b"] * 4)
    predicted = np.array(["a"] * 5 + ["b"] * 4 + ["a"])
    assert standard_error("accuracy", y, {"y_pred": predicted}, 0) == pytest.approx(np.sqrt(0.8 * 0.2 / 10))


@pytest.mark.parametrize("metric", [m for m in METRICS if m != "accuracy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_bootstrap_against_its_twin(metric, n_classes):
    X, y = make_data(150, n_classes=n_classes)
    model = LogisticRegression(C=0.01).fit(X, y)
    given = outputs(model, metric, X)
    found = standard_error(metric, y, given, seed=3)
    assert found == pytest.approx(by_documents(metric, y, given, 400, seed=8), rel=0.25)
    assert found == standard_error(metric, y, given, seed=3)
    assert found != standard_error(metric, y, given, seed=4)


def test_predicted_class_without_documents():
    # "c" is predicted but never true, and "a" is always missed.
    y, predicted = np.array(["a", "b", "b", "b"]), np.array(["c", "b", "a", "b"])
    assert standard_error("macro_f1", y, {"y_pred": predicted}, 0) > 0
    assert label_score("balanced_accuracy", y, predicted) == pytest.approx(1 / 3)


@pytest.mark.parametrize("metric", ["macro_f1", "average_precision"])
def test_a_perfect_model_has_no_error(metric):
    y = np.array([0, 0, 1, 1])
    given = {"y_pred": y} if metric == "macro_f1" else {"proba": y * 1.0, "classes": [0, 1]}
    assert standard_error(metric, y, given, 0) == 0.0
