import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array
from sklearn.metrics import average_precision_score, f1_score, log_loss

from laconic.linear import ElasticNetClassifier, OMPClassifier, lambda_max
from laconic.models.search.label_paths import LOOSE, HeldOut, Split, label_path

N, FOLDS = 150, 3


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = (rng.random((N, 12)) < 0.3).astype(float)
    return X, X @ rng.normal(size=12) + rng.normal(size=N) > 1.0


def splits_of(X):
    part = np.arange(N) % FOLDS
    pairs = [(np.flatnonzero(part != fold), np.flatnonzero(part == fold)) for fold in range(FOLDS)]
    return [Split(csc_array(X[fit]), fit, csr_array(X[out]), out) for fit, out in pairs], part


def grid_of(X, has, n=6, last=0.05):
    return [{"l1": float(one), "l2": 0.0} for one in lambda_max(X, has) * np.geomspace(0.6, last, n)]


def margins_of(setting, X, has, splits):
    margins = np.empty(N)
    for split in splits:
        alone = ElasticNetClassifier(**setting, tol=1e-9).fit(X[split.rows], has[split.rows])
        margins[split.out] = alone.decision_function(X[split.out])
    return margins


def test_settings_are_scored_by_margins_of_fits_without_the_fold(data):
    X, has = data
    splits, part = splits_of(X)
    tried = label_path(ElasticNetClassifier(), grid_of(X, has), has, splits, HeldOut(has, part, "accuracy"))
    for one in tried:
        margins = margins_of(one.setting, X, has, splits)
        given = 1.0 / (1.0 + np.exp(-margins)) >= one.threshold.value
        assert one.score == pytest.approx(f1_score(has, given), abs=0.03)  # the fits are loose
        own = [f1_score(has[part == fold], given[part == fold]) for fold in range(FOLDS)]
        np.testing.assert_allclose(one.by_part, own, atol=0.06)
        assert one.score == pytest.approx(2.0 / (1.0 / one.threshold.precision + 1.0 / one.threshold.recall))
    assert [one.weights for one in tried] == sorted(one.weights for one in tried)


@pytest.mark.parametrize(("metric", "other"), [("average_precision", average_precision_score), ("log_loss", log_loss)])
def test_other_metrics_are_scikit_learns(data, metric, other):
    _, has = data
    margins = np.random.default_rng(1).normal(size=N)
    held_out = HeldOut(has, np.arange(N) % FOLDS, metric)
    sign = -1.0 if metric == "log_loss" else 1.0
    found = held_out.tried({}, margins, 3.0)
    assert found.score == pytest.approx(sign * other(has, 1.0 / (1.0 + np.exp(-margins))))
    few = HeldOut(np.arange(N) == 0, np.arange(N) % FOLDS, metric).tried({}, margins, 3.0)
    assert np.isnan(few.by_part[1:]).all()


def test_a_path_ends_where_it_gets_worse(data):
    X, _ = data
    noise = np.random.default_rng(5).random(N) < 0.3  # nothing to learn
    splits, part = splits_of(X)
    grid = grid_of(X, noise, 30, 1e-4)
    tried = label_path(ElasticNetClassifier(), grid, noise, splits, HeldOut(noise, part, "accuracy"))
    assert 1 < len(tried) < 25
    assert [one.setting for one in tried] == grid[: len(tried)]
    two = [*grid, *({**setting, "l2": 1.0} for setting in grid)]  # the second run begins anew
    both = label_path(ElasticNetClassifier(), two, noise, splits, HeldOut(noise, part, "accuracy"))
    assert {one.setting["l2"] for one in both} == {0.0, 1.0}
    assert len(both) < 50


def test_a_label_without_words_or_documents_keeps_one_half(data):
    X, has = data
    splits, part = splits_of(X)
    strong = [{"l1": 1e6, "l2": 0.0}]
    assert label_path(ElasticNetClassifier(), strong, has, splits, HeldOut(has, part, "accuracy"))[0].threshold is None
    nobody = HeldOut(np.zeros(N, dtype=bool), part, "accuracy").tried({}, np.ones(N), 3.0)
    assert nobody.threshold is None
    assert np.isnan(nobody.score)


def test_budgets_of_a_pursuit_are_one_run(data):
    X, has = data
    splits, part = splits_of(X)
    grid = [{"l2": l2, "budget": budget} for l2 in (1.0, 0.1) for budget in (1, 2, 4)]
    tried = label_path(OMPClassifier(), grid, has, splits, HeldOut(has, part, "accuracy"))
    assert [one.setting for one in tried] == grid
    assert [one.weights for one in tried] == [1, 2, 4, 1, 2, 4]


def test_the_search_is_loose_and_the_estimator_keeps_its_own_tolerance_if_that_is_looser(data):
    X, has = data
    splits, part = splits_of(X)
    exact, rough = ElasticNetClassifier(tol=1e-9), ElasticNetClassifier(tol=0.1)
    for estimator, tol in ((exact, LOOSE), (rough, 0.1)):
        label_path(estimator, grid_of(X, has, 1), has, splits, HeldOut(has, part, "accuracy"))
        assert estimator.tol == tol
