"""What all matrix estimators share: how a matrix enters, and where a fit begins."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from laconic import (
    ElasticNetClassifier,
    ElasticNetRegressor,
    GroupLassoClassifier,
    GroupLassoRegressor,
    GroupOMPClassifier,
    GroupOMPRegressor,
    OMPClassifier,
    OMPRegressor,
)
from tests.core.pieces import FORMS, in_pieces

DISJOINT = {"a": [0, 1], "b": [2, 3], "c": [4, 5]}
NESTED = {"a": [0, 1], "b": [0, 1, 2], "c": [4, 5]}
CROSSING = {"a": [0, 1], "b": [1, 2, 3], "c": [3, 4, 5]}
FAMILIES = {
    "none": (ElasticNetClassifier(l2=0.0, max_iter=5), ElasticNetRegressor(l2=0.0)),
    "ridge": (ElasticNetClassifier(), ElasticNetRegressor()),
    "lasso": (ElasticNetClassifier(l1=0.5, l2=0.0), ElasticNetRegressor(l1=0.5, l2=0.0)),
    "blocks": (GroupLassoClassifier(DISJOINT, group=0.5), GroupLassoRegressor(DISJOINT, group=0.5)),
    "tree": (GroupLassoClassifier(NESTED, group=0.5, l1=0.1), GroupLassoRegressor(NESTED, group=0.5, l1=0.1)),
    "overlapping": (GroupLassoClassifier(CROSSING, group=0.5, l2=0.1), GroupLassoRegressor(CROSSING, 0.5, l2=0.1)),
    "admm": (GroupLassoClassifier(CROSSING, solver="admm"), GroupLassoRegressor(CROSSING, solver="admm")),
    "omp": (OMPClassifier(budget=3), OMPRegressor(budget=3)),
    "omp scaled": (OMPClassifier(budget=3, refit="scaled"), OMPRegressor(budget=3, refit="scaled")),
    "gomp": (GroupOMPClassifier(CROSSING, budget=4), GroupOMPRegressor(CROSSING, budget=4)),
    "projection": (
        GroupOMPClassifier(CROSSING, budget=4, criterion="projection"),
        GroupOMPRegressor(CROSSING, budget=4, criterion="projection"),
    ),
}


def counts(seed, kind):
    """Return counts of six words in thirty documents, and targets that some words decide."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.7, (30, 6)).astype(float)
    signal = X @ np.array([1.0, -1.0, 0.5, 0.0, 0.0, -0.5]) + rng.normal(size=30)
    if kind == "regressor":
        return X, signal
    y = (signal > np.median(signal)).astype(int) + (2 * (signal > np.quantile(signal, 0.8)) if kind == "three" else 0)
    return X, y


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", ["two", "three", "regressor"])
@pytest.mark.parametrize("family", FAMILIES)
@given(seed=st.integers(0, 10**6), form=st.sampled_from(FORMS))
@settings(max_examples=5, deadline=None)
def test_cells_in_pieces_give_the_model_of_their_sums(family, kind, seed, form):
    X, y = counts(seed, kind)
    estimator = FAMILIES[family][kind == "regressor"]
    whole = estimator.fit(form(X), y).coef_
    pieces = in_pieces(X, form, seed)
    before = pieces.copy()
    np.testing.assert_array_equal(estimator.fit(pieces, y).coef_, whole)
    np.testing.assert_array_equal(pieces.data, before.data)
    np.testing.assert_array_equal(pieces.indices, before.indices)
    np.testing.assert_array_equal(pieces.indptr, before.indptr)


@pytest.mark.parametrize("kind", ["two", "three", "regressor"])
@pytest.mark.parametrize("family", ["ridge", "lasso", "blocks", "tree", "overlapping"])
def test_a_start_with_an_intercept_leaves_none_where_there_is_to_be_none(family, kind):
    X, y = counts(3, kind)
    estimator = clone(FAMILIES[family][kind == "regressor"]).set_params(tol=1e-9)
    before = clone(estimator).fit(X, y)
    assert np.abs(before.intercept_).max() > 0.01
    cold = clone(estimator).set_params(fit_intercept=False).fit(X, y)
    warm = clone(estimator).set_params(fit_intercept=False).fit(X, y, start=before.solution_)
    assert warm.intercept_.tolist() == [0.0] * len(cold.intercept_)
    assert warm.solution_.objective == pytest.approx(cold.solution_.objective, rel=1e-8)
    assert before.solution_.intercept.tolist() == before.intercept_.tolist()


@pytest.mark.parametrize("kind", ["two", "three", "regressor"])
@pytest.mark.parametrize("family", ["ridge", "lasso", "blocks", "tree", "overlapping"])
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.1, 1.0, 30.0, 1e3, 1e150]))
@settings(max_examples=8, deadline=None)
def test_a_poor_start_is_no_worse_than_none(family, kind, seed, scale):
    X, y = counts(seed, kind)
    estimator = clone(FAMILIES[family][kind == "regressor"])
    cold = estimator.fit(X, y).solution_
    rng = np.random.default_rng(seed)
    poor = replace(cold, weights=scale * rng.normal(size=cold.weights.shape), intercept=scale * cold.intercept)
    warm = estimator.fit(X, y, start=poor).solution_
    assert cold.converged
    assert warm.converged
    assert warm.objective == pytest.approx(cold.objective, rel=2e-6)


def test_three_classes_converge_from_far_away():
    X, y = counts(0, "three")
    estimator = ElasticNetClassifier(l1=0.5, l2=0.0, max_iter=50)
    cold = estimator.fit(X, y).solution_
    for seed in range(5):
        weights = 30.0 * np.random.default_rng(seed).normal(size=cold.weights.shape)
        assert estimator.fit(X, y, start=replace(cold, weights=weights)).solution_.converged


def test_a_fit_without_a_penalty_that_stops_early_says_so():
    """Columns of wildly different scales, where Newton's step may lower nothing in floating point."""
    silent, stopped = [], 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, p = int(rng.integers(5, 30)), int(rng.integers(2, 12))
        X = rng.poisson(rng.gamma(0.5, 2.0, p), (n, p)) * 10.0 ** rng.integers(-8, 9, p)
        y = np.append(np.arange(3), rng.integers(0, 3, n - 3))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", ConvergenceWarning)
            model = ElasticNetClassifier(l2=0.0).fit(X, y)
        slope = np.abs(X.T @ (np.eye(3)[y] - model.predict_proba(X))).max()
        first = np.abs(X.T @ (np.eye(3)[y] - np.bincount(y) / n)).max()
        early = slope > 1.01e-6 * first
        stopped += early
        if early and (model.solution_.converged or not told):
            silent.append(seed)
    assert not silent
    assert stopped
