"""Fits on partitions against the same fits in memory."""

from dataclasses import replace

import numpy as np
import pytest

from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.partitions import fit_partitions, partition_matrices
from tests.partitions.conftest import same, split


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
@pytest.mark.parametrize("l2", [0.0, 0.5])
def test_an_elastic_net_on_partitions_is_the_one_in_memory(tmp_path, planted, way, parts, l2):
    X, y = planted
    # At a gap of 1e-9 a word whose weight is 1e-4 at the optimum may still be missing, on either side.
    estimator = ElasticNetClassifier(l1=1.0, l2=l2, tol=1e-12)
    same(fit_partitions(estimator, partition_matrices(split(X, y, parts), tmp_path)), estimator.fit(X, y))


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
def test_a_lasso_on_a_cluster_is_the_one_in_memory(tmp_path, planted, cluster, way, parts):
    X, y = planted
    estimator = ElasticNetClassifier(l1=1.0, l2=0.0, tol=1e-9)
    same(fit_partitions(estimator, partition_matrices(split(X, y, parts), tmp_path, cluster)), estimator.fit(X, y))


@pytest.mark.parametrize(
    "settings",
    [
        {"loss": "squared_hinge"},
        {"class_weight": "balanced"},
        {"class_weight": {"no": 2.0}},
        {"fit_intercept": False},
        {"l2": 0.2, "fit_intercept": False},
    ],
)
def test_other_losses_and_weights(tmp_path, planted, way, settings):
    X, y = planted
    estimator = ElasticNetClassifier(**{"l1": 1.5, "l2": 0.0, "tol": 1e-9, **settings})
    same(fit_partitions(estimator, partition_matrices(split(X, y, 3), tmp_path)), estimator.fit(X, y))


@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_several_classes(tmp_path, planted, l2):
    X, y = planted
    three = np.where(X[:, [1]].toarray()[:, 0] > 0, "maybe", y)
    estimator = ElasticNetClassifier(l1=1.5, l2=l2, tol=1e-9)
    model = fit_partitions(estimator, partition_matrices(split(X, three, 3), tmp_path))
    same(model, estimator.fit(X, three))
    np.testing.assert_allclose(model.predict_proba(X), estimator.predict_proba(X), atol=1e-4)


def test_several_classes_with_groups(tmp_path, planted):
    X, y = planted
    three = np.where(X[:, [1]].toarray()[:, 0] > 0, "maybe", y)
    groups = {f"g{i}": list(range(5 * i, 5 * i + 8)) for i in range(78)}
    estimator = GroupLassoClassifier(groups, 1.0, 0.5, tol=1e-8)
    model = fit_partitions(estimator, partition_matrices(split(X, three, 3), tmp_path))
    assert model.dual_gap_ <= 1e-8
    assert model.solution_.objective == pytest.approx(estimator.fit(X, three).solution_.objective, rel=1e-7)


def test_a_penalty_that_is_too_weak_is_refused_with_what_to_do(tmp_path, planted, monkeypatch):
    X, y = planted
    monkeypatch.setattr("laconic.partitions.fitting.MOST", 10)
    monkeypatch.setattr("laconic.partitions.subproblem.MOST_CELLS", 0)
    with pytest.raises(ValueError, match="Strengthen l1"):
        fit_partitions(ElasticNetClassifier(l1=0.1, l2=0.0), partition_matrices(split(X, y, 2), tmp_path))


def test_matrices_that_do_not_fit_together_are_refused(tmp_path):
    with pytest.raises(ValueError, match="Matrix 1 has 3 columns"):
        partition_matrices([(np.eye(2), [0, 1]), (np.eye(3), [0, 1, 1])], tmp_path / "a")
    with pytest.raises(ValueError, match="at least two classes"):
        partition_matrices([(np.eye(2), [1, 1])], tmp_path / "b")
    with pytest.raises(FileExistsError, match="not empty"):
        partition_matrices([(np.eye(2), [0, 1])], tmp_path)


def test_a_start_with_an_intercept_leaves_none_where_there_is_to_be_none(tmp_path, planted, way):
    X, y = planted
    start = ElasticNetClassifier(l1=3.0, l2=0.0).fit(X, y).solution_
    assert abs(start.intercept[0]) > 0.01
    estimator = ElasticNetClassifier(l1=1.5, l2=0.0, tol=1e-9, fit_intercept=False)
    model = fit_partitions(estimator, partition_matrices(split(X, y, 3), tmp_path), start=start)
    assert model.intercept_.tolist() == [0.0]
    same(model, estimator.fit(X, y))


@pytest.mark.parametrize("groups", [None, {"a": [0, 1, 2], "b": [3, 4], "c": [5]}])
@pytest.mark.parametrize("scale", [30.0, 1e150])
def test_a_start_worse_than_zero_weights_is_left(tmp_path, way, groups, scale):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.7, (60, 6)).astype(float)
    y = np.searchsorted([-0.5, 0.5], X[:, 0] - X[:, 1] + rng.normal(size=60))
    corpus = partition_matrices(split(X, y, 3), tmp_path)
    estimator = ElasticNetClassifier(l1=0.5, l2=0.0) if groups is None else GroupLassoClassifier(groups, group=0.5)
    cold = fit_partitions(estimator, corpus).solution_
    poor = replace(cold, weights=scale * rng.normal(size=cold.weights.shape))
    warm = fit_partitions(estimator, corpus, start=poor).solution_
    assert warm.converged
    assert warm.objective == pytest.approx(cold.objective, rel=2e-6)
