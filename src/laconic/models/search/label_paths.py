"""The settings of one label, followed from strong to weak on all folds at once and scored out of fold.

A setting is scored with the threshold that suits it best, by the F1 of the label unless another metric is named; where
no word has a weight, or no held-out document has the label, the threshold stays 0.5. A run of settings ends at the
first that improves neither that score nor the log-loss out of fold: what is left is larger, slower to fit and fitted
too closely.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from laconic.core.calibration import linked
from laconic.evaluate.calibration.thresholds import Goal, Threshold, choose_threshold
from laconic.evaluate.metrics.scores import LABEL_METRICS, higher_is_better, score
from laconic.models.search.grids import Grid

LOOSE = 1e-3  # relative gap of fits that are only scored


class Split(NamedTuple):
    """The columns of the rows to fit, the rows held out, and where both stand among all rows to fit and to score."""

    X: csc_array
    rows: NDArray[np.intp]
    X_out: csr_array
    out: NDArray[np.intp]


class Tried(NamedTuple):
    """One setting of one label: its threshold, its score on all held-out documents and on each part, its weights."""

    setting: dict[str, Any]
    threshold: Threshold | None
    score: float
    by_part: NDArray[np.float64]
    weights: float


@dataclass(frozen=True)
class HeldOut:
    """The documents that are scored: which has the label, and in which part of all, for standard errors, it is."""

    has: NDArray[np.bool_]
    part: NDArray[np.intp]
    metric: str

    def tried(self, setting: Mapping[str, Any], margins: NDArray[np.float64], weights: float) -> Tried:
        """Score a setting by its margins."""
        p = linked(margins, several=True)
        threshold = choose_threshold("", p, self.has, Goal("f1")) if weights and self.has.any() else None
        given = p >= (0.5 if threshold is None else threshold.value)
        parts = [self._score(p[own], given[own], self.has[own]) for own in map(self.part.__eq__, range(self.n_parts))]
        return Tried(dict(setting), threshold, self._score(p, given, self.has), np.array(parts), weights)

    @property
    def n_parts(self) -> int:
        """The number of parts."""
        return int(self.part.max()) + 1

    def _score(self, p: NDArray[np.float64], given: NDArray[np.bool_], has: NDArray[np.bool_]) -> float:
        """Return the score, more is better; NaN where it is not defined."""
        if not has.any():
            return float("nan")
        if self.metric in ("accuracy", "macro_f1"):
            return float(2.0 * np.count_nonzero(given & has) / (np.count_nonzero(given) + np.count_nonzero(has)))
        if has.all():
            return float("nan")
        if self.metric in LABEL_METRICS:
            return score(self.metric, has, given)
        value = score(self.metric, has, proba=np.column_stack([1.0 - p, p]), classes=[False, True])
        return value if higher_is_better(self.metric) else -value


def label_path(
    estimator: Any, grid: Grid, has: NDArray[np.bool_], splits: Sequence[Split], held_out: HeldOut
) -> list[Tried]:
    """Return the settings of a grid that were tried; ``has`` says which of the rows to fit have the label."""
    loose = estimator.set_params(tol=max(LOOSE, estimator.tol))
    tried: list[Tried] = []
    for run in _runs(grid):
        best_score, best_loss = -np.inf, np.inf
        for one, loss in _along(loose, run, has, splits, held_out):
            tried.append(one)
            better = one.score > best_score or loss < best_loss
            if not better and "budget" not in one.setting:  # a pursuit has all its budgets at once
                break
            best_score, best_loss = max(best_score, one.score), min(best_loss, loss)
    return tried


def _along(
    estimator: Any, run: Grid, has: NDArray[np.bool_], splits: Sequence[Split], held_out: HeldOut
) -> Iterator[tuple[Tried, float]]:
    """Yield the settings of a run, one fit per split, each with its log-loss."""
    ways = [estimator.fit_along(split.X, has[split.rows], run) for split in splits]
    margins = np.empty(len(held_out.has))
    for setting, *fits in zip(run, *ways, strict=True):
        for fitted, split in zip(fits, splits, strict=True):
            margins[split.out] = fitted.decision_function(split.X_out)
        weights = float(np.mean([np.count_nonzero(fitted.coef_) for fitted in fits]))
        loss = float(np.logaddexp(0.0, np.where(held_out.has, -margins, margins)).mean())
        yield held_out.tried(setting, margins, weights), loss


def _runs(grid: Grid) -> Iterator[Grid]:
    """Yield the parts of a grid in which settings go from strong to weak; budgets, which share a pursuit, are one."""
    run: Grid = []
    for setting in grid:
        if run and "budget" not in setting and any(setting[name] > run[-1][name] for name in setting):
            yield run
            run = []
        run.append(setting)
    yield run
