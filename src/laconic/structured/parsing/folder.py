"""A parser in a model folder (`laconic.core.folder`); its files: docs/export.md."""

import math
import os
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from laconic.core.excerpt import excerpt
from laconic.structured.folder import check_numbers, check_weights, checked_atoms, load_structured
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.program import compile_arcs
from laconic.structured.parsing.templates import parse_arc_templates
from laconic.structured.parsing.tree_columns import MADE
from laconic.structured.tagging.folder import chain_facts, chain_of, chain_parts

KIND = "dependency parser"
RELATIONS = "relations-"


def load_arcs(folder: str | os.PathLike) -> tuple[ArcModel, dict[str, Any]]:
    """Return a parser and the whole of its ``model.json``."""
    return load_structured(folder, KIND, arcs_of)


def arc_facts(model: ArcModel) -> dict[str, Any]:
    """Return what ``model.json`` says about a parser itself."""
    return {
        "templates": [str(one) for one in model.templates],
        "n_keys": [len(mine) for mine in model.keys],
        "single_root": model.single,
        "projective": model.projective,
        "stand_ins": list(model.stand_ins),
        "relations": None if model.relations is None else chain_facts(model.relations),
    }


def arc_parts(model: ArcModel) -> dict[str, Any]:
    """Return the files of a parser."""
    steps = [np.diff(mine, prepend=0) for mine in model.keys]
    parts = {
        "atoms.json": model.atoms,
        "keys.npy": np.concatenate([*steps, np.zeros(0, dtype=np.int64)]),
        "rows.npy": np.concatenate([*(mine.ravel() for mine in model.rows), np.zeros(0, dtype=np.float32)]),
    }
    if model.relations is not None:
        parts |= {f"{RELATIONS}{name}": part for name, part in chain_parts(model.relations).items()}
    return parts


def arcs_of(facts: Mapping[str, Any], parts: Mapping[str, Any]) -> ArcModel:
    """Return the parser that facts and files describe."""
    templates = parse_arc_templates(facts["templates"]) if facts["templates"] else ()
    program = compile_arcs(templates)
    atoms = checked_atoms(parts["atoms.json"], program.columns)
    counts = facts["n_keys"]
    widths = [part[0] for (part,) in program.parts(collapsed=True)]
    steps, flat = parts["keys.npy"], parts["rows.npy"]
    ends = np.cumsum([0, *counts])
    row_ends = np.cumsum([0, *(count * width for count, width in zip(counts, widths, strict=True))])
    if len(steps) != ends[-1] or len(flat) != row_ends[-1]:
        raise ValueError("keys.npy and rows.npy do not have the lengths that model.json says.")
    keys = [np.cumsum(steps[start:end]) for start, end in pairwise(ends)]
    rows = [
        flat[start:end].reshape(-1, width) for start, end, width in zip(row_ends, row_ends[1:], widths, strict=False)
    ]
    check_weights("rows.npy", flat)
    radices = program.radices({column: len(values) + 1 for column, values in atoms.items()})
    for found, (sizes, _) in zip(keys, radices, strict=True):
        check_numbers("keys.npy", found, math.prod(sizes))
    relations = None
    if facts["relations"] is not None:
        mine = {name.removeprefix(RELATIONS): part for name, part in parts.items() if name.startswith(RELATIONS)}
        relations = chain_of(facts["relations"], mine)
    stand_ins = tuple(facts["stand_ins"])
    if not set(stand_ins) <= set(MADE):
        raise ValueError(f"model.json names the stand-ins {excerpt(facts['stand_ins'])}; there are {', '.join(MADE)}.")
    trees = bool(facts["single_root"]), bool(facts["projective"])
    return ArcModel(templates, atoms, keys, rows, *trees, stand_ins, relations)
