"""What the folders of taggers and of parsers share; see `laconic.core.folder` for the folder itself."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.folder import load_folder
from laconic.structured.settings import Settings

if TYPE_CHECKING:  # loading a model must stay light
    from laconic.structured.fit import Fitted
    from laconic.structured.parsing.model import ArcModel
    from laconic.structured.tagging.model import ChainModel


def made_with(settings: Settings, fitted: "Fitted", extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return how a model was made, for ``model.json``."""
    given = settings.templates
    stored = {one.name: getattr(settings, one.name) for one in fields(settings)}
    stored["templates"] = given if isinstance(given, str) else [str(one) for one in given]
    stored["token_costs"] = dict(settings.token_costs or {})
    learned = {"strengths": dict(fitted.strengths), "memory": list(fitted.memory)}
    return {"settings": stored, **learned, "extra": dict(extra or {})}


def load_structured(
    folder: str | os.PathLike, model: "type[ChainModel] | type[ArcModel]"
) -> tuple[Any, dict[str, Any]]:
    """Return the model of a kind that a folder holds, and the whole of ``model.json``."""
    # A model of another kind, or one that does not fit together, is refused.
    facts, parts = load_folder(folder)
    if facts.get("kind") != model.kind:
        raise ValueError(f"The model {folder} is a {facts.get('kind')!r}, not a {model.kind!r}.")
    try:
        return model.of(facts, parts), facts
    except KeyError as error:
        raise ValueError(f"The model {folder} lacks {error}. Fit and save it again.") from error
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"The model {folder} cannot be used. {error}") from error


def checked_atoms(atoms: Any, columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the known values of the columns that templates look at, or refuse what is something else."""
    if not isinstance(atoms, dict) or list(atoms) != list(columns):
        raise ValueError(f"atoms.json does not have the columns of the templates, {', '.join(map(repr, columns))}.")
    for column, values in atoms.items():
        strings = isinstance(values, list) and all(isinstance(value, str) for value in values)
        if not strings or len(set(values)) < len(values):
            raise ValueError(f"atoms.json does not have different strings for the column {column!r}.")
    return atoms


def check_numbers(name: str, numbers: NDArray, size: int) -> None:
    """Refuse numbers of something of which there are only ``size``, from 0 on."""
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < size:
        raise ValueError(f"{name} has a number outside 0 to {size - 1}.")


def check_weights(name: str, weights: NDArray) -> None:
    """Refuse weights that are no finite numbers."""
    if weights.dtype.kind != "f" or not np.isfinite(weights).all():
        raise ValueError(f"{name} does not hold finite numbers.")
