"""The workers of one race: started when first needed, loaded, warmed up, started again after they had to be killed."""

import time
from collections.abc import Callable
from types import TracebackType

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks import datasets, solvers
from benchmarks.climb import Climber, Rung
from benchmarks.environments import NotInstalledError
from benchmarks.objectives._objective import Objective, bound, value
from benchmarks.process import FailedError, Process, TooSlowError
from benchmarks.task import Task

Judge = Callable[[sparse.csc_array, NDArray[np.float64]], tuple]
START_LIMIT = 120.0  # seconds for reading the data and for the first fit, which may compile


class Team:
    """Workers for one objective on one data set."""

    def __init__(
        self, objective: Objective, data: datasets.Data, names: list[str], also: dict[str, dict] | None = None
    ) -> None:
        # Settings of some solvers beside the tolerance.
        self.also = also or {}
        self.objective = objective
        self.data = data
        self.largest = objective.lambda_max(data.X, data.y)
        self.absent: dict[str, str] = {}
        self.versions: dict[str, dict[str, str]] = {}
        self._running: dict[str, Process] = {}
        for name in names:
            self._try(name)
        self.names = [name for name in names if name not in self.absent]

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for process in self._running.values():
            process.kill()

    def process(self, name: str) -> Process:
        """Return the solver's worker, loaded and warm."""
        if name not in self._running:
            process = Process(name)
            self._running[name] = process
            try:
                self.load(process, name)
                reason = process.ask(do="refuses", n_classes=self.data.n_classes)["reason"]
                if reason:
                    raise FailedError(reason)
                # Its first fit may compile: an easy one, not counted.
                process.fit(self.task(2.0), self._settings(name)[0], START_LIMIT)
            except (FailedError, TooSlowError):
                self._stop(name)
                raise
        return self._running[name]

    def load(self, process: Process, name: str) -> float:
        """Let a worker read the data; return the seconds of reading."""
        path = datasets.file(self.data.name, self.objective.many_classes, solvers.get(name).FORMAT)
        return process.ask(START_LIMIT, do="load", path=str(path))["seconds"]

    def task(self, divisor: float) -> Task:
        """Return the task at λ_max / divisor."""
        return self.objective.task(self.largest / divisor, self.data.n_classes)

    def climber(self, name: str, task: Task, judge: Judge | None = None) -> Climber:
        """Return the solver on its ladder for one task; ``judge`` gives value, bound and words of an answer."""
        judge = judge or self.judge(task)

        def once(settings: dict, limit: float) -> Rung:
            try:
                seconds, W, b = self.process(name).fit(task, settings, limit)
            except (TooSlowError, FailedError):
                self._stop(name)
                raise
            return Rung(settings, seconds, *judge(W, b))

        def run(settings: dict, limit: float) -> Rung:
            # Of a solver whose answers differ from fit to fit the middle one counts, neither luck nor bad luck.
            drawn = [once(settings, limit) for _ in range(getattr(solvers.get(name), "DRAWS", 1))]
            return sorted(drawn, key=lambda rung: rung.value)[len(drawn) // 2] if len(drawn) > 1 else drawn[0]

        return Climber(solvers.get(name).NAME, self._settings(name), run)

    def judge(self, task: Task) -> Judge:
        """Return what gives P, a lower bound and the number of words for an answer to the task."""

        def judge(W: sparse.csc_array, b: NDArray[np.float64]) -> tuple[float, float, int]:
            dense = W.toarray()
            words = int(dense.any(axis=1).sum())
            return value(task, self.data.X, self.data.y, dense, b), bound(task, self.data.X, self.data.y, dense), words

        return judge

    def cold(self, name: str, task: Task, settings: dict) -> tuple[float, float]:
        """Return seconds from the start of a new process to the end of its first fit, without reading, and its MB."""
        with Process(name) as process:
            reading = self.load(process, name)
            process.time(task, settings, 0.0)
            seconds = time.perf_counter() - process.started - reading
            return seconds, process.ask(do="memory")["peak_mb"]

    def _settings(self, name: str) -> list[dict]:
        return [{**settings, **self.also.get(name, {})} for settings in solvers.get(name).SETTINGS]

    def _try(self, name: str) -> None:
        try:
            self.versions[solvers.get(name).NAME] = self.process(name).ask(do="versions")["versions"]
        except NotInstalledError as error:
            self.absent[name] = f"not installed: {error}"
        except TooSlowError as error:
            self.absent[name] = f"{error} for an easy first fit"
        except FailedError as error:
            self.absent[name] = str(error)

    def _stop(self, name: str) -> None:
        if name in self._running:
            self._running.pop(name).kill()
