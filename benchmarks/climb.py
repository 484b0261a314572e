"""Climbing ladders: for each solver the loosest setting that reaches a given suboptimality.

The suboptimality of a run is (P − P*)/P*, P* being the lowest value any solver reached. P* falls while solvers climb,
so the climb goes on until no solver has to be run again. How far P* can be from the true optimum is known from the
largest lower bound found on the way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.process import FailedError, TooSlowError

LEAST_LIMIT = 4.0  # seconds a fit may always take
SLOWER = 10.0  # times the fastest solver's seconds that a fit may take
FIRST_LIMIT = 600.0  # seconds while nobody has reached the target
PROVEN = 1e-9  # relative gap below which the optimum needs no further runs


@dataclass(frozen=True)
class Rung:
    """One run: its settings, seconds, value P, lower bound and words; a path has a value and a bound for each point."""

    settings: dict
    seconds: float
    value: float | NDArray[np.float64]
    bound: float | NDArray[np.float64]
    words: int


def suboptimality(rung: Rung, optimum: float | NDArray[np.float64]) -> float:
    """Return (P − P*)/P*; of a path at its worst point."""
    return float(np.max((rung.value - optimum) / optimum))


@dataclass
class Climber:
    """A solver on its ladder.

    Parameters
    ----------
    name : str
    ladder : sequence of dict
        Settings, loose to tight.
    run : callable
        ``run(settings, limit)`` gives a `Rung`, or raises `TooSlowError` or `FailedError`.
    """

    name: str
    ladder: Sequence[dict]
    run: Callable[[dict, float], Rung]
    rungs: list[Rung] = field(default_factory=list)
    extra: list[Rung] = field(default_factory=list)
    ended: str | None = None

    def reached(self, target: float, optimum: float | NDArray[np.float64]) -> Rung | None:
        """Return the loosest run that is close enough to the optimum, at all points of a path."""
        return next((rung for rung in self.rungs if suboptimality(rung, optimum) <= target), None)

    def step(self, limit: float) -> None:
        """Run the next rung; note why the climb ended where it did."""
        if len(self.rungs) == len(self.ladder):
            self.ended = "not reached"
            return
        try:
            self.rungs.append(self.run(self.ladder[len(self.rungs)], limit))
        except TooSlowError:
            self.ended = f"> {limit:.0f} s"
        except FailedError as error:
            self.ended = f"failed: {error}"

    def tightest(self, limit: float) -> None:
        """Run the last rung out of turn, for the sake of the optimum."""
        try:
            self.extra.append(self.run(self.ladder[-1], limit))
        except (TooSlowError, FailedError):
            return


class Climb:
    """All solvers at one point of a race. The first climber sets the first optimum by its tightest setting."""

    def __init__(self, climbers: Sequence[Climber], targets: Sequence[float]) -> None:
        self.climbers = list(climbers)
        self.targets = sorted(targets, reverse=True)

    @property
    def runs(self) -> list[Rung]:
        """All runs so far."""
        return [rung for climber in self.climbers for rung in (*climber.rungs, *climber.extra)]

    @property
    def optimum(self) -> float | NDArray[np.float64]:
        """P*, the lowest value reached; of a path at each of its points."""
        return np.min([rung.value for rung in self.runs], axis=0)

    @property
    def gap(self) -> float:
        """How far P* can be from the true optimum, relative to it; of a path at its worst point."""
        optimum = self.optimum
        return float(np.max((optimum - np.max([rung.bound for rung in self.runs], axis=0)) / optimum))

    def fastest(self, target: float) -> float | None:
        """Seconds of the fastest run that reached the target."""
        reached = [c.reached(target, self.optimum) for c in self.climbers]
        return min((rung.seconds for rung in reached if rung), default=None)

    def limit(self, target: float) -> float:
        """Seconds the next fit may take."""
        fastest = self.fastest(target)
        return FIRST_LIMIT if fastest is None else max(LEAST_LIMIT, SLOWER * fastest)

    def run(self, progress: Callable[[str], None] = lambda text: None) -> None:
        """Let all climb until each has reached every target or ended, and the optimum is proven as far as it can be."""
        self.climbers[0].tightest(FIRST_LIMIT)
        if not self.runs:
            raise FailedError(f"{self.climbers[0].name} could not be run, so there is no optimum to compare with.")
        while self._round(progress):
            pass
        by_speed = sorted(
            (rung.seconds, i)
            for i, climber in enumerate(self.climbers[1:], 1)
            if (rung := climber.reached(self.targets[-1], self.optimum))
        )
        for _, i in by_speed:
            if self.gap <= PROVEN:
                return
            self.climbers[i].tightest(self.limit(self.targets[-1]))
            while self._round(progress):
                pass

    def _round(self, progress: Callable[[str], None]) -> bool:
        moved = False
        for climber in self.climbers:
            for target in self.targets:
                while climber.ended is None and climber.reached(target, self.optimum) is None:
                    progress(f"{climber.name}: rung {len(climber.rungs) + 1} of {len(climber.ladder)}")
                    climber.step(self.limit(target))
                    moved = True
        return moved
