"""The process that runs one solver in its own environment: ``python -m benchmarks.worker SOLVER``.

Reads one JSON command per line from standard input and answers each with one JSON line. It keeps the data in memory and
imports only numpy, scipy, the standard library and the solver's own file.

====================================================  ==================================================================
command                                               answer
====================================================  ==================================================================
``{"do": "load", "path": …}``                         ``{"seconds": …}``, spent on reading alone
``{"do": "refuses", "n_classes": k}``                 ``{"reason": … or null}``
``{"do": "fit", "task": …, "settings": …,``           ``{"seconds": …, "fits": …}``: mean seconds of a fit; fits are
``"at_least": seconds, "out": path or null}``         repeated until ``at_least`` is over; ``out`` gets W and b
``{"do": "memory"}``                                  ``{"peak_mb": …}``, the most this process ever held
``{"do": "versions"}``                                ``{"versions": {…}}``
====================================================  ==================================================================

A command that fails is answered with ``{"error": …}``.
"""

import gc
import json
import os
import sys
import time
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.datasets import read
from benchmarks.solvers import get
from benchmarks.task import Task


class Worker:
    """A solver and the data it works on."""

    def __init__(self, name: str) -> None:
        self.solver = get(name)
        self.shape = (0, 0)
        self.data: Any = None

    def load(self, path: str) -> dict:
        """Read the data and bring it into the solver's own form."""
        started = time.perf_counter()
        self.data = None
        X, y = read(Path(path))
        seconds = time.perf_counter() - started
        self.shape = X.shape
        self.data = self.solver.prepare(X, y) if hasattr(self.solver, "prepare") else (X, y)
        return {"seconds": seconds}

    def refuses(self, n_classes: int) -> dict:
        """Say why the solver cannot be run on these data."""
        ask = getattr(self.solver, "refuses", None)
        return {"reason": ask(*self.shape, n_classes) if ask else None}

    def fit(self, task: dict, settings: dict, at_least: float = 0.0, out: str | None = None) -> dict:
        """Fit until ``at_least`` seconds are over and return the mean time of a fit."""
        what = Task(**task)
        gc.collect()
        fits = 0
        started = time.perf_counter()
        while True:
            fitted = self.solver.fit(self.data, what, **settings)
            fits += 1
            seconds = time.perf_counter() - started
            if seconds >= at_least:
                break
        if out is not None:
            W, b = self.solver.weights(fitted)
            W = sparse.csc_matrix(W)
            np.savez(out, data=W.data, indices=W.indices, indptr=W.indptr, shape=W.shape, b=b)
        return {"seconds": seconds / fits, "fits": fits}

    def memory(self) -> dict:
        """Return the high-water mark of this process; getrusage would give the parent's where that is larger."""
        lines = Path("/proc/self/status").read_text().splitlines()
        return {"peak_mb": next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024}

    def versions(self) -> dict:
        """Return the versions of the solver's packages."""
        return {"versions": {package: metadata.version(package) for package in self.solver.PACKAGES}}


def main() -> int:
    """Answer commands until the input ends."""
    warnings.simplefilter("ignore")
    # Some libraries print to standard output, from C too: answers get a channel of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(sys.argv[1])
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = getattr(worker, command.pop("do"))(**command)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
