"""k-means and nearest neighbours against slow, obvious twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.groups import clustering
from laconic.groups.clustering import mini_batch_clusters, nearest_by_cosine, nearest_centre


def units(n, dimension, seed):
    points = np.random.default_rng(seed).normal(size=(n, dimension))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 8), st.integers(1, 60), st.integers(1, 9), st.integers(0, 99))
def test_nearest_equal_slow_twins(n, count, block, run, seed):
    points = units(n, 3, seed)
    centres = units(4, 3, seed + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clustering, "BLOCK", block)
        patch.setattr(clustering, "RUN", run)
        near, owner = nearest_by_cosine(points, count), nearest_centre(points, centres)
    distance = ((points[:, None] - centres) ** 2).sum(axis=2)
    assert owner.tolist() == distance.argmin(axis=1).tolist()
    cosine = points @ points.T
    np.fill_diagonal(cosine, -np.inf)
    expected = [np.argsort(-row)[: min(count, n - 1)].tolist() for row in cosine]
    assert near.tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_separate_clouds_are_found(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 6, 600)
    points = 10.0 * np.eye(6)[truth] + 0.1 * rng.normal(size=(600, 6))
    label = mini_batch_clusters(points, 6, seed)
    assert len({(a, b) for a, b in zip(truth.tolist(), label.tolist(), strict=True)}) == 6
    first = [label.tolist().index(k) for k in range(6)]
    assert first == sorted(first)


def test_clusters_are_good_and_the_same_again(monkeypatch):
    points = units(500, 5, 0).astype(np.float32)
    monkeypatch.setattr(clustering, "BATCH", 64)
    label = mini_batch_clusters(points, 20, seed=3)
    assert np.array_equal(label, mini_batch_clusters(points, 20, seed=3))
    assert not np.array_equal(label, mini_batch_clusters(points, 20, seed=4))
    assert cost(points, label) < 1.15 * lloyd(points, 20)


def test_coinciding_points_give_fewer_clusters():
    points = np.repeat(np.eye(3), 10, axis=0)
    label = mini_batch_clusters(points, 8)
    assert label.tolist() == np.repeat([0, 1, 2], 10).tolist()
    assert mini_batch_clusters(np.ones((1, 2)), 5).tolist() == [0]


def cost(points, label):
    return sum(((own - own.mean(axis=0)) ** 2).sum() for own in (points[label == k] for k in np.unique(label)))


def lloyd(points, k):
    """Return the cost of plain k-means after 50 rounds."""
    centres = points[np.random.default_rng(1).choice(len(points), k, replace=False)]
    for _ in range(50):
        label = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        centres = np.array([points[label == j].mean(axis=0) if (label == j).any() else centres[j] for j in range(k)])
    return cost(points, label)
