"""Paths from λ_max down."""

import numpy as np
import pytest

from laconic.linear import ElasticNetClassifier, ElasticNetRegressor, elastic_net_path, lambda_max

RNG = np.random.default_rng(0)
X = RNG.poisson(0.5, (60, 12)).astype(float)
Y = np.where(X[:, 0] - X[:, 1] + RNG.normal(size=60) > 0, "yes", "no")


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
def test_path_points_equal_cold_fits(l1_ratio):
    path = elastic_net_path(X, Y, ElasticNetClassifier(tol=1e-9), l1_ratio=l1_ratio, n_points=6, smallest=0.01)
    assert path.sizes[0] == 0
    assert path.sizes[-1] > 0
    for solution, point in zip(path, path.parameters, strict=True):
        cold = ElasticNetClassifier(**point, tol=1e-9).fit(X, Y)
        assert solution.objective == pytest.approx(cold.solution_.objective, rel=1e-8)
    scores = path.score(X, Y)
    assert scores[-1] == ElasticNetClassifier(**path.parameters[-1], tol=1e-9).fit(X, Y).score(X, Y)


def test_lambda_max_is_where_words_enter():
    top = lambda_max(X, Y)
    assert not ElasticNetClassifier(l1=top * (1 + 1e-9), l2=0.0).fit(X, Y).coef_.any()
    assert ElasticNetClassifier(l1=top * 0.98, l2=0.0, tol=1e-10).fit(X, Y).coef_.any()


def test_regression_paths():
    y = X @ np.arange(12.0)
    path = elastic_net_path(X, y, ElasticNetRegressor(), n_points=5, smallest=1e-4)
    assert path.classes is None
    assert path.score(X, y)[-1] > 0.99


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"l1_ratio": 0.0}, r"l1_ratio is 0.0; it must lie in \(0, 1\]"),
        ({"n_points": 0}, "n_points is 0; it must be at least 1"),
        ({"smallest": 2.0}, "smallest is 2.0; it must lie between 0 and 1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        elastic_net_path(X, Y, **options)


def test_the_estimator_handed_over_is_left_as_it_was():
    estimator = ElasticNetClassifier()
    elastic_net_path(X, Y, estimator, n_points=2)
    lambda_max(X, Y, estimator)
    assert vars(estimator) == vars(ElasticNetClassifier())
