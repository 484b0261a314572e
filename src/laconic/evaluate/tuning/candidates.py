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
    mean : float
        Their mean.
    standard_error : float
        Of ``mean``.
    words : float
        Features with a nonzero weight: of the model, or on average over those of the folds.
    gap : float
        Relative duality gap, the worst over the fits; inf where the estimator gives no certificate.
    seconds : float
        To fit one model, on average; of a grid that was fitted together, an equal share. Never part of a comparison.

    Examples
    --------
    >>> one = Candidate({"C": 1.0}, scores=(0.8, 0.9), mean=0.85, standard_error=0.05, words=7.5, gap=0.0, seconds=0.1)
    >>> one.row()["words"]
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
        """Return the candidate as a row of a table.

        Examples
        --------
        >>> Candidate({"C": 1.0}, (0.5,), 0.5, 0.1, 7.0, 0.0, 0.1).row()["words"]
        7
        """
        return {
            "params": dict(self.params),
            "scores": list(self.scores),
            "mean": self.mean,
            "standard_error": self.standard_error,
            "words": int(self.words) if self.words == int(self.words) else self.words,
            "gap": self.gap,
            "seconds": self.seconds,
        }


def read_grid(grid: Any) -> list[dict[str, Any]]:
    """Return a grid as a list of settings.

    Parameters
    ----------
    grid : list of dict, or dict of lists
        A dict stands for all combinations of its values; the last parameter changes fastest.

    Raises
    ------
    TypeError, ValueError
        If it is neither, or empty.

    Examples
    --------
    >>> read_grid({"l1": [1.0, 2.0], "l2": [0.0, 0.5]})[:3]
    [{'l1': 1.0, 'l2': 0.0}, {'l1': 1.0, 'l2': 0.5}, {'l1': 2.0, 'l2': 0.0}]
    """
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
    """Return a setting as one readable phrase.

    Examples
    --------
    >>> describe({"l1": 0.5, "l2": 0})
    'l1=0.5, l2=0'
    """
    return ", ".join(f"{name}={value!r}" for name, value in params.items()) or "the parameters as given"
