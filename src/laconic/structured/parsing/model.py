r"""`ArcModel`: a fitted parser as plain data, the same after a trip to the disk (docs/export.md); needs numpy only.

A row holds, for each direction and distance that the templates of its base tell apart, the *sum* of their weights,
which is all that a score needs. The weights of each template are the smallest that give these sums: with :math:`P_v`
adding up what template v does not tell apart and :math:`K = \sum_v P_v^\top P_v`, they are :math:`w_v = P_v K^{+} e`
(for margin learners that start at zero these are the very weights learned).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from laconic.core.values import excerpt
from laconic.structured.folder import check_numbers, check_weights, checked_atoms
from laconic.structured.parsing.extraction import MADE
from laconic.structured.parsing.templates import ArcProgram, ArcTemplate, compile_arcs, parse_arc_templates, sums_of
from laconic.structured.tagging.model import ChainModel
from laconic.structured.templates.intern import Tables, keep_atoms, tables_of

DISTANCES = ("1", "2", "3", "4", "5", "6-10", "11-20", "21+")
DIRECTIONS = ("left", "right")
NEGLIGIBLE = 1e-5
RELATIONS = "relations-"  # before the names of files of the chain that names arcs


@dataclass(frozen=True)
class ArcModel:
    """An arc-factored model with its kept features: the templates that have one left, and a chain that names arcs."""

    # The atom of a value is its place in ``atoms`` from 1, the root's first; 0 is beyond the sentence. ``keys`` has for
    # each base of the program those with weights, ascending, and ``rows`` a row for each. ``single`` says whether
    # exactly one word hangs on the root, ``projective`` that arcs must not cross; ``stand_ins`` are the columns that
    # others stood in for in training.

    kind: ClassVar[str] = "dependency parser"

    templates: tuple[ArcTemplate, ...]
    atoms: dict[str, list[str]]
    keys: list[NDArray[np.int64]]
    rows: list[NDArray[np.float32]]
    single: bool
    projective: bool
    stand_ins: tuple[str, ...] = ()
    relations: ChainModel | None = None

    @cached_property
    def program(self) -> ArcProgram:
        """What to look up where."""
        return compile_arcs(self.templates)

    @cached_property
    def tables(self) -> Tables:
        """Column to value to atom."""
        return tables_of(self.atoms)

    @property
    def n_rows(self) -> int:
        """Keys with weights, over all bases."""
        return sum(map(len, self.keys))

    @cached_property
    def n_features(self) -> NDArray[np.int64]:
        """How many features of each template have weight."""
        counts = np.zeros(len(self.program.templates), dtype=np.int64)
        for b, rows in enumerate(self.rows):
            for t, weights in self.template_weights(b, rows).items():
                largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
                counts[t] = np.count_nonzero(np.abs(weights) > NEGLIGIBLE * largest)
        return counts

    @property
    def n_weights(self) -> int:
        """Weights of all templates."""
        return int(self.n_features.sum())

    @cached_property
    def norms(self) -> NDArray[np.float64]:
        """The length of each template's weights."""
        squares = np.zeros(len(self.program.templates))
        for b, rows in enumerate(self.rows):
            for t, weights in self.template_weights(b, rows).items():
                squares[t] = np.square(weights).sum()
        return np.sqrt(squares)

    def template_weights(self, b: int, rows: NDArray[np.float32]) -> dict[int, NDArray[np.float64]]:
        """Return the weights of each template of a base (by its number in the program), one row a key."""
        maps, inverse = self._maps[b]
        counts = rows.astype(np.float64) @ inverse
        return {self.program.ends[b] + place: counts @ one.T for place, one in enumerate(maps)}

    @cached_property
    def _maps(self) -> list[tuple[list[NDArray[np.float64]], NDArray[np.float64]]]:
        """For each base the matrices P of its templates, and the inverse of K."""
        maps = [sums_of(templates) for templates in self.program.by_base]
        return [(one, np.linalg.pinv(sum(part.T @ part for part in one)).astype(np.float64)) for one in maps]

    @cached_property
    def _radices(self) -> list[tuple[list[int], list[int]]]:
        return self.program.radices(self.tables)

    def feature_name(self, t: int, key: int, column: int) -> tuple[str, tuple[str, ...]]:
        """Return a template and the values of its cells, for a key and a weight of its rows; ``⊤`` is the root."""
        b, template = self.program.base_of[t], self.program.templates[t]
        values = []
        for cell, count, stride in zip(self.program.bases[b], *self._radices[b], strict=True):
            atom = key // stride % count
            values.append(self.atoms[cell.column][atom - 1] if atom else "⊥")
        return str(template), (*values, *filter(None, [combination_names(template)[column]]))

    def facts(self) -> dict[str, Any]:
        """Return what ``model.json`` says about a parser itself."""
        return {
            "templates": [str(one) for one in self.templates],
            "n_keys": [len(mine) for mine in self.keys],
            "single_root": self.single,
            "projective": self.projective,
            "stand_ins": list(self.stand_ins),
            "relations": None if self.relations is None else self.relations.facts(),
        }

    def parts(self) -> dict[str, Any]:
        """Return the files of a parser."""
        steps = [np.diff(mine, prepend=0) for mine in self.keys]
        parts = {
            "atoms.json": self.atoms,
            "keys.npy": np.concatenate([*steps, np.zeros(0, dtype=np.int64)]),
            "rows.npy": np.concatenate([*(mine.ravel() for mine in self.rows), np.zeros(0, dtype=np.float32)]),
        }
        if self.relations is not None:
            parts |= {f"{RELATIONS}{name}": part for name, part in self.relations.parts().items()}
        return parts

    @classmethod
    def of(cls, facts: Mapping[str, Any], parts: Mapping[str, Any]) -> Self:
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
            flat[start:end].reshape(-1, width)
            for start, end, width in zip(row_ends, row_ends[1:], widths, strict=False)
        ]
        check_weights("rows.npy", flat)
        radices = program.radices(atoms)
        for found, (sizes, _) in zip(keys, radices, strict=True):
            check_numbers("keys.npy", found, math.prod(sizes))
        relations = None
        if facts["relations"] is not None:
            mine = {name.removeprefix(RELATIONS): part for name, part in parts.items() if name.startswith(RELATIONS)}
            relations = ChainModel.of(facts["relations"], mine)
        stand_ins = tuple(facts["stand_ins"])
        if not set(stand_ins) <= set(MADE):
            raise ValueError(
                f"model.json names the stand-ins {excerpt(facts['stand_ins'])}; there are {', '.join(MADE)}."
            )
        trees = bool(facts["single_root"]), bool(facts["projective"])
        return cls(templates, atoms, keys, rows, *trees, stand_ins, relations)


