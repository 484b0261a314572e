"""`ModelPath`: the models that a chosen one was cut from, smaller and larger: budgets of a pursuit, or values of λ₁.

Every step is a finished model, fitted on all training texts, with the score that its setting had in tuning. A folder
holds the steps of up to `LIMIT` times as many words as the chosen model has.
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
    from laconic.evaluate.tuning.candidates import Candidate
    from laconic.models.text_classifier import TextClassifier

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


def path_through(
    candidates: Sequence[Candidate],
    place: int,
    chosen: TextClassifier,
    models: Callable[[list[int]], Sequence[TextClassifier]],
) -> ModelPath | None:
    """Return the path that a chosen candidate lies on, or None; ``models`` fits candidates, by number, to all texts."""
    mine = candidates[place].params
    limit = max(LIMIT * chosen.n_words_, AT_LEAST)
    others = [
        i
        for i, other in enumerate(candidates)
        if i != place and _same_path(mine, other.params) and candidates[place].words != other.words <= limit
    ]
    if not others:
        return None
    fitted = [(place, chosen), *zip(others, models(others), strict=True)]
    steps = {model.n_words_: _step(candidates[i], model, i == place) for i, model in reversed(fitted)}
    return ModelPath(lambda: [steps[n] for n in sorted(steps)])


def _same_path(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Say whether two settings differ in nothing but their budget, or the strength of a fixed mix of penalties."""
    own = {name.removeprefix("estimator__"): value for name, value in a.items()}
    other = {name.removeprefix("estimator__"): value for name, value in b.items()}
    if "budget" in own:
        return {**own, "budget": 0} == {**other, "budget": 0}
    if "l1" not in own or own["l1"] == 0.0 or other["l1"] == 0.0 or own.get("group") != other.get("group"):
        return False
    return own["l2"] == other["l2"] or bool(np.isclose(own["l2"] / own["l1"], other["l2"] / other["l1"]))


def _step(candidate: Candidate, model: TextClassifier, chosen: bool) -> PathStep:
    weights = np.atleast_2d(model.estimator_.coef_).T
    kept = np.flatnonzero(np.any(weights != 0.0, axis=1))
    return PathStep(
        {name.removeprefix("estimator__"): value for name, value in candidate.params.items()},
        float(candidate.mean),
        float(candidate.standard_error),
        tuple(np.atleast_1d(model.estimator_.intercept_).tolist()),
        tuple(model.vocabulary_.words[row] for row in kept),
        np.ascontiguousarray(weights[kept]),
        chosen,
    )
