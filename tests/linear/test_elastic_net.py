"""ElasticNetClassifier and ElasticNetRegressor: against scikit-learn, and every refusal."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from laconic.linear import ElasticNetClassifier, ElasticNetRegressor


def texts(seed=0, n=80, p=20, n_classes=2):
    rng = np.random.default_rng(seed)
    X = sp.csr_array(rng.poisson(0.4, (n, p)).astype(float))
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, np.array(["ham", "spam", "eggs"])[scores.argmax(axis=1)]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_ridge_is_scikit_learns(n_classes, C):
    X, y = texts(n_classes=n_classes)
    ours = ElasticNetClassifier(l2=1 / (2 * C), tol=1e-12).fit(X, y)
    theirs = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)


def test_default_is_scikit_learns_default():
    X, y = texts()
    np.testing.assert_allclose(
        ElasticNetClassifier(tol=1e-10).fit(X, y).coef_, LogisticRegression(tol=1e-10).fit(X, y).coef_, atol=1e-4
    )


@pytest.mark.parametrize(("l1", "l2"), [(1.0, 0.0), (0.5, 0.5)])
def test_elastic_net_is_scikit_learns_saga(l1, l2):
    X, y = texts()
    ours = ElasticNetClassifier(l1=l1, l2=l2, tol=1e-12).fit(X, y)
    # Before scikit-learn 1.8 the ratio has to be asked for.
    asked = {"penalty": "elasticnet"} if LogisticRegression().get_params().get("penalty") == "l2" else {}
    theirs = LogisticRegression(
        l1_ratio=l1 / (l1 + 2 * l2), C=1 / (l1 + 2 * l2), solver="saga", tol=1e-10, max_iter=100_000, **asked
    ).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


def test_regressions_are_scikit_learns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 8)), rng.normal(size=50) + 3.0
    lasso = ElasticNetRegressor(l1=50 * 0.1, l2=0.0, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(lasso.coef_[0], Lasso(alpha=0.1, tol=1e-12).fit(X, y).coef_, atol=1e-6)
    ridge = ElasticNetRegressor(l1=0.0, l2=1.0, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ridge.coef_[0], Ridge(alpha=2.0).fit(X, y).coef_, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weight_is_sample_weight(n_classes):
    X, y = texts(n_classes=n_classes)
    weights = {"ham": 2.0, "spam": 0.5, "eggs": 1.0}
    by_class = ElasticNetClassifier(l1=0.2, l2=0.1, class_weight={k: weights[k] for k in np.unique(y)}, tol=1e-12)
    by_sample = ElasticNetClassifier(l1=0.2, l2=0.1, tol=1e-12)
    np.testing.assert_allclose(
        by_class.fit(X, y).coef_, by_sample.fit(X, y, sample_weight=[weights[k] for k in y]).coef_, atol=1e-5
    )


def test_intercepts_of_several_classes_are_centred():
    X, y = texts(n_classes=3)
    for l1 in (0.0, 0.5):
        assert ElasticNetClassifier(l1=l1).fit(X, y).intercept_.sum() == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_fit_grid_equals_single_fits(n_classes):
    X, y = texts(n_classes=n_classes)
    grid = [
        {"l1": 0.1, "l2": 0.0},
        {"l1": 2.0, "l2": 0.1},
        {"l1": 0.0, "l2": 1.0},
        {"l1": 0.5, "class_weight": "balanced"},
    ]
    for estimator, point in zip(ElasticNetClassifier(tol=1e-10).fit_grid(X, y, grid), grid, strict=True):
        single = ElasticNetClassifier(tol=1e-10).set_params(**point).fit(X, y)
        assert estimator.get_params() == single.get_params()
        assert estimator.solution_.objective == pytest.approx(single.solution_.objective, rel=1e-9)
        assert estimator.dual_gap_ <= 1e-10


def test_works_in_pipelines_and_searches():
    X, y = texts()
    search = GridSearchCV(
        make_pipeline(MaxAbsScaler(), ElasticNetClassifier(l2=0.0)), {"elasticnetclassifier__l1": [0.1, 1.0]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.5


def test_a_document_without_known_words_is_decided_by_the_intercept():
    X, y = texts()
    model = ElasticNetClassifier().fit(X, y)
    assert model.decision_function(np.zeros((1, 20)))[0] == model.intercept_[0]


@pytest.mark.parametrize("name", ["l1", "l2"])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_bad_levels_are_refused_before_any_work(name, value):
    with pytest.raises(ValueError, match=rf"{name} is .*finite number, 0 or larger"):
        ElasticNetClassifier(**{name: value}).fit(object(), object())


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="only 1 class that counts, 'ham'"):
        ElasticNetClassifier().fit(np.eye(2), ["ham", "ham"])


def test_nan_in_x_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        ElasticNetClassifier().fit(np.array([[np.nan], [1.0]]), [0, 1])


def test_weights_all_zero_are_refused():
    with pytest.raises(ValueError, match="at least one non-zero"):
        ElasticNetClassifier().fit(np.eye(2), [0, 1], sample_weight=[0.0, 0.0])


def test_weights_all_zero_are_refused_where_scikit_learn_accepts_them(monkeypatch):
    monkeypatch.setattr("laconic.linear.base._check_sample_weight", lambda weight, X, **_: np.asarray(weight))
    with pytest.raises(ValueError, match="at least one non-zero"):
        ElasticNetRegressor().fit(np.eye(2), [0.0, 1.0], sample_weight=[0.0, 0.0])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({0: -1.0}, "its weights must be finite, 0 or larger"),
        ({0: np.nan}, "its weights must be finite, 0 or larger"),
        ({0: 0.0}, "only 1 class that counts, 1"),
        ({0: 0.0, 1: 0.0}, "at least one non-zero"),
    ],
)
def test_bad_class_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        ElasticNetClassifier(class_weight=weights).fit(np.eye(2), [0, 1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tol": -1.0}, "tol is -1.0; it must be a finite number, 0 or larger"),
        ({"tol": np.nan}, "tol is nan"),
        ({"max_iter": 0}, "max_iter is 0; it must be at least 1"),
    ],
)
def test_bad_settings_are_refused_before_any_work(settings, message):
    with pytest.raises(ValueError, match=message):
        ElasticNetClassifier(**settings).fit(object(), object())


def test_words_that_stand_for_each_other_leave_no_dust():
    """Of two words that always mean the same one is enough; rounding must not keep the other at 1e-14."""
    X = np.repeat([[1.0, 0.0], [0.0, 1.0]], 10, axis=0)
    model = ElasticNetClassifier(l1=1.0, l2=0.0).fit(X, ["up"] * 10 + ["down"] * 10)
    assert np.abs(model.coef_[model.coef_ != 0]).min() > 1e-6
    assert model.dual_gap_ <= 1e-6


def test_unknown_loss_is_refused():
    with pytest.raises(ValueError, match="loss is 'hinge'; allowed are 'logistic' and 'squared_hinge'"):
        ElasticNetClassifier(loss="hinge").fit(np.eye(2), [0, 1])


def test_squared_hinge_has_no_probabilities():
    model = ElasticNetClassifier(loss="squared_hinge").fit(np.eye(2), [0, 1])
    with pytest.raises(AttributeError):
        model.predict_proba(np.eye(2))


def test_stopping_early_warns_with_gap_tolerance_and_knob():
    X, y = texts()
    with pytest.warns(ConvergenceWarning, match=r"relative duality gap of .*above tol=1e-12.*max_iter \(now 1\)"):
        ElasticNetClassifier(l1=0.01, l2=0.0, tol=1e-12, max_iter=1).fit(X, y)


def test_separable_data_without_penalty_warn_and_have_no_certificate():
    with pytest.warns(ConvergenceWarning, match="no optimum"):
        model = ElasticNetClassifier(l1=0.0, l2=0.0).fit(np.array([[1.0], [2.0], [-1.0], [-2.0]]), [1, 1, 0, 0])
    assert model.dual_gap_ == np.inf
    assert model.predict([[3.0]])[0] == 1


@pytest.mark.parametrize("intercept", [True, False])
def test_columns_that_depend_on_each_other_exactly_are_no_slow_crawl(intercept):
    rng = np.random.default_rng(0)
    for _ in range(400):
        n, p = rng.integers(2, 5), rng.integers(3, 30)
        X, y = rng.poisson(0.7, (n, p)).astype(float), rng.normal(size=n)
        l1 = 3e-3 * np.abs(X.T @ (y - y.mean())).max()
        model = ElasticNetRegressor(l1=l1 + 1e-6, l2=0.0, fit_intercept=intercept).fit(X, y)
        assert model.dual_gap_ <= 1e-6
