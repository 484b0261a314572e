"""`Followed`: one run of settings, fitted on all splits in step and scored, and when it has gone far enough."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from laconic.evaluate.tuning.candidates import SLACK
from laconic.evaluate.tuning.grid_fits import failure
from laconic.linear.base import Seen
from laconic.linear.pursuit_base import Pursuer
from laconic.models.search.folds import Split
from laconic.models.search.runs import Run
from laconic.models.search.tried import Judge, Margins, Sizes, Tried, gain, goodness

LOOSE = 1e-2  # relative gap of fits that are only scored
FALLS, RISEN = 0.995, 1.01  # times the least log-loss is an improvement, is past it
GAINS = 0.001  # in score is an improvement
PATIENCE = 2  # settings in a row that improve nothing


class Fit(NamedTuple):
    """One setting on one split: margins of the documents held out, and the size and the gap of the model."""

    margins: Margins
    words: int
    weights: int
    gap: float


class Side(Protocol):
    """One split as a method sees it: where the documents held out stand among all, and fits along a run."""

    @property
    def out(self) -> NDArray[np.intp]: ...
    def along(self, run: Run) -> Iterator[list[Fit]]: ...


@dataclass(frozen=True)
class InMemory:
    """A split with the estimator of a method and its problem."""

    estimator: Any
    seen: Seen
    split: Split

    @property
    def out(self) -> NDArray[np.intp]:
        """The places of the documents held out."""
        return self.split.out

    def along(self, run: Run) -> Iterator[list[Fit]]:
        """Yield the fits of every stride, no more exact than scores need; steps of a pursuit are the model's own."""
        estimator = clone(self.estimator)
        if not isinstance(estimator, Pursuer):
            estimator.set_params(tol=max(LOOSE, estimator.tol))
        for models in estimator.fit_along(self.seen, run.strides()):
            yield [fit_of(model, model.decision_function(self.split.X_out)) for model in models]


def fit_of(model: Any, margins: Margins) -> Fit:
    """Return the margins of a model with its size and gap."""
    kept = np.atleast_2d(model.coef_) != 0.0
    return Fit(margins, int(kept.any(axis=0).sum()), int(kept.sum()), float(model.dual_gap_))


class Followed:
    """A run on its way; ``strides`` were taken of it, and ``over`` says that no more will be."""

    def __init__(self, run: Run, sides: Sequence[Side]) -> None:
        self.run, self.tried = run, list[Tried]()
        self.strides, self.over = 0, False
        self._sides, self._fits = sides, [side.along(run) for side in sides]

    @property
    def n_splits(self) -> int:
        """The number of splits."""
        return len(self._sides)

    def fit(self, number: int) -> list[Fit]:
        """Fit the next stride on one split and score what is held out of it; nothing where the split has no more."""
        try:
            return next(self._fits[number], [])
        except ValueError as error:
            raise failure(f"Fitting {self.run.method}", self.run.stride(self.strides), error) from error

    def take(self, fits: Sequence[Sequence[Fit]], judge: Judge, most: int | None = None) -> None:
        """Note the next stride from its fits on every split; ``most`` words are enough."""
        every = list(zip(*fits, strict=True))
        for setting, own in zip(self.run.stride(self.strides), every, strict=bool(every)):
            words, weights = np.mean([fit[1:3] for fit in own], axis=0).tolist()
            sizes = Sizes(words, weights, max(fit.gap for fit in own))
            if not (dense := bool(self.tried) and words > self.run.most_words):
                self.tried.append(judge.tried(self.run.method, setting, self._joined(own), sizes))
        self.strides += 1
        wide = bool(every) and (dense or (most is not None and self.tried[-1].words > most))
        self.over = not every or wide or not self.run.stride(self.strides) or ended(self.tried, judge.metric)

    def _joined(self, fits: Iterable[Fit]) -> Margins:
        """Return the margins of all documents that are scored, in their order."""
        pairs = list(zip(self._sides, fits, strict=True))
        shape = sum(len(side.out) for side in self._sides), *pairs[0][1].margins.shape[1:]
        margins = np.empty(shape)
        for side, fit in pairs:
            margins[side.out] = fit.margins
        return margins


def ended(tried: Sequence[Tried], metric: str) -> bool:
    """Say whether a run has stopped improving, in score and in log-loss out of fold.

    While the log-loss falls it has not. Where it has clearly risen the setting must surely score better than all
    before (by a 95% interval of the paired difference) for the next to be tried; near its least the run goes on until
    some settings in a row have improved nothing.
    """
    good = np.array([goodness(metric, one.mean) for one in tried])
    loss = np.array([one.loss for one in tried])
    if metric != "log_loss" and good.max() >= 1.0 - SLACK:
        return True
    falls = loss < FALLS * np.minimum.accumulate(np.concatenate([[np.inf], loss[:-1]]))
    better = good > np.maximum.accumulate(np.concatenate([[-np.inf], good[:-1]])) + GAINS
    if falls[-1]:
        return False
    if loss[-1] > RISEN * loss.min():
        before = max(tried[:-1], key=lambda one: goodness(metric, one.mean))
        ahead = gain(tried[-1], before, metric)
        return not ahead.value > ahead.half
    return not (falls | better)[-PATIENCE:].any()
