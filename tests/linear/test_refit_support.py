"""``refit_support``: the words of a lasso, weighed without its shrinkage."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from laconic.linear import ElasticNetClassifier, ElasticNetRegressor, GroupLassoClassifier


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    X = (rng.random((300, 40)) < 0.3).astype(float)
    y = (rng.random(300) < 1 / (1 + np.exp(-(X[:, :4] @ [2.0, -2.0, 1.5, -1.5])))).astype(int)
    return X, y


@pytest.mark.parametrize("l2", [0.0, 0.7])
def test_the_weights_are_those_of_a_ridge_on_the_words(drawn, l2):
    X, y = drawn
    shrunk = ElasticNetClassifier(l1=8.0, l2=l2).fit(X, y)
    model = ElasticNetClassifier(l1=8.0, l2=l2, refit_support=True, tol=1e-10).fit(X, y)
    words = np.flatnonzero(shrunk.coef_[0])
    assert 0 < len(words) < 20
    assert np.flatnonzero(model.coef_[0]).tolist() == words.tolist()
    twin = LogisticRegression(C=1 / (2 * (l2 or 0.1)), tol=1e-10, max_iter=10_000).fit(X[:, words], y)
    np.testing.assert_allclose(model.coef_[0, words], twin.coef_[0], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(model.intercept_, twin.intercept_, rtol=1e-3, atol=1e-5)
    assert np.abs(model.coef_).sum() > np.abs(shrunk.coef_).sum()
    assert model.dual_gap_ <= 1e-10


def test_a_grid_gives_the_same(drawn):
    X, y = drawn
    grid = [{"l1": 8.0}, {"l1": 4.0}, {"l1": 0.0}]
    base = ElasticNetClassifier(l2=0.1, refit_support=True, tol=1e-10)
    for model, setting in zip(base.fit_grid(X, y, grid), grid, strict=True):
        alone = ElasticNetClassifier(**setting, l2=0.1, refit_support=True, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(model.coef_, alone.coef_, atol=1e-5)
    # a ridge chooses no words, so that there is nothing to refit
    np.testing.assert_array_equal(alone.coef_, ElasticNetClassifier(0.0, 0.1, tol=1e-10).fit(X, y).coef_)


def test_least_squares_are_recovered_without_bias():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 10))
    y = X[:, 0] * 3.0 - X[:, 1] * 2.0 + 1.0
    model = ElasticNetRegressor(l1=20.0, l2=0.0, refit_support=True).fit(X, y)
    np.testing.assert_allclose(model.coef_[0], [3.0, -2.0] + [0.0] * 8, atol=1e-4)


def test_groups_keep_their_choice_and_show_the_new_norms(drawn):
    X, y = drawn
    groups = {f"g{i}": [2 * i, 2 * i + 1] for i in range(20)}
    shrunk = GroupLassoClassifier(groups, group=8.0).fit(X, y)
    model = GroupLassoClassifier(groups, group=8.0, refit_support=True).fit(X, y)
    assert set(model.selected_groups_.names) == set(shrunk.selected_groups_.names)
    np.testing.assert_allclose(
        sorted(model.selected_groups_.norms),
        sorted(np.linalg.norm(model.coef_.reshape(20, 2), axis=1))[-len(model.selected_groups_) :],
    )


def test_a_model_without_words_stays_without(drawn):
    model = ElasticNetClassifier(l1=1e6, l2=0.0, refit_support=True).fit(*drawn)
    assert not model.coef_.any()
