"""`Candidate`: one setting of parameters with its scores and sizes, and the reading of a grid of settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any


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
