"""Fitting grids, sizes and gaps of fitted models."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from laconic.evaluate.tuning.grid_fits import (
    check_estimator,
    check_settings,
    configured,
    failure,
    fit_points,
    n_words,
    relative_gap,
    shares_work,
)

GRID = [{"C": 0.1}, {"C": 1.0}]


def test_both_ways_give_the_same_models(data, sharing):
    alone = fit_points(LogisticRegression(), GRID, *data)
    together = fit_points(sharing(), GRID, *data)
    assert sharing.calls == [2]
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one.model.coef_, other.model.coef_)
    assert together[0].seconds == together[1].seconds > 0
    assert not shares_work(LogisticRegression())


def test_the_given_estimator_is_never_fitted(data, sharing):
    for estimator in (LogisticRegression(), sharing()):
        fit_points(estimator, GRID, *data)
        assert not hasattr(estimator, "coef_")
        assert estimator.C == 1.0


class Failing(LogisticRegression):
    def __init__(self, error=None, C=1.0):
        super().__init__(C=C)
        self.error = error

    def fit(self, X, y):
        raise self.error


class FailingTogether(Failing):
    def fit_grid(self, X, y, grid):
        raise self.error


@pytest.mark.parametrize("kind", [Failing, FailingTogether])
@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (ValueError("too odd"), ValueError, "Fitting with C=0.5 failed: too odd"),
        (ZeroDivisionError(), RuntimeError, "Fitting with C=0.5 failed: ZeroDivisionError"),
    ],
)
def test_failures_name_the_parameters(data, kind, error, raised, message):
    with pytest.raises(raised, match=message) as caught:
        fit_points(kind(error), [{"C": 0.5}], *data)
    assert type(caught.value.__cause__) is type(error)


@pytest.mark.parametrize("kind", [Failing, FailingTogether])
def test_interrupts_pass(data, kind):
    with pytest.raises(KeyboardInterrupt):
        fit_points(kind(KeyboardInterrupt()), [{"C": 0.5}], *data)


def test_long_grids_are_cut_in_messages():
    found = str(failure("Fitting", [{"C": i} for i in range(30)], ValueError("no")))
    assert found.startswith("Fitting with C=0 / C=1 /")
    assert "C=19 / 10 more failed: no" in found


def test_fit_grid_must_return_a_model_each(data, sharing, monkeypatch):
    monkeypatch.setattr(sharing, "fit_grid", lambda self, X, y, grid: [])
    with pytest.raises(RuntimeError, match=r"Sharing\.fit_grid returned 0 models for 2 settings"):
        fit_points(sharing(), GRID, *data)


def test_check_estimator():
    with pytest.raises(TypeError, match=r"got the class LogisticRegression; write LogisticRegression\(\)"):
        check_estimator(LogisticRegression)
    with pytest.raises(TypeError, match="SimpleNamespace has no fit, predict, get_params, set_params"):
        check_estimator(SimpleNamespace())


def test_check_settings(sharing):
    check_settings(make_pipeline(CountVectorizer(), LogisticRegression()), [{"logisticregression__C": 1}], "log_loss")
    for estimator in (LogisticRegression(), sharing()):
        with pytest.raises(ValueError, match=r"has no parameter 'D' to tune; its parameters are C, class_weight, dual"):
            check_settings(estimator, [{"C": 1}, {"D": 2}], "accuracy")
    with pytest.raises(ValueError, match="Pipeline cannot take logisticregression__D=1: Invalid parameter 'D'"):
        check_settings(make_pipeline(LogisticRegression()), [{"logisticregression__D": 1}], "accuracy")
    with pytest.raises(TypeError, match="LinearSVC has no predict_proba"):
        check_settings(LinearSVC(), GRID, "log_loss")


def test_configured_is_a_clone():
    estimator = LogisticRegression()
    assert configured(estimator, {"C": 3}) is not estimator
    assert estimator.C == 1.0


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (SimpleNamespace(coef_=np.array([[0.0, 1e-30, 0.0], [0.0, 2.0, -1.0]])), 2),
        (SimpleNamespace(coef_=np.array([0.0, -1.0, 0.0])), 1),
        (SimpleNamespace(coef_=sparse.csr_matrix([[0.0, 1.0, 0.0]])), 1),
        (SimpleNamespace(coef_=np.zeros((1, 4))), 0),
        (SimpleNamespace(n_words_=7, coef_=np.ones((1, 3))), 7),
        (SimpleNamespace(estimator_=SimpleNamespace(coef_=np.ones((1, 3)))), 3),
        (SimpleNamespace(steps=[("a", None), ("b", SimpleNamespace(n_words_=5))]), 5),
    ],
)
def test_n_words(model, words):
    assert n_words(model) == words


def test_size_unknown():
    with pytest.raises(TypeError, match="size of a fitted GaussianNB is unknown: it has neither n_words_ nor coef_"):
        n_words(GaussianNB())


def test_gap():
    assert relative_gap(SimpleNamespace(dual_gap_=np.array([1e-7, 3e-7]))) == 3e-7
    assert relative_gap(SimpleNamespace(estimator_=SimpleNamespace(dual_gap_=1e-9))) == 1e-9
    assert relative_gap(LogisticRegression()) == float("inf")
