"""Metrics equal scikit-learn's and refuse what they cannot score.

What metrics take from models.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from laconic.evaluate.metrics.scores import METRICS, as_labels, check_same_kind, higher_is_better, outputs, score

LABELS = ["ant", "bee", "cat"]


def some_outputs(n_classes, n=60, seed=0):
    rng = np.random.default_rng(seed)
    classes = np.array(LABELS[:n_classes])
    y = classes[np.arange(n) % n_classes]
    margins = rng.normal(size=(n, n_classes)) + 1.0 * (y[:, None] == classes)
    proba = np.exp(margins) / np.exp(margins).sum(axis=1, keepdims=True)
    return classes, y, classes[margins.argmax(axis=1)], margins, proba


def test_names():
    assert set(METRICS) == {"accuracy", "macro_f1", "balanced_accuracy", "average_precision", "log_loss"}
    assert [m for m in METRICS if not higher_is_better(m)] == ["log_loss"]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_equal_to_scikit_learn(n_classes):
    classes, y, predicted, _, proba = some_outputs(n_classes)
    found = {m: score(m, y, y_pred=predicted, proba=proba, classes=classes) for m in METRICS}
    if n_classes == 2:
        precision = sk.average_precision_score(y, proba[:, 1], pos_label="bee")
    else:
        precision = np.mean([sk.average_precision_score(y == c, proba[:, k]) for k, c in enumerate(classes)])
    assert found == pytest.approx(
        {
            "accuracy": sk.accuracy_score(y, predicted),
            "macro_f1": sk.f1_score(y, predicted, average="macro"),
            "balanced_accuracy": sk.balanced_accuracy_score(y, predicted),
            "average_precision": precision,
            "log_loss": sk.log_loss(y, proba),
        },
        rel=1e-12,
    )
    assert all(type(value) is float for value in found.values())


def test_margins_give_average_precision():
    _, y, _, margins, _ = some_outputs(2)
    one = margins[:, 1] - margins[:, 0]
    expected = sk.average_precision_score(y == "bee", one)
    assert score("average_precision", y, proba=one, classes=["ant", "bee"]) == pytest.approx(expected)
    classes, y, _, margins, _ = some_outputs(3)
    expected = np.mean([sk.average_precision_score(y == c, margins[:, k]) for k, c in enumerate(classes)])
    assert score("average_precision", y, proba=margins) == pytest.approx(expected)


def test_classes_may_come_in_any_order():
    classes, y, _, _, proba = some_outputs(3)
    order = [2, 0, 1]
    for metric in ("log_loss", "average_precision"):
        expected = score(metric, y, proba=proba, classes=classes)
        assert score(metric, y, proba=proba[:, order], classes=classes[order]) == pytest.approx(expected)


@pytest.mark.parametrize("labels", [["a", "b"], [0, 1], [False, True]])
def test_any_type_of_label(labels):
    y = [labels[i] for i in (0, 1, 1, 0)]
    predicted = [labels[i] for i in (0, 1, 0, 0)]
    proba = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]]
    for metric in METRICS:
        plain = score(metric, [0, 1, 1, 0], [0, 1, 0, 0], proba)
        assert score(metric, tuple(y), np.array(predicted), proba, labels) == plain


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_label_metrics_never_warn_and_agree(pairs):
    y, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = score("balanced_accuracy", y, predicted), score("macro_f1", y, predicted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sk.balanced_accuracy_score(y, predicted), sk.f1_score(y, predicted, average="macro", zero_division=0)
    assert ours == pytest.approx(theirs)


def test_log_loss_of_a_class_that_does_not_occur():
    proba = [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]]
    expected = -np.mean(np.log([0.5, 0.8]))
    assert score("log_loss", ["ant", "bee"], proba=proba, classes=LABELS) == pytest.approx(expected)


HALF = [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "f2"}, "no metric 'f2'; use one of accuracy, macro_f1, balanced_accuracy, average_pr"),
        ({"metric": "accuracy"}, "accuracy compares labels: pass y_pred"),
        ({"metric": "log_loss"}, "log_loss needs probabilities: pass proba"),
        ({"metric": "average_precision"}, "needs probabilities or margins: pass proba"),
        ({"metric": "accuracy", "y_pred": ["a"]}, r"as many labels as y_true \(2\), got 1"),
        ({"metric": "accuracy", "y_pred": [0, 1]}, "like 'a' but those of y_pred like 0"),
        ({"metric": "accuracy", "y_true": [], "y_pred": []}, "y_true has no labels"),
        ({"metric": "accuracy", "y_true": "ab", "y_pred": []}, "must be a list or array of labels, got 'ab'"),
        ({"metric": "log_loss", "proba": HALF[:1]}, "one row for each of the 2 labels of y_true, got 1"),
        ({"metric": "log_loss", "proba": [0.2, 0.3]}, r"shape \(2, 2\), one column per class, got shape \(2,\)"),
        ({"metric": "log_loss", "proba": [[0.5, 0.4], [1, 0]]}, "each row must sum to 1"),
        ({"metric": "log_loss", "proba": [[-0.5, 1.5], [1, 0]]}, "no value below 0"),
        ({"metric": "log_loss", "proba": [[np.nan, 1.0], [1, 0]]}, "each row must sum to 1"),
        ({"metric": "log_loss", "proba": HALF, "classes": ["a", "c"]}, "label 'b' of y_true: it is not one of the m"),
        ({"metric": "log_loss", "proba": HALF, "classes": ["a"]}, "at least two classes, got only 'a'"),
        ({"metric": "log_loss", "proba": HALF, "classes": ["a", "a"]}, "classes must differ"),
        ({"metric": "log_loss", "proba": HALF, "classes": [0, 1]}, "those of the classes like 0"),
        ({"metric": "average_precision", "proba": [np.nan, 1.0]}, "needs finite"),
        ({"metric": "average_precision", "proba": np.ones((2, 3))}, r"one or two columns, got shape \(2, 3\)"),
        (
            {"metric": "average_precision", "y_true": ["a", "b", "c"], "proba": np.ones((3, 2))},
            r"of 3 classes needs one column per class, got shape \(3, 2\)",
        ),
        (
            {"metric": "average_precision", "y_true": ["a", "a"], "proba": HALF, "classes": ["a", "b"]},
            "not defined without documents of the class 'b'",
        ),
        (
            {"metric": "average_precision", "proba": np.ones((2, 3)), "classes": ["a", "b", "c"]},
            "not defined without documents of the class 'c'",
        ),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        score(**{"y_true": ["a", "b"], **arguments})


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", None], r"Label 1 of y is missing \(None\)"),
        ([1.0, float("nan")], r"Label 1 of y is missing \(nan\)"),
        (["a", 1], "y mixes strings and numbers"),
        ([("a", "b"), ("a",)], "must hold one label .* but label 0 is"),
        (np.zeros((2, 2)), "must hold one label"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        as_labels(labels, "y")


def test_many_classes_are_cut_in_messages():
    with pytest.raises(ValueError, match="9 and 2 more"):
        score("log_loss", [99], proba=np.ones((1, 12)) / 12, classes=list(range(12)))


def test_booleans_and_numbers_are_of_one_kind():
    check_same_kind(np.array([True]), np.array([1]), "y_pred")


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