def combination_names(template: ArcTemplate) -> list[str]:
    """Return what each weight of a row of a template stands for."""
    directions = DIRECTIONS if template.direction else ("",)
    distances = DISTANCES if template.distance else ("",)
    return [" ".join(filter(None, (a, b))) for a in directions for b in distances]


def compact_arcs(
    program: ArcProgram,
    tables: Tables,
    keys: list[NDArray[np.int64]],
    rows: list[NDArray[np.float32]],
    single: bool,
    projective: bool,
    stand_ins: tuple[str, ...],
) -> ArcModel:
    """Return a model that holds what has weight, and nothing else."""
    alive = [np.flatnonzero(mine.any(axis=1)) for mine in rows]
    kept = [b for b in range(len(rows)) if len(alive[b])]
    smaller = compile_arcs([one for one, b in zip(program.templates, program.base_of, strict=True) if b in set(kept)])
    radices = program.radices(tables)
    cells = [[keys[b][alive[b]] // stride % count for count, stride in zip(*radices[b], strict=True)] for b in kept]
    places = [
        (cell.column, values)
        for base, mine in zip(smaller.bases, cells, strict=True)
        for cell, values in zip(base, mine, strict=True)
    ]
    atoms = keep_atoms(smaller.columns, places, tables, always=1)  # the root
    new_keys, new_rows = [], []
    for number, (_, strides) in enumerate(smaller.radices(atoms)):
        found = np.zeros(len(alive[kept[number]]), dtype=np.int64)
        for values, stride in zip(cells[number], strides, strict=True):
            found += values * stride
        order = np.argsort(found)
        new_keys.append(found[order])
        new_rows.append(np.ascontiguousarray(rows[kept[number]][alive[kept[number]][order]]))
    return ArcModel(smaller.templates, atoms, new_keys, new_rows, single, projective, stand_ins)
