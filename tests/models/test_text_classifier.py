"""The text classifier as scikit-learn knows estimators, and its errors."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.utils import get_tags

from laconic.evaluate import tune
from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier
from laconic.text import BagOfWords, Tokenizer


def test_it_works_without_arguments(letters):
    model = TextClassifier().fit(letters.train.texts, letters.train.labels)
    assert model.score(letters.test.texts, letters.test.labels) > 0.8
    assert model.classes_.tolist() == ["complaint", "praise", "repair"]
    assert model.n_vocabulary_ == len(model.vocabulary_)
    assert isinstance(model.estimator_, ElasticNetClassifier)
    assert model.estimator is None


def test_it_is_a_matrix_and_an_estimator(fitted, two, letters):
    texts, y = two
    bag = BagOfWords(cells="count")
    design = bag.fit(texts)
    alone = ElasticNetClassifier(l1=1.0, l2=0.01).fit(design.X, y)
    model = fitted(cells="count")
    np.testing.assert_array_equal(model.estimator_.coef_, alone.coef_)
    X = bag.transform(letters.dev.texts, design.vocabulary)
    np.testing.assert_array_equal(model.predict_proba(letters.dev.texts), alone.predict_proba(X))
    np.testing.assert_array_equal(model.decision_function(letters.dev.texts), alone.decision_function(X))
    assert model.n_words_ == np.count_nonzero(alone.coef_)


def test_parameters_clone_and_pickle(fitted, letters):
    model = fitted()
    twin = clone(model)
    assert not hasattr(twin, "estimator_")
    assert twin.get_params()["estimator__l1"] == 1.0
    assert twin.set_params(estimator__l1=3.0, cells="count").estimator.l1 == 3.0
    assert model.estimator.l1 == 1.0
    assert clone(TextClassifier(tokenizer=Tokenizer.preset("wnut2018"))).tokenizer == Tokenizer.preset("wnut2018")
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(letters.dev.texts).tolist() == model.predict(letters.dev.texts).tolist()
    assert "TextClassifier" in repr(model)


def test_cross_validation_and_grid_search(two):
    texts, y = two
    model = TextClassifier(ElasticNetClassifier(l1=0.5))
    assert cross_val_score(model, texts, y, cv=3).mean() > 0.7
    assert cross_val_predict(model, texts, y, cv=3, method="predict_proba").shape == (len(y), 2)
    search = GridSearchCV(model, {"estimator__l1": [0.5, 100.0], "cells": ["binary", "count"]}, cv=2)
    search.fit(texts, y)
    assert search.best_params_["estimator__l1"] == 0.5


def test_tags():
    tags = get_tags(TextClassifier())
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
    assert tags.estimator_type == "classifier"


def test_squared_hinge_has_no_probabilities(fitted, two):
    model = fitted(loss="squared_hinge")
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        model.predict_proba(["a"])
    # scikit-learn's own scores fall back to margins
    assert get_scorer("roc_auc")(model, *two) > 0.9
    assert hasattr(TextClassifier(), "predict_proba")
    assert not hasattr(TextClassifier(ElasticNetClassifier(loss="squared_hinge")), "predict_proba")


def test_not_fitted_yet(tmp_path):
    model = TextClassifier()
    for call in (
        lambda: model.predict(["a"]),
        lambda: model.explain("a"),
        lambda: model.save(tmp_path / "m"),
        lambda: model.to_sklearn(),
        lambda: model.to_scorer(),
    ):
        with pytest.raises(NotFittedError):
            call()


@pytest.mark.parametrize(
    ("parameters", "error", "sentence"),
    [
        ({"analyzer": "letter"}, ValueError, r"'letter'; allowed are 'word', 'char', 'char_wb', 'tokens'"),
        ({"tokenizer": "spacy"}, ValueError, r"'spacy'; allowed are 'default', 'default-1', 'wnut2018'"),
        ({"tokenizer": 3}, TypeError, "tokenizer must be"),
        ({"cells": "bool"}, ValueError, "'bool'; allowed are 'count', 'binary', 'tfidf'"),
        ({"ngrams": (2, 1)}, ValueError, "two integers"),
        ({"min_df": 0}, ValueError, "min_df must be"),
        ({"max_df": 1.5}, ValueError, "max_df must be"),
        ({"strip_mail": "yes"}, TypeError, "strip_mail"),
        ({"analyzer": "tokens", "tokenizer": "wnut2018"}, ValueError, "leave out tokenizer"),
        ({"estimator": ElasticNetClassifier(l1=-1.0)}, ValueError, "l1"),
        ({"estimator": ElasticNetClassifier(loss="hinge")}, ValueError, "'logistic' and 'squared_hinge'"),
    ],
)
def test_wrong_parameters(parameters, error, sentence):
    with pytest.raises(error, match=sentence):
        TextClassifier(**parameters).fit(["a b", "c d"], [0, 1])


@pytest.mark.parametrize(
    ("texts", "y", "error", "sentence"),
    [
        ([], [], ValueError, "There are no texts"),
        ("a text", ["a"], TypeError, "single str"),
        (["a", 3], ["x", "y"], TypeError, "position 1"),
        (["a", "b"], ["x"], ValueError, "2 texts but 1 labels"),
        (["a", "b"], ["x", None], ValueError, "1 of 2 labels are missing"),
        (["a", "b"], ["x", "x"], ValueError, "at least two classes"),
        (["", " "], ["x", "y"], ValueError, "None of the 2 documents"),
    ],
)
def test_wrong_training_data(texts, y, error, sentence):
    with pytest.raises(error, match=sentence):
        TextClassifier().fit(texts, y)


def test_empty_documents_are_allowed(two):
    texts, y = two
    model = TextClassifier().fit(["", *texts], [y[0], *y])
    np.testing.assert_array_equal(model.decision_function([""]), model.estimator_.intercept_)


def test_save_refuses_an_existing_folder_before_it_looks_at_the_model(tmp_path):
    with pytest.raises(FileExistsError, match="exists already"):
        TextClassifier().save(tmp_path)


def test_overwrite(fitted, tmp_path):
    folder = fitted().save(tmp_path / "m")
    with pytest.raises(FileExistsError):
        fitted(cells="count").save(folder)
    fitted(cells="count").save(folder, overwrite=True)
    assert '"cells": "count"' in (folder / "model.json").read_text()


def test_extra_must_be_json(fitted, tmp_path):
    with pytest.raises(TypeError, match="cannot be stored"):
        fitted().save(tmp_path / "m", extra={"when": object()})
    assert list(tmp_path.iterdir()) == []


def test_saving_with_a_lambda_warns_at_the_caller(letters, tmp_path):
    model = TextClassifier(tokenizer=lambda text: text.split()).fit(letters.train.texts, letters.train.labels)
    with pytest.warns(UserWarning, match=r"<lambda>'; pass it again.*no name of its own") as caught:
        model.save(tmp_path / "m")
    assert caught[0].filename == __file__


def test_saving_without_a_function_does_not_warn(fitted, tmp_path, recwarn):
    fitted().save(tmp_path / "m")
    assert not recwarn.list


@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_texts_give_no_labels_as_from_a_scorer(fitted, n_classes):
    model = fitted(n_classes=n_classes)
    scorer = model.to_scorer()
    for method in ("predict", "predict_proba", "decision_function"):
        ours, theirs = getattr(model, method)([]), getattr(scorer, method)([])
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype


@pytest.mark.parametrize("given", [{"folds": 2}, {"dev": True}])
def test_estimators_of_a_grid_are_the_callers_and_the_winner_is_fitted_tightly(given):
    texts = ["broken lamp", "kind thanks", "lamp broken again", "many thanks"] * 5
    labels = ["repair", "praise"] * 10
    grid = [{"estimator": ElasticNetClassifier(l2=0.0), "estimator__l1": level} for level in (0.1, 0.2)]
    more = {"dev": (texts, labels)} if "dev" in given else given
    tuned = tune(TextClassifier(), grid, texts, labels, loose={"estimator__tol": 0.1}, **more)
    assert tuned.estimator.estimator_.tol == 1e-6
    assert tuned.estimator.estimator_.dual_gap_ <= 1e-6
    for setting in grid:
        assert setting["estimator"].get_params() == ElasticNetClassifier(l2=0.0).get_params()


def test_a_model_without_words_is_said_to_be_so():
    from laconic.models import MultilabelTextClassifier

    texts, y = ["broken lamp", "kind thanks"], ["repair", "praise"]
    empty = ElasticNetClassifier(l1=100.0, l2=0.0)
    with pytest.warns(UserWarning, match="has no words, so that every text gets the same answer") as told:
        TextClassifier(empty).fit(texts, y)
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="has no words"):
        MultilabelTextClassifier(empty).fit(texts, [[label] for label in y])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TextClassifier(ElasticNetClassifier(l1=0.1, l2=0.0)).fit(texts, y)
