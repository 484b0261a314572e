"""One run of dask-glm's ADMM on a dense lasso without an intercept: data, λ₁ and rounds in, JSON out."""

import json
import sys
import time

import dask.array as da
import numpy as np
from dask_glm.algorithms import admm
from dask_glm.families import Logistic
from distributed import Client, LocalCluster


def main() -> None:
    """Fit, and print seconds and the objective of the weights."""
    stored, l1, rounds = np.load(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    X, y = stored["X"], stored["y"]
    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(**options) as local, Client(local):
        chunks = (-(-len(X) // 2), X.shape[1])
        lazy, target = da.from_array(X, chunks=chunks).persist(), da.from_array(y, chunks=chunks[0]).persist()
        started = time.perf_counter()
        w = admm(lazy, target, regularizer="l1", lamduh=l1, max_iter=rounds, family=Logistic, abstol=1e-9, reltol=1e-9)
        seconds = time.perf_counter() - started
    margins = np.where(y > 0.5, 1.0, -1.0) * (X @ w)
    loss = float(np.sum(np.logaddexp(0.0, -margins)))
    print(json.dumps({"seconds": seconds, "objective": loss + l1 * float(np.abs(w).sum())}))


if __name__ == "__main__":
    main()
