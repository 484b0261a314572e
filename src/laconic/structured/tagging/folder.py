"""A tagger in a model folder (`laconic.core.folder`); its files: docs/export.md."""

import os
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.structured.folder import check_numbers, check_weights, checked_atoms, load_structured
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.program import compile_program
from laconic.structured.templates.language import parse_templates

KIND = "sequence tagger"


def load_chain(folder: str | os.PathLike) -> tuple[ChainModel, dict[str, Any]]:
    """Return a tagger and the whole of its ``model.json``."""
    return load_structured(folder, KIND, chain_of)


def stored_chain(model: ChainModel) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what ``model.json`` says about a tagger, and its other files."""
    return {"kind": KIND, **chain_facts(model)}, chain_parts(model)


def chain_facts(model: ChainModel) -> dict[str, Any]:
    """Return what ``model.json`` says about a chain itself."""
    return {
        "labels": list(model.labels),
        "templates": [str(one) for one in model.templates],
        "n_weights": model.n_weights,
        "n_grams": [len(one) for one in model.grams],
        "n_features": [len(one) for one in model.features],
    }


def chain_parts(model: ChainModel) -> dict[str, Any]:
    """Return the files of a chain."""
    steps = [np.diff(one, prepend=-1) for one in model.features]
    used = model.rows != 0.0
    # The end of a feature is marked by a label that there is not, so that no table of ends is needed.
    numbers = _smallest(np.arange(len(model.labels) + 1))
    marked = np.column_stack([used, np.ones(len(used), dtype=np.bool_)])
    marks = np.broadcast_to(numbers, marked.shape)[marked]
    return {
        "atoms.json": model.atoms,
        "grams.npy": _smallest(np.concatenate([one.T.ravel() for one in model.grams] or [np.zeros(0, dtype=np.int32)])),
        "features.npy": _smallest(np.concatenate(steps or [np.zeros(0, dtype=np.int32)])),
        "labels.npy": marks,
        "weights.npy": _shortest(model.rows[used]),
        "transitions.npy": model.transitions,
    }


def chain_of(facts: Mapping[str, Any], parts: Mapping[str, Any]) -> ChainModel:
    """Return the chain that facts and files describe."""
    templates = parse_templates(facts["templates"]) if facts["templates"] else ()
    labels = tuple(facts["labels"])
    program = compile_program(templates)
    atoms = checked_atoms(parts["atoms.json"], program.columns)
    cells = np.cumsum([0, *(count * len(one) for count, one in zip(facts["n_grams"], program.patterns, strict=True))])
    flat = parts["grams.npy"].astype(np.int32)
    if len(flat) != cells[-1]:
        raise ValueError("grams.npy does not have the length that model.json says.")
    grams = [
        np.ascontiguousarray(flat[start:end].reshape(len(one), count).T)
        for start, end, count, one in zip(cells, cells[1:], facts["n_grams"], program.patterns, strict=False)
    ]
    for pattern, mine in zip(program.patterns, grams, strict=True):
        for (column, _), values in zip(pattern, mine.T, strict=True):
            check_numbers("grams.npy", values, len(atoms[program.columns[column]]) + 1)
    ends = np.cumsum([0, *facts["n_features"]])
    steps = parts["features.npy"].astype(np.int64)
    features = [(np.cumsum(steps[start:end]) - 1).astype(np.int32) for start, end in pairwise(ends)]
    for of, kept in zip(program.pattern_of, features, strict=True):
        check_numbers("features.npy", kept, facts["n_grams"][of])
    rows = np.zeros((int(ends[-1]), len(labels)), dtype=np.float32)
    marks = parts["labels.npy"].astype(np.int64)
    inside = marks < len(labels)
    rows[np.cumsum(~inside)[inside], marks[inside]] = parts["weights.npy"]
    transitions = parts["transitions.npy"]
    check_weights("weights.npy", parts["weights.npy"])
    check_weights("transitions.npy", transitions)
    if transitions.shape != (len(labels) + 1, len(labels)):
        raise ValueError("transitions.npy does not fit the labels.")
    return ChainModel(templates, labels, atoms, grams, features, rows, transitions)


def _shortest(weights: NDArray[np.float32]) -> NDArray:
    """Return weights in half precision if that holds them exactly."""
    with np.errstate(over="ignore"):
        half = weights.astype(np.float16)
    return half if np.array_equal(half.astype(np.float32), weights) else weights


def _smallest(numbers: NDArray) -> NDArray:
    """Return whole numbers from 0 in the smallest type that holds them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max())) if len(numbers) else np.uint8)
