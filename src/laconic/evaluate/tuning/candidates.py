"""`Candidate`: one setting of parameters with its scores and sizes, the reading of a grid, and which to take.

``best``: the best mean score; among equals the one with the fewest words, then the earliest. ``one_se``: the candidate
with the fewest words among those whose mean is within one standard error (that of the best one) of the best; among
equally small ones the better, then the earlier. The rule is from Breiman, Friedman, Olshen and Stone,
*Classification and Regression Trees* (1984), section 3.4.3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from laconic.evaluate.metrics.scores import higher_is_better
from laconic.evaluate.splits import check_whole

RULES = ("one_se", "best")
# Means of the same scores in another order differ in the last bits; such candidates tie all the same.
SLACK = 1e-12


@dataclass(frozen=True)
class Candidate:
    """One setting that `laconic.evaluate.tune` tried.

    Attributes
    ----------
    params : dict
    scores : tuple of float
        One per fold, or the one of the dev set.
    mean, standard_error : float
        Mean of the scores and its standard error.
    words : float
        Number of features with a non-zero weight; with folds, the average over their models.
    gap : float
        Relative duality gap, the worst over the fits; inf if the estimator gives no certificate.
    seconds : float
        Average time to fit one model; an equal share for a grid that was fitted together. Ignored in comparisons.

    Examples
    --------
    >>> Candidate({"C": 1.0}, scores=(0.8, 0.9), mean=0.85, standard_error=0.05, words=7.5, gap=0.0, seconds=0.1).words
    7.5
    """

    params: dict[str, Any]
    scores: tuple[float, ...]
    mean: float
    standard_error: float
    words: float
    gap: float
    seconds: float = field(compare=False)

    def row(self) -> dict[str, Any]:
        """Return the candidate as a row of a table."""
        words = int(self.words) if self.words == int(self.words) else self.words
        return {**vars(self), "params": dict(self.params), "scores": list(self.scores), "words": words}


def read_grid(grid: Any) -> list[dict[str, Any]]:
    """Return a grid as a list of settings; a dict of lists is all combinations, the last parameter changing fastest."""
    if isinstance(grid, Mapping):
        for name, values in grid.items():
            if isinstance(values, str) or not (isinstance(values, Sequence) or hasattr(values, "tolist")):
                raise TypeError(f"grid[{name!r}] must be a list of values to try, got {values!r}; write [{values!r}].")
            if len(values) == 0:
                raise ValueError(f"grid[{name!r}] is an empty list; give at least one value to try.")
        columns = [v.tolist() if hasattr(v, "tolist") else v for v in grid.values()]
        settings = [dict(zip(grid, point, strict=True)) for point in product(*columns)] if grid else []
    elif isinstance(grid, Sequence) and not isinstance(grid, str):
        for i, setting in enumerate(grid):
            if not isinstance(setting, Mapping):
                raise TypeError(f"grid[{i}] must be a dict of parameters, got {setting!r}.")
        settings = [dict(setting) for setting in grid]
    else:
        raise TypeError(f"grid must be a list of parameter dicts or a dict of lists, got {type(grid).__name__}.")
    if not settings:
        raise ValueError("grid is empty; give at least one setting ([{}] scores the estimator as it is).")
    for name in (name for setting in settings for name in setting):
        if not isinstance(name, str):
            raise TypeError(f"The parameters of grid must be named by strings, got {name!r}.")
    return settings


def describe(params: Mapping[str, Any]) -> str:
    """Return a setting as one readable phrase."""
    return ", ".join(f"{name}={value!r}" for name, value in params.items()) or "the parameters as given"


@dataclass(frozen=True)
class Pick:
    """Positions in a list of candidates: the best, the others that score the same, and the chosen one."""

    best: int
    ties: tuple[int, ...]
    chosen: int


def pick(candidates: Sequence[Candidate], metric: str, rule: str, max_words: int | None = None) -> Pick:
    """Return what a rule takes among candidates with at most ``max_words`` words, scored by ``metric``."""
    check_choice(rule, max_words)
    competing = [i for i, c in enumerate(candidates) if max_words is None or c.words <= max_words]
    if not competing:
        smallest = min(candidates, key=lambda c: c.words)
        raise ValueError(
            f"No candidate has at most max_words={max_words} words: the smallest has {smallest.words:g} "
            f"({describe(smallest.params)}); allow more words or add stronger penalties to the grid."
        )
    sign = 1.0 if higher_is_better(metric) else -1.0
    goodness = {i: sign * candidates[i].mean for i in competing}
    top = max(goodness.values())
    slack = SLACK * max(1.0, abs(top))
    tied = [i for i in competing if goodness[i] >= top - slack]
    best = min(tied, key=lambda i: (candidates[i].words, i))
    chosen = best
    if rule == "one_se":
        enough = goodness[best] - candidates[best].standard_error - slack
        near = [i for i in competing if goodness[i] >= enough]
        chosen = min(near, key=lambda i: (candidates[i].words, -goodness[i], i))
    return Pick(best, tuple(i for i in tied if i != best), chosen)


def check_choice(rule: str, max_words: int | None) -> None:
    """Raise ``ValueError`` unless ``rule`` is one of `RULES` and ``max_words`` None or a whole number from 1."""
    if rule not in RULES:
        raise ValueError(f"There is no rule {rule!r}; use one of {', '.join(RULES)}.")
    if max_words is not None:
        check_whole("max_words", max_words, 1, ", or None for no limit")
