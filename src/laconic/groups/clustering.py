r"""Mini-batch k-means (Sculley, "Web-scale k-means clustering", WWW 2010) and nearest neighbours, by matrix products.

Centres are seeded by k-means++ (Arthur & Vassilvitskii 2007) on a sample. Then batch after batch: every point of a
batch goes to its nearest centre, and a centre becomes the mean of all points it was ever given. All distances are
computed in blocks, so that memory holds one block of points × centres.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

BATCH = 4096
PASSES = 10
BLOCK = 1 << 22  # distances computed at a time
RUN = 64  # points of which the nearest is found at once
SAMPLE = 3  # points per centre among which seeds are sought


def mini_batch_clusters(points: NDArray, n_clusters: int, seed: int = 0) -> NDArray[np.int64]:
    """Return the number of the cluster of each point, from 0 in the order of their first points."""
    n_points = len(points)
    rng = np.random.default_rng(seed)
    centres = _seeds(points, min(n_clusters, n_points), rng)
    given = np.zeros(len(centres))
    for _ in range(PASSES):
        order = rng.permutation(n_points)
        for start in range(0, n_points, BATCH):
            batch = points[order[start : start + BATCH]]
            owner = nearest_centre(batch, centres)
            members = csr_array((np.ones(len(batch)), (owner, np.arange(len(batch)))), shape=(len(centres), len(batch)))
            count = np.bincount(owner, minlength=len(centres))
            given += count
            share = 1.0 / np.maximum(given, 1.0)
            centres += ((members @ batch - count[:, None] * centres) * share[:, None]).astype(centres.dtype)
    _, first, label = np.unique(nearest_centre(points, centres), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[label]


def nearest_centre(points: NDArray, centres: NDArray) -> NDArray[np.int64]:
    """Return the number of the nearest centre of each point; of equally near ones the first."""
    half = 0.5 * (centres**2).sum(axis=1)
    rows = max(1, BLOCK // max(1, len(centres)))
    nearest = [np.argmax(points[at : at + rows] @ centres.T - half, axis=1) for at in range(0, len(points), rows)]
    return np.concatenate(nearest) if nearest else np.zeros(0, dtype=np.int64)


def nearest_by_cosine(units: NDArray, count: int) -> NDArray[np.int64]:
    """Return for each of several unit vectors the numbers of its nearest others, nearest first."""
    n_points = len(units)
    count = min(count, n_points - 1)
    if count < 1:
        return np.zeros((n_points, 0), dtype=np.int64)
    rows = max(1, BLOCK // n_points)
    n_runs = -(-n_points // RUN)
    nearest = []
    for at in range(0, n_points, rows):
        some = units[at : at + rows]
        near = np.full((len(some), n_runs * RUN), -np.inf, dtype=units.dtype)
        np.matmul(some, units.T, out=near[:, :n_points])
        place = np.arange(len(some))
        near[place, at + place] = -np.inf
        # The nearest stand in the runs with the largest maxima: one pass over all, and a choice among few.
        maxima = near.reshape(len(some), n_runs, RUN).max(axis=2)
        runs = np.argpartition(-maxima, min(count, n_runs) - 1, axis=1)[:, :count]
        among = (np.sort(runs, axis=1)[:, :, None] * RUN + np.arange(RUN)).reshape(len(some), -1)
        order = np.argsort(-np.take_along_axis(near, among, axis=1), axis=1, kind="stable")[:, :count]
        nearest.append(np.take_along_axis(among, order, axis=1))
    return np.concatenate(nearest)


def _seeds(points: NDArray, n_clusters: int, rng: np.random.Generator) -> NDArray:
    """Return points as first centres, each drawn with a chance that grows with its squared distance to the others."""
    size = min(len(points), max(SAMPLE * n_clusters, BATCH))
    sample = points[np.sort(rng.choice(len(points), size, replace=False))]
    squares = (sample**2).sum(axis=1)
    chosen = [int(rng.integers(size))]
    distance = np.full(size, np.inf)
    for _ in range(n_clusters - 1):
        last = chosen[-1]
        distance = np.minimum(distance, np.maximum(squares - 2.0 * (sample @ sample[last]) + squares[last], 0.0))
        total = np.cumsum(distance, dtype=np.float64)
        if total[-1] <= 1e-6 * size:
            break  # all points that are left coincide with a centre
        chosen.append(int(np.searchsorted(total, rng.random() * total[-1], side="right").clip(0, size - 1)))
    return sample[chosen].copy()
