import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.evaluate.label_folds import label_folds


def dealt_one_by_one(has, folds, seed):
    """The same folds, one document after the other."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([has, ~has.any(axis=1)])
    room = [len(table) / folds] * folds
    lacking = [[total / folds for total in table.sum(axis=0)] for _ in range(folds)]
    found = [-1] * len(table)
    while -1 in found:
        left = [i for i, fold in enumerate(found) if fold < 0]
        counts = {k: sum(table[i, k] for i in left) for k in range(table.shape[1])}
        rarest = min((k for k in counts if counts[k]), key=lambda k: (counts[k], k))
        rows = rng.permutation([i for i in left if table[i, rarest]])
        chance = rng.permutation(folds)
        for i in rows:
            fold = max(range(folds), key=lambda f: (lacking[f][rarest], room[f], -chance[f]))
            found[i] = fold
            room[fold] -= 1
            for k in np.flatnonzero(table[i]):
                lacking[fold][k] -= 1
    return found


@given(st.integers(0, 2**16), st.integers(2, 5), st.integers(2, 40), st.integers(1, 5), st.floats(0.05, 0.9))
@settings(max_examples=60, deadline=None)
def test_folds_are_those_of_dealing_one_by_one(seed, folds, n, labels, share):
    has = np.random.default_rng(seed).random((n, labels)) < share
    found = label_folds(has, folds, seed)
    assert found.tolist() == dealt_one_by_one(has, folds, seed)
    counts = has.sum(axis=0)
    if counts.any():  # the rarest label is dealt out first, and evenly
        rarest = int(np.where(counts > 0, counts, n + 1).argmin())
        rows = np.flatnonzero(has[:, rarest])
        if counts[rarest] <= (~has.any(axis=1)).sum() or not (~has.any(axis=1)).any():
            assert np.ptp(np.bincount(found[rows], minlength=folds)) <= 1


@pytest.mark.parametrize("folds", [3, 5])
def test_every_fold_has_its_share_of_every_label(folds):
    rng = np.random.default_rng(1)
    has = rng.random((600, 6)) < np.array([0.5, 0.3, 0.2, 0.1, 0.05, 0.02])
    found = label_folds(has, folds, seed=2)
    shares = np.array([has[found == fold].sum(axis=0) for fold in range(folds)])
    assert np.abs(shares - has.sum(axis=0) / folds).max() <= 3
    assert np.ptp(np.bincount(found)) <= 0.1 * len(has) / folds
    assert np.array_equal(found, label_folds(has, folds, seed=2))
    assert not np.array_equal(found, label_folds(has, folds, seed=3))
