"""`evaluate` against scikit-learn's report, and on models with only some of the methods."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, hamming_loss
from sklearn.svm import LinearSVC

from laconic.data import Corpus
from laconic.evaluate import METRICS, Evaluation, evaluate, evaluate_labels
from laconic.evaluate.metrics.evaluation import label_matrix


class Keyword:
    """A scorer of texts without scikit-learn: says "pos" if the text has the word good."""

    classes_ = ("neg", "pos")
    passes = 0

    def predict_proba(self, texts):
        self.passes += 1
        return [[0.2, 0.8] if "good" in text else [0.7, 0.3] for text in texts]

    def predict(self, texts):
        return [self.classes_[row[1] > 0.5] for row in self.predict_proba(texts)]


TEXTS = ["good film", "bad film", "good bad", "film"]
TRUTH = ["pos", "neg", "neg", "pos"]


def test_against_scikit_learn(data3):
    X, y = data3
    model = LogisticRegression(C=0.05).fit(X, y)
    found = evaluate(model, X, y)
    assert found.n_documents == len(y)
    assert list(found.metrics) == list(METRICS)
    assert found.undefined == {}
    report = sk.classification_report(y, model.predict(X), output_dict=True)
    for scores in found.per_class:
        assert report[scores.label] == pytest.approx(
            {"precision": scores.precision, "recall": scores.recall, "f1-score": scores.f1, "support": scores.support}
        )
    assert found.labels == ("ant", "bee", "cat")
    np.testing.assert_array_equal(found.confusion, sk.confusion_matrix(y, model.predict(X)))
    assert found.metrics["log_loss"] == pytest.approx(sk.log_loss(y, model.predict_proba(X)))


@pytest.mark.parametrize("form", [list, tuple, Corpus.from_lists])
def test_texts(form):
    model = Keyword()
    found = evaluate(model, form(TEXTS), TRUTH)
    assert found.metrics["accuracy"] == 0.5
    assert found.confusion == ((1, 1), (1, 1))
    assert model.passes == 2  # once for labels, once for all metrics of probabilities


def test_plain_types_for_json():
    found = evaluate(Keyword(), TEXTS, TRUTH).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["per_class"][1] == {"label": "pos", "precision": 0.5, "recall": 0.5, "f1": 0.5, "support": 2}
    assert found["confusion"] == {"labels": ["neg", "pos"], "matrix": [[1, 1], [1, 1]]}
    assert found["n_documents"] == 4


@pytest.mark.parametrize("labels", [(0, 1), (False, True)])
def test_labels_keep_their_type(data, labels):
    X, y = data
    coded = [labels[label == "bee"] for label in y]
    found = evaluate(LogisticRegression().fit(X, coded), X, coded)
    assert found.labels == labels
    assert [type(scores.label) for scores in found.per_class] == [type(labels[0])] * 2
    json.dumps(found.to_dict())


def test_what_cannot_be_said_is_said_so(data):
    X, y = data
    found = evaluate(LinearSVC().fit(X, y), X, y)
    assert list(found.undefined) == ["log_loss"]
    assert "LinearSVC has no predict_proba" in found.undefined["log_loss"]
    only_ants = evaluate(LogisticRegression().fit(X, y), X[y == "ant"], y[y == "ant"])
    assert "without documents of the class 'bee'" in only_ants.undefined["average_precision"]
    assert only_ants.labels == ("ant", "bee")
    assert set(only_ants.metrics) == {*METRICS} - {"average_precision"}


def test_unknown_labels_are_errors_of_the_model():
    found = evaluate(Keyword(), TEXTS, ["pos", "neg", "odd", "pos"])
    assert found.metrics["accuracy"] == 0.5
    assert found.labels == ("neg", "odd", "pos")
    assert found.confusion == ((1, 0, 0), (0, 0, 1), (1, 0, 1))
    assert "label 'odd'" in found.undefined["log_loss"]
    assert found.per_class[1].precision == 0.0


def test_result_is_frozen():
    found = evaluate(Keyword(), TEXTS, TRUTH)
    assert isinstance(found, Evaluation)
    with pytest.raises(AttributeError):
        found.n_documents = 3


def test_errors(data):
    X, y = data
    model = Keyword()
    with pytest.raises(TypeError, match="needs a fitted classifier, with classes_ and predict, got LogisticReg"):
        evaluate(LogisticRegression(), X, y)
    with pytest.raises(ValueError, match="X has 4 documents but y has 3 labels"):
        evaluate(model, TEXTS, TRUTH[:3])
    with pytest.raises(ValueError, match="X has no documents"):
        evaluate(model, [], [])
    with pytest.raises(ValueError, match=r"None of the labels of y \(such as 'x'\) is one of the model's classes"):
        evaluate(model, TEXTS, ["x"] * 4)
    with pytest.raises(ValueError, match="like 1 but those of the model like 'neg'"):
        evaluate(model, TEXTS, [1, 0, 1, 0])


CLASSES = ["art", "law", "war"]
rows = st.lists(st.tuples(st.sets(st.sampled_from(CLASSES)), st.sets(st.sampled_from(CLASSES))), min_size=1)


def test_label_matrix():
    assert label_matrix([("art", "law"), (), "war"], CLASSES).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    with pytest.raises(ValueError, match=r"Document 1 \(counting from 0\) has the unknown label 'sea'"):
        label_matrix([(), ("sea",)], CLASSES)


@given(rows)
def test_several_labels_against_scikit_learn(pairs):
    predicted, truth = zip(*pairs, strict=True)
    found = evaluate_labels(predicted, truth, CLASSES)
    given, true = label_matrix(predicted, CLASSES), label_matrix(truth, CLASSES)
    occur = np.flatnonzero((given | true).any(axis=0))
    assert found.metrics["exact"] == pytest.approx(accuracy_score(true, given))
    assert found.metrics["hamming"] == pytest.approx(hamming_loss(true, given))
    assert found.metrics["micro_f1"] == pytest.approx(f1_score(true, given, average="micro", zero_division=1.0))
    if len(occur):
        expected = f1_score(true, given, labels=occur, average="macro", zero_division=0.0)
        assert found.metrics["macro_f1"] == pytest.approx(expected)
    assert [row.support for row in found.per_label] == true.sum(axis=0).tolist()
    assert found.to_dict()["per_label"][0]["label"] == "art"


def test_as_many_predictions_as_documents():
    with pytest.raises(ValueError, match="There are 1 predictions for 2 documents"):
        evaluate_labels([()], [(), ()], CLASSES)
