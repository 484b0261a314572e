"""A worker seen from the race: started in its environment, asked one thing at a time, killed when it takes too long."""

import json
import os
import select
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.environments import python
from benchmarks.solvers import get
from benchmarks.task import Task

ROOT = Path(__file__).parents[1]
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)


class TooSlowError(RuntimeError):
    """A command took longer than it was given; the worker has been killed."""


class FailedError(RuntimeError):
    """A worker could not do what it was asked to; the message is the solver's own."""


class Process:
    """A running worker.

    Parameters
    ----------
    solver : str
        Name of its file in ``benchmarks/solvers``.
    """

    def __init__(self, solver: str) -> None:
        interpreter = python(get(solver).ENVIRONMENT)
        self.started = time.perf_counter()
        # What a library prints is kept aside: its last line says why the worker died, if it does.
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            [interpreter, "-m", "benchmarks.worker", solver],
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()

    def ask(self, limit: float | None = None, **command: Any) -> dict:
        """Send a command and return the answer; after ``limit`` seconds kill the worker and raise `TooSlowError`."""
        try:
            self._process.stdin.write((json.dumps(command) + "\n").encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise FailedError(self._last_words()) from None
        if not select.select([self._process.stdout], [], [], limit)[0]:
            self.kill()
            raise TooSlowError(f"more than {limit:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise FailedError(self._last_words())
        answer = json.loads(line)
        if "error" in answer:
            raise FailedError(answer["error"])
        return answer

    def fit(
        self, task: Task, settings: dict, limit: float | None = None, at_least: float = 0.0
    ) -> tuple[float, sparse.csc_array, NDArray[np.float64]]:
        """Fit and return mean seconds, W and b."""
        with tempfile.TemporaryDirectory() as folder:
            out = str(Path(folder, "weights.npz"))
            answer = self.ask(limit, do="fit", task=asdict(task), settings=settings, at_least=at_least, out=out)
            with np.load(out) as stored:
                W = sparse.csc_array((stored["data"], stored["indices"], stored["indptr"]), shape=stored["shape"])
                return answer["seconds"], W, stored["b"]

    def time(self, task: Task, settings: dict, at_least: float) -> float:
        """Fit until ``at_least`` seconds are over and return the mean time of a fit."""
        return self.ask(do="fit", task=asdict(task), settings=settings, at_least=at_least)["seconds"]

    def kill(self) -> None:
        """End the worker."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            # What was still to be written to a worker that died is lost, and nobody misses it.
            with suppress(BrokenPipeError):
                stream.close()

    def _last_words(self) -> str:
        self._process.wait()
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()
        return lines[-1] if lines else f"the worker ended with code {self._process.returncode}"
