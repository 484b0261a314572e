"""Small data and estimators for the tests of `laconic.evaluate`."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression


class Sharing(LogisticRegression):
    """A logistic regression that fits a grid in one call and counts how often it was asked to."""

    calls: list = []  # noqa: RUF012 - shared on purpose: clones must not start counts of their own

    def fit_grid(self, X, y, grid):
        self.calls.append(len(grid))
        return [clone(self).set_params(**params).fit(X, y) for params in grid]


@pytest.fixture
def sharing():
    Sharing.calls.clear()
    return Sharing


def make_data(n_documents=120, n_features=12, n_classes=2, seed=0):
    """Word counts whose first features tell the class, with noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_documents)
    X = rng.poisson(1.0, size=(n_documents, n_features)).astype(float)
    X[np.arange(n_documents), y] += rng.poisson(1.0, size=n_documents)
    return X, np.array(["ant", "bee", "cat", "dog"])[y]


@pytest.fixture
def data():
    return make_data()


@pytest.fixture
def dev():
    return make_data(80, seed=1)


@pytest.fixture
def data3():
    return make_data(n_classes=3)


@pytest.fixture
def lasso():
    return LogisticRegression(l1_ratio=1.0, solver="liblinear", random_state=0)
