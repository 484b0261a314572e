import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier
from laconic.models.search.shared_fit import fit_together
from laconic.text import BagOfWords

GRID = [
    {"estimator__l1": 2.0},
    {"estimator__l1": 0.5, "cells": "count"},
    {"estimator__l1": 0.5},
    {"estimator": LogisticRegression(C=0.1)},
    {"estimator": ElasticNetClassifier(l2=2.0), "min_df": 2},
]


def test_a_grid_gives_what_single_fits_give(two):
    base = TextClassifier(ElasticNetClassifier(tol=1e-9))
    for parameters, model in zip(GRID, base.fit_grid(*two, GRID), strict=True):
        alone = TextClassifier(ElasticNetClassifier(tol=1e-9)).set_params(**parameters).fit(*two)
        np.testing.assert_allclose(model.estimator_.coef_, alone.estimator_.coef_, rtol=0, atol=1e-4)
        assert model.vocabulary_.words == alone.vocabulary_.words
        assert {name: model.get_params()[name] for name in parameters if name != "estimator"} == {
            name: value for name, value in parameters.items() if name != "estimator"
        }
    assert not hasattr(base, "estimator_")


def test_one_matrix_for_equal_text_parameters(two, monkeypatch):
    made = []
    real = BagOfWords.fit
    monkeypatch.setattr(BagOfWords, "fit", lambda self, docs: made.append(self) or real(self, docs))
    TextClassifier().fit_grid(*two, [{"estimator__l1": 3.0}, {"cells": "count"}, {"estimator__l1": 1.0}])
    assert [bag.cells for bag in made] == ["binary", "count"]


class Recorder(ClassifierMixin, BaseEstimator):
    """Counts the calls of fit_grid."""

    calls = 0

    def __init__(self, a=1):
        self.a = a

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def fit_grid(self, X, y, grid):
        type(self).calls += 1
        return [Recorder(**parameters).fit(X, y) for parameters in grid]


def test_the_estimators_own_grid_is_used(two):
    models = TextClassifier(Recorder()).fit_grid(*two, [{"estimator__a": a} for a in (3, 1, 2)])
    assert Recorder.calls == 1
    assert [model.estimator_.a for model in models] == [3, 1, 2]


def test_sample_weights_reach_the_estimator(two):
    texts, y = two
    weight = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    model = TextClassifier().fit(texts, y, sample_weight=weight)
    doubled = [i for i in range(len(y)) for _ in range(int(weight[i]))]
    twin = TextClassifier().fit([texts[i] for i in doubled], [y[i] for i in doubled])
    np.testing.assert_allclose(model.estimator_.coef_, twin.estimator_.coef_, atol=1e-3)
    (point,) = TextClassifier().fit_grid(texts, y, [{}], sample_weight=weight)
    np.testing.assert_array_equal(point.estimator_.coef_, model.estimator_.coef_)


def test_wrong_parameters_of_any_point_are_refused_before_any_work(two, monkeypatch):
    monkeypatch.setattr(BagOfWords, "fit", lambda self, docs: pytest.fail("work was done"))
    with pytest.raises(ValueError, match="Unknown cells 'tf'; allowed are"):
        TextClassifier().fit_grid(*two, [{}, {"cells": "tf"}])
    with pytest.raises(ValueError, match="Invalid parameter 'l3'"):
        TextClassifier().fit_grid(*two, [{}, {"estimator__l3": 1}])
    with pytest.raises(TypeError, match="single str"):
        TextClassifier().fit("text", ["a"])
    with pytest.raises(ValueError, match="3 texts but 2 labels"):
        TextClassifier().fit(["a", "b", "c"], ["a", "b"])


def test_an_empty_grid(two):
    assert TextClassifier().fit_grid(*two, []) == []
    fit_together([], [], [])


def test_texts_may_be_an_iterator(two):
    texts, y = two
    models = TextClassifier().fit_grid(iter(texts), iter(y), [{}, {"cells": "count"}])
    assert all(model.score(texts, y) > 0.9 for model in models)
