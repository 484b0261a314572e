"""`ModelPath`: the models that a chosen one was cut from, smaller and larger: budgets of a pursuit, or values of λ₁.

Every step is a model of all training texts, fitted as exactly as scores need, with the score that its setting had in
the search. A folder holds the steps of up to `LIMIT` times as many words as the chosen model has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.models.folder.model import PATH_FILES

if TYPE_CHECKING:
    from laconic.models.search.tried import Tried

LIMIT, AT_LEAST = 4, 200


@dataclass(frozen=True, eq=False)
class PathStep:
    """One finished model of a path: what gave it, its score in tuning, and its kept words; ``chosen`` is the model."""

    parameters: dict[str, Any]
    score: float
    error: float
    intercept: tuple[float, ...]
    words: tuple[str, ...]
    weights: NDArray[np.float64]
    chosen: bool


@dataclass(frozen=True, eq=False)
class ModelPath:
    """Steps from the smallest model to the largest; read when they are first asked for."""

    make: Callable[[], Sequence[PathStep]]

    @cached_property
    def steps(self) -> tuple[PathStep, ...]:
        """The models."""
        return tuple(self.make())

    def to_parts(self) -> dict[str, Any]:
        """Return the files of a model folder that hold the path."""
        words = sorted({word for step in self.steps for word in step.words})
        index = {word: row for row, word in enumerate(words)}
        facts = [
            {name: value for name, value in {**vars(step), "words": len(step.words)}.items() if name != "weights"}
            for step in self.steps
        ]
        rows = np.array([index[word] for step in self.steps for word in step.words], dtype=np.int32)
        weights = np.concatenate([step.weights for step in self.steps])
        return dict(zip(PATH_FILES, ({"words": words, "steps": facts}, rows, weights), strict=True))

    @classmethod
    def from_parts(cls, parts: Mapping[str, Callable[[], Any]]) -> ModelPath:
        """Return the path that is in the files of a folder, each given as a function that reads it."""

        def read() -> list[PathStep]:
            stored, rows, weights = (parts[name]() for name in PATH_FILES)
            ends = np.cumsum([0, *(step["words"] for step in stored["steps"])])
            return [
                PathStep(
                    step["parameters"],
                    step["score"],
                    step["error"],
                    tuple(step["intercept"]),
                    tuple(stored["words"][row] for row in rows[first:last]),
                    weights[first:last],
                    step["chosen"],
                )
                for step, first, last in zip(stored["steps"], ends[:-1], ends[1:], strict=True)
            ]

        return cls(read)


def path_through(steps: Sequence[PathStep], chosen: PathStep) -> ModelPath | None:
    """Return the path of a model among steps of its run; None if it is alone."""
    size = len(chosen.words)
    limit = max(LIMIT * size, AT_LEAST)
    kept = {len(step.words): step for step in steps if 0 < len(step.words) <= limit} | {size: chosen}
    return ModelPath(lambda: [kept[n] for n in sorted(kept)]) if len(kept) > 1 else None


def step_of(tried: Tried, estimator: Any, words: Sequence[str], chosen: bool = False) -> PathStep:
    """Return the step of a setting, from its estimator fitted to all texts."""
    weights = np.atleast_2d(estimator.coef_).T
    kept = np.flatnonzero(np.any(weights != 0.0, axis=1)).tolist()
    return PathStep(
        tried.params,
        float(tried.mean),
        float(tried.standard_error),
        tuple(np.atleast_1d(estimator.intercept_).tolist()),
        tuple(words[row] for row in kept),
        np.ascontiguousarray(weights[kept]),
        chosen,
    )
