"""A linear text model in a folder (`laconic.core.folder`); its files, which hold no training text: docs/export.md."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.core.folder import load_folder, save_folder
from laconic.models.scoring.linear_text import LinearText
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pathlib import Path

    from laconic.core.calibration import Calibration
    from laconic.core.selected_groups import KeptGroups
    from laconic.models.search.model_path import ModelPath

KIND = "text classifier"
SEVERAL = "multilabel text classifier"
PATH_FILES = ("path.json", "path_rows.npy", "path_weights.npy")


def model_facts(model: LinearText) -> dict[str, Any]:
    """Return what ``model.json`` says about the model itself."""
    kept = model.groups
    numbers = {} if kept is None else {"selected": kept.n_selected, "all": kept.n_groups, "source": kept.source}
    return {
        "kind": SEVERAL if model.several else KIND,
        "classes": list(model.classes),
        "n_words": len(model.words),
        "n_vocabulary": model.n_vocabulary,
        "n_documents": model.vocabulary.n_documents,
        "cells": model.cells,
        "probabilistic": model.probabilistic,
        "intercept": model.intercept.tolist(),
        "analyzer": model.analyzer.to_json(),
        **({"groups": numbers} if numbers else {}),
    }


def save_model(
    folder: str | os.PathLike,
    model: LinearText,
    made: Mapping[str, Any],
    *,
    timings: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Path:
    """Save a model; ``made`` is further facts for ``model.json``, timings go into a file of their own."""
    parts: dict[str, Any] = {
        "words.json": list(model.words),
        "weights.npy": model.weights,
        "document_frequency.npy": model.vocabulary.document_frequency,
    }
    if model.cells == "tfidf":
        parts["vocabulary.json"] = list(model.vocabulary.words)
    if model.frequency is not None:
        parts["selection_frequency.npy"] = model.frequency
    if model.path is not None:
        parts |= model.path.to_parts()
    if model.groups is not None:
        parts["groups.json"] = model.groups.groups.to_json()
    if model.calibration is not None:
        parts["calibration.json"] = model.calibration.to_json()
    return save_folder(folder, {**model_facts(model), **made}, parts, timings=timings, overwrite=overwrite)


def load_model(folder: str | os.PathLike, tokenizer: Callable | None = None) -> tuple[LinearText, dict[str, Any]]:
    """Read a model and its ``model.json``; refuse one that is damaged or does not fit together."""
    facts, parts = load_folder(folder, later=("groups.json", *PATH_FILES))
    if facts.get("kind") not in (KIND, SEVERAL):
        raise ValueError(f"The model {folder} is a {facts.get('kind')!r}; load reads models of the kind {KIND!r}.")
    try:
        return _assembled(facts, parts, tokenizer), facts
    except KeyError as error:
        raise ValueError(f"The model {folder} lacks {error}. Fit and save it again.") from error
    except (ValueError, TypeError) as error:
        raise ValueError(f"The model {folder} cannot be used. {error}") from error


def _assembled(facts: Mapping[str, Any], parts: Mapping[str, Any], tokenizer: Callable | None) -> LinearText:
    words = _checked_words(parts, "words.json")
    vocabulary_words = _checked_words(parts, "vocabulary.json") if facts["cells"] == "tfidf" else words
    return LinearText(
        analyzer=Analyzer.from_json(facts["analyzer"], tokenizer),
        cells=facts["cells"],
        classes=tuple(facts["classes"]),
        probabilistic=facts["probabilistic"],
        words=words,
        weights=parts["weights.npy"],
        intercept=np.array(facts["intercept"], dtype=np.float64),
        vocabulary=Vocabulary(vocabulary_words, parts["document_frequency.npy"], facts["n_documents"]),
        n_vocabulary=facts["n_vocabulary"],
        groups=_groups(facts, parts),
        calibration=_calibration(parts),
        several=facts["kind"] == SEVERAL,
        path=_path(parts),
        frequency=parts.get("selection_frequency.npy"),
    )


def _calibration(parts: Mapping[str, Any]) -> Calibration | None:
    if "calibration.json" not in parts:
        return None
    from laconic.core.calibration import Calibration  # only here: other models load without it

    return Calibration.from_json(parts["calibration.json"])


def _groups(facts: Mapping[str, Any], parts: Mapping[str, Any]) -> KeptGroups | None:
    if "groups.json" not in parts:
        return None
    from laconic.core.groups import Groups  # only here: other models load without them
    from laconic.core.selected_groups import KeptGroups

    stored = facts["groups"]
    numbers = stored["selected"], stored["all"], facts["n_words"]
    return KeptGroups(*numbers, stored["source"], lambda: Groups.from_json(parts["groups.json"]()))


def _path(parts: Mapping[str, Any]) -> ModelPath | None:
    if not set(PATH_FILES) <= set(parts):
        return None
    from laconic.models.search.model_path import ModelPath

    return ModelPath.from_parts(parts)


def _checked_words(parts: Mapping[str, Any], name: str) -> tuple[str, ...]:
    words = parts[name]
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name} must be a list of words.")
    return tuple(words)


def warn_of_function(analyzer: Analyzer) -> None:
    """Warn where a model was saved whose tokenizer is a function, which a folder does not hold."""
    stored = analyzer.to_json()["tokenizer"]
    if stored is None or stored["kind"] != "callable":
        return
    name = stored["name"]
    unnamed = "<lambda>" in name or "<locals>" in name
    warnings.warn(
        f"The model was saved without its tokenizer function {name!r}; pass it again to load the model: "
        "laconic.load(folder, tokenizer=...)."
        + (
            " This function has no name of its own: define it in a module, so that you find it then." if unnamed else ""
        ),
        UserWarning,
        stacklevel=3,  # the caller of save
    )
