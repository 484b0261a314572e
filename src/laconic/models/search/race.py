"""The search over runs: all splits in step, cheap methods first, and what cannot catch up is dropped.

The lasso goes first: its settings are the cheapest and show what can be reached. A run of a sparse method is dropped
when, for two settings in a row, models of no more words are surely better (by a 95% interval of the paired difference
over the folds) and its deficit does not shrink; pursuits, which start ahead of all others, are compared among
themselves. Levels of λ₂ and λ_g are added beyond the first and the last while the
best of all sparse models is there. All of this depends on scores alone, so that threads change nothing but the time.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from laconic.core.interruption import Stopped, stoppable
from laconic.models.search.followed import Fit, Followed, Side
from laconic.models.search.recipe import PURSUITS, SPARSE
from laconic.models.search.runs import LIKELY, Family
from laconic.models.search.tried import Judge, Tried, gain, goodness

FIRST = "lasso"
SHRINKS = 0.7  # of the deficit before is a deficit of a run that catches up

Job = tuple[Followed, int]
Fits = Callable[[Sequence[Job]], Iterable[list[Fit]]]


@dataclass
class Race:
    """Runs of methods side by side; ``sides`` gives what a method needs of every split, ``fits`` does the jobs.

    Once ``ends`` is true and some model has words, what was not tried is left out.
    """

    judge: Judge
    sides: Callable[[str], Sequence[Side]]
    most_words: int | None = None
    fits: Fits = lambda jobs: [run.fit(number) for run, number in jobs]
    drops: bool = True
    ends: Callable[[], bool] = lambda: False
    runs: list[Followed] = field(default_factory=list)
    to_come: list[Family] = field(default_factory=list)
    stopped: bool = False

    def run(self, families: Sequence[Family]) -> list[Tried]:
        """Follow all runs of some methods to their ends; return what was tried, run after run."""
        first, self.to_come = ([one for one in families if (one.method == FIRST) is own] for own in (True, False))
        with stoppable(lambda: self.ends() and self._has_words()):
            try:
                self._follow(first)
                then, self.to_come = self.to_come, []
                self._follow(then)
            except Stopped:
                self.stopped = True
        return [one for run in sorted(self.runs, key=lambda run: -run.run.level) for one in run.tried]

    def best(self) -> Tried | None:
        """Return the best sparse model so far, of equal ones the smallest."""
        most = float("inf") if self.most_words is None else self.most_words
        sparse = [one for run in self.runs for one in run.tried if one.method in SPARSE and one.words <= most]
        metric = self.judge.metric
        return max(sparse, key=lambda one: (goodness(metric, one.mean), -one.words), default=None)

    def left_out(self) -> list[str]:
        """Return what was not tried to its end because the search was stopped."""
        begun = {run.run.method for run in self.runs if run.tried}
        never = [family.method for family in self.to_come if family.method not in begun]
        unfinished = {run.run.method for run in self.runs if not run.over} - set(never)
        ended = [f"{method}: weaker penalties" for method in sorted(unfinished)]
        return [*ended, *(f"{method}: all settings" for method in never)] if self.stopped else []

    def ahead(self) -> int:
        """Return how many fits are still to come, as far as one can tell."""
        strides = sum(max(LIKELY[run.run.method] - run.strides, 1) for run in self.runs if not run.over)
        strides += sum(LIKELY[family.method] * len(family.levels) for family in self.to_come)
        return strides * self.runs[0].n_splits

    def _follow(self, families: Sequence[Family]) -> None:
        entering = [family.run(level) for family in families for level in family.levels]
        while entering:
            self.runs += (active := [Followed(run, self.sides(run.method)) for run in entering])
            while active := [run for run in active if self._goes_on(run)]:
                self._advance(active)
            entering = [family.run(level) for family in families for level in self._beyond(family)]

    def _has_words(self) -> bool:
        """Say whether a model has words; until then no clock ends the search."""
        return any(one.words for run in self.runs for one in run.tried)

    def _advance(self, runs: Sequence[Followed]) -> None:
        """Take one stride of every run; pursuits, whose strides are the longest, come first."""
        ordered = sorted(runs, key=lambda run: run.run.method not in PURSUITS)
        fits = iter(self.fits([(run, number) for run in ordered for number in range(run.n_splits)]))
        for run in ordered:
            run.take([next(fits) for _ in range(run.n_splits)], self.judge, self.most_words)

    def _goes_on(self, run: Followed) -> bool:
        planned = run.run.planned
        on_its_way = planned is None or run.strides < planned or self._leads(run)
        run.over = run.over or not on_its_way or (self.drops and self._is_behind(run))
        return not run.over

    def _leads(self, run: Followed) -> bool:
        """Say whether the last setting of a run is the best of all sparse ones, by more than its standard error."""
        last, others = run.tried[-1], [one for other in self.runs for one in other.tried if one is not run.tried[-1]]
        ahead = gain(last, max(others, key=lambda one: goodness(self.judge.metric, one.mean)), self.judge.metric)
        return last is self.best() and ahead.value > ahead.error

    def _is_behind(self, run: Followed) -> bool:
        """Say whether models of no more words are surely better, and stay so."""
        if run.run.method not in SPARSE or len(run.tried) < 2:
            return False
        pursued = run.run.method in PURSUITS
        kin = [other for other in self.runs if other is not run and (other.run.method in PURSUITS) is pursued]
        rivals = [one for other in kin for one in other.tried if one.method in SPARSE]
        before, now = (self._deficit(one, rivals) for one in run.tried[-2:])
        return before > 0.0 and now > SHRINKS * before

    def _deficit(self, one: Tried, rivals: Sequence[Tried]) -> float:
        gains = (gain(rival, one, self.judge.metric) for rival in rivals if rival.words <= one.words)
        return max((ahead.value for ahead in gains if ahead.value > ahead.half), default=0.0)

    def _beyond(self, family: Family) -> list[float]:
        """Return the levels next to that of the best of all sparse models, where it is the first or the last."""
        best, runs = self.best(), [run for run in self.runs if run.run.method == family.method]
        own = [run.run.level for run in runs if any(one is best for one in run.tried)]
        return family.beyond(own[0], [run.run.level for run in runs]) if own else []
