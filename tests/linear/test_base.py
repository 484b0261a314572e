"""What all matrix estimators share: how a matrix enters, and where a fit begins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

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
