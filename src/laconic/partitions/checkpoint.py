"""`Checkpoint`: the last round of a fit on disk, so that an interrupted one goes on where it was."""

import hashlib
import os
from pathlib import Path

import numpy as np

from laconic.core.atomic import replacing
from laconic.core.losses import Array
from laconic.core.solution import Solution
from laconic.partitions.solving import Progress, Watch


class Checkpoint:
    """The state of one fit in a folder, in a file named after ``key``: whatever decides the result of the fit."""

    def __init__(self, folder: str | os.PathLike, key: str) -> None:
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        self.path = place / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"
        self.start: Solution | None = None
        self.finished: Solution | None = None
        if self.path.is_file():
            self._read()

    def watching(self, watch: Watch | None) -> Watch:
        """Return a watch that writes every round, and then calls another."""

        def keep(progress: Progress) -> None:
            state = progress.objective, progress.dual_objective, float(progress.iteration), 0.0
            self._write(progress.weights, progress.intercept, state)
            if watch is not None:
                watch(progress)

        return keep

    def finish(self, solution: Solution) -> None:
        """Write the end of the fit."""
        state = solution.objective, solution.dual_objective, float(solution.iterations), 1.0 + solution.converged
        self._write(solution.weights, solution.intercept, state)

    def _write(self, weights: Array, intercept: Array, state: tuple[float, ...]) -> None:
        support = np.flatnonzero(weights.any(axis=1))
        arrays = {"n": np.array(len(weights)), "support": support, "weights": weights[support], "intercept": intercept}
        with replacing(self.path, "wb") as file:
            np.savez(file, allow_pickle=False, state=np.array(state), **arrays)

    def _read(self) -> None:
        with np.load(self.path, allow_pickle=False) as stored:
            weights = np.zeros((int(stored["n"]), stored["weights"].shape[1]))
            weights[stored["support"]] = stored["weights"]
            objective, dual, iterations, done = stored["state"].tolist()
            found = Solution(weights, stored["intercept"], objective, dual, done == 2.0, int(iterations))
        if done:
            self.finished = found
        else:
            self.start = found
