"""The same search on every joblib backend."""

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from laconic.evaluate import tune

GRID = {"C": [0.01, 0.1, 1.0]}


@pytest.fixture(scope="module")
def dask_client():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
        yield client


@pytest.mark.parametrize("with_dev", [False, True])
@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_backends_agree(request, data, dev, backend, with_dev):
    if backend == "dask":
        request.getfixturevalue("dask_client")
    given = {"dev": dev} if with_dev else {"folds": 2}
    expected = tune(LogisticRegression(), GRID, *data, **given)
    seen = []
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = tune(LogisticRegression(), GRID, *data, progress=lambda *call: seen.append(call), **given)
    assert found == expected
    np.testing.assert_array_equal(found.estimator.coef_, expected.estimator.coef_)
    assert len(seen) == (3 if with_dev else 7)
