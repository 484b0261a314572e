"""What the folders of taggers and of parsers share; see `laconic.core.folder` for the folder itself."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from laconic.core.folder import load_folder
from laconic.structured.settings import Settings

M = TypeVar("M")


def made_with(
    settings: Settings, strengths: Mapping[str, float], memory: Sequence[int], extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return how a model was made, for ``model.json``."""
    given = settings.templates
    stored = {one.name: getattr(settings, one.name) for one in fields(settings)}
    stored["templates"] = given if isinstance(given, str) else [str(one) for one in given]
    stored["token_costs"] = dict(settings.token_costs or {})
    return {"settings": stored, "strengths": dict(strengths), "memory": list(memory), "extra": dict(extra or {})}


def load_structured(
    folder: str | os.PathLike, kind: str, build: Callable[[Mapping[str, Any], Mapping[str, Any]], M]
) -> tuple[M, dict[str, Any]]:
    """Return the model that ``build`` makes of facts and files, and the whole of ``model.json``.

    A model of another kind, or one that does not fit together, is refused.
    """
    facts, parts = load_folder(folder)
    if facts.get("kind") != kind:
        raise ValueError(f"The model {folder} is a {facts.get('kind')!r}, not a {kind!r}.")
    try:
        return build(facts, parts), facts
    except KeyError as error:
        raise ValueError(f"The model {folder} lacks {error}. Fit and save it again.") from error
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"The model {folder} cannot be used. {error}") from error
