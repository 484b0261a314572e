"""One run of dask-glm's ADMM on a dense lasso without an intercept: data, λ₁, rounds and ρ in, JSON out."""

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
    stored, l1, rounds, rho = np.load(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    # On columns of unit variance, its default, λ₁ would be another penalty.
    options = {"regularizer": "l1", "lamduh": l1, "max_iter": rounds, "rho": rho, "normalize": False}
    X, y = stored["X"], stored["y"]
    where = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(**where) as local, Client(local):
        chunks = (-(-len(X) // 2), X.shape[1])
        lazy, target = da.from_array(X, chunks=chunks).persist(), da.from_array(y, chunks=chunks[0]).persist()
        started = time.perf_counter()
        w = admm(lazy, target, family=Logistic, abstol=1e-9, reltol=1e-9, **options)
        seconds = time.perf_counter() - started
    margins = np.where(y > 0.5, 1.0, -1.0) * (X @ w)
    loss = float(np.sum(np.logaddexp(0.0, -margins)))
    print(json.dumps({"seconds": seconds, "objective": loss + l1 * float(np.abs(w).sum())}))


if __name__ == "__main__":
    main()
