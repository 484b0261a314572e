import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.tree import DecisionTreeClassifier

from laconic.models import TextClassifier, load
from laconic.models.scoring.linear_text import LinearText
from laconic.text import Analyzer, Vocabulary

KEPT = Vocabulary(("a", "b"), np.array([1, 2]), 3)
GOOD = {
    "analyzer": Analyzer(),
    "cells": "count",
    "classes": ("no", "yes"),
    "probabilistic": True,
    "words": KEPT.words,
    "weights": np.ones((2, 1)),
    "intercept": np.zeros(1),
    "vocabulary": KEPT,
    "n_vocabulary": 9,
}


def test_outputs_of_two_and_of_three_classes():
    assert LinearText(**GOOD).outputs == ("yes",)
    three = {**GOOD, "classes": (1, 2, 3), "weights": np.ones((2, 3)), "intercept": np.zeros(3)}
    assert LinearText(**three).outputs == (1, 2, 3)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"weights": np.ones((3, 1))}, r"weights disagree with the words: 2 words.*\(2, 1\).*\(3, 1\)"),
        ({"weights": np.ones((2, 2))}, "weights disagree with the words"),
        ({"weights": np.array([[1.0], [np.nan]])}, "weights must be finite"),
        ({"weights": np.array([["a"], ["b"]])}, "weights must be finite numbers"),
        ({"intercept": np.zeros(2)}, r"2 classes need an intercept of shape \(1,\)"),
        ({"intercept": np.array([np.inf])}, "intercept must be finite"),
        ({"cells": "tf"}, "Unknown cells 'tf'; allowed are 'count', 'binary', 'tfidf'"),
        ({"classes": ("a",)}, "two or more labels"),
        ({"classes": ("a", 1)}, "of one type"),
        ({"classes": (0.5, 1.5)}, "of one type"),
        ({"classes": ("b", "a")}, "sorted and different"),
        ({"words": ("a", "c")}, "differ"),
        ({"words": ("a", "c"), "cells": "tfidf"}, r"\['c'\] are not in the vocabulary"),
    ],
)
def test_parts_that_do_not_fit_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        LinearText(**{**GOOD, **wrong})


def test_only_kept_words_remain(fitted):
    model = fitted(n_classes=3)
    found = LinearText.of(model)
    columns = np.flatnonzero(np.any(model.estimator_.coef_ != 0, axis=0))
    assert found.words == tuple(model.vocabulary_.words[j] for j in columns)
    np.testing.assert_array_equal(found.weights, model.estimator_.coef_[:, columns].T)
    np.testing.assert_array_equal(found.vocabulary.document_frequency, model.vocabulary_.document_frequency[columns])


@pytest.mark.parametrize("estimator", [LogisticRegression(), RidgeClassifier()])
def test_linear_models_of_scikit_learn_can_be_saved(estimator, letters, tmp_path):
    model = TextClassifier(estimator).fit(letters.train.texts, letters.train.labels)
    scorer = load(model.save(tmp_path / "model"))
    texts = letters.dev.texts
    np.testing.assert_allclose(scorer.decision_function(texts), model.decision_function(texts), rtol=0, atol=1e-12)
    assert scorer.model.probabilistic == hasattr(estimator, "predict_proba")
    with pytest.raises(ValueError, match=r"sklearn's .* not rebuilt"):
        scorer.to_estimator()


def test_an_intercept_that_is_one_number(two):
    model = TextClassifier(LogisticRegression(fit_intercept=False)).fit(*two)
    assert LinearText.of(model).intercept.tolist() == [0.0]


def test_models_that_are_not_linear_predict_but_cannot_be_saved(two, tmp_path):
    model = TextClassifier(DecisionTreeClassifier(random_state=0)).fit(*two)
    assert model.score(*two) == 1.0
    with pytest.raises(ValueError, match="DecisionTreeClassifier is not a linear model"):
        model.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_other_formulas_of_probability_are_refused(two, tmp_path):
    model = TextClassifier(SGDClassifier(loss="modified_huber", random_state=0)).fit(*two)
    with pytest.raises(ValueError, match="not the logistic function of its margins"):
        model.save(tmp_path / "model")
