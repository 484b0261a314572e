"""`ChainModel`: a fitted tagger as plain data, the same after a trip to the disk (docs/export.md); needs numpy only."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from laconic.structured.folder import check_numbers, check_weights, checked_atoms
from laconic.structured.templates.intern import Tables, keep_atoms, tables_of
from laconic.structured.templates.language import Program, Template, compile_program, parse_templates


@dataclass(frozen=True)
class ChainModel:
    """A linear chain model with its kept features: the templates that have one left, and the labels, sorted."""

    # The atom of a value is its place in ``atoms`` from 1; 0 is beyond the sentence. ``grams`` has for each pattern of
    # the program the atoms of each gram, ``features`` for each template the grams that have weights, ascending;
    # ``rows`` are these, one number per label. The last row of ``transitions`` is for the first label of a sentence.

    kind: ClassVar[str] = "sequence tagger"

    templates: tuple[Template, ...]
    labels: tuple[str, ...]
    atoms: dict[str, list[str]]
    grams: list[NDArray[np.int32]]
    features: list[NDArray[np.int32]]
    rows: NDArray[np.float32]
    transitions: NDArray[np.float32]

    @cached_property
    def program(self) -> Program:
        """What to look up where."""
        return compile_program(self.templates)

    @cached_property
    def tables(self) -> Tables:
        """Column to value to atom."""
        return tables_of(self.atoms)

    @property
    def n_weights(self) -> int:
        """Weights that are not zero, pairs of labels included."""
        return int(np.count_nonzero(self.rows) + np.count_nonzero(self.transitions))

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where the rows of each template end; the first entry is 0."""
        return np.concatenate([[0], np.cumsum([len(one) for one in self.features])]).astype(np.int64)

    @cached_property
    def row_of(self) -> NDArray[np.int32]:
        """For each template and gram, one after another, the row of weights, or −1."""
        parts = []
        for number, (of, kept) in enumerate(zip(self.program.pattern_of, self.features, strict=True)):
            part = np.full(len(self.grams[of]), -1, dtype=np.int32)
            part[kept] = np.arange(self.ends[number], self.ends[number + 1], dtype=np.int32)
            parts.append(part)
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)

    @property
    def norms(self) -> NDArray[np.float64]:
        """The length of each template's weights."""
        squares = np.square(self.rows.astype(np.float64)).sum(axis=1)
        return np.sqrt([squares[start:end].sum() for start, end in zip(self.ends, self.ends[1:], strict=False)])

    def feature_name(self, row: int) -> tuple[str, tuple[str, ...]]:
        """Return the template of a row of weights, and the values of its cells; ``⊥`` is beyond the sentence."""
        number = int(np.searchsorted(self.ends, row, side="right")) - 1
        pattern = self.program.pattern_of[number]
        gram = self.grams[pattern][self.features[number][row - self.ends[number]]]
        values = []
        for (column, _), atom in zip(self.program.patterns[pattern], gram.tolist(), strict=True):
            values.append(self.atoms[self.program.columns[column]][atom - 1] if atom else "⊥")
        return str(self.templates[number]), tuple(values)

    def facts(self) -> dict[str, Any]:
        """Return what ``model.json`` says about a chain itself."""
        return {
            "labels": list(self.labels),
            "templates": [str(one) for one in self.templates],
            "n_weights": self.n_weights,
            "n_grams": [len(one) for one in self.grams],
            "n_features": [len(one) for one in self.features],
        }

    def parts(self) -> dict[str, Any]:
        """Return the files of a chain."""
        steps = [np.diff(one, prepend=-1) for one in self.features]
        used = self.rows != 0.0
        with np.errstate(over="ignore"):
            half = self.rows[used].astype(np.float16)  # taken where it holds the weights exactly
        exact = np.array_equal(half.astype(np.float32), self.rows[used])
        # The end of a feature is marked by a label that there is not, so that no table of ends is needed.
        numbers = _smallest(np.arange(len(self.labels) + 1))
        marked = np.column_stack([used, np.ones(len(used), dtype=np.bool_)])
        marks = np.broadcast_to(numbers, marked.shape)[marked]
        return {
            "atoms.json": self.atoms,
            "grams.npy": _smallest(
                np.concatenate([one.T.ravel() for one in self.grams] or [np.zeros(0, dtype=np.int32)])
            ),
            "features.npy": _smallest(np.concatenate(steps or [np.zeros(0, dtype=np.int32)])),
            "labels.npy": marks,
            "weights.npy": half if exact else self.rows[used],
            "transitions.npy": self.transitions,
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any], parts: Mapping[str, Any]) -> Self:
        """Return the chain that facts and files describe."""
        templates = parse_templates(facts["templates"]) if facts["templates"] else ()
        labels = tuple(facts["labels"])
        program = compile_program(templates)
        atoms = checked_atoms(parts["atoms.json"], program.columns)
        cells = np.cumsum(
            [0, *(count * len(one) for count, one in zip(facts["n_grams"], program.patterns, strict=True))]
        )
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
        return cls(templates, labels, atoms, grams, features, rows, transitions)


def compact(
    program: Program,
    tables: Tables,
    grams: list[NDArray[np.int32]],
    labels: tuple[str, ...],
    weights: tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]],
) -> ChainModel:
    """Return a model that holds what has weight, and nothing else; weights are feature numbers, rows, transitions."""
    features, rows, transitions = weights
    alive = np.flatnonzero(rows.any(axis=1))
    alive = alive[np.argsort(features[alive], kind="stable")]
    features, rows = features[alive], rows[alive]
    ends = np.concatenate([[0], np.cumsum([len(grams[of]) for of in program.pattern_of])]).astype(np.int64)
    cuts = np.searchsorted(features, ends)
    kept = [number for number in range(len(program.templates)) if cuts[number + 1] > cuts[number]]
    smaller = compile_program([program.templates[number] for number in kept])
    of_template = [features[cuts[number] : cuts[number + 1]] - ends[number] for number in kept]
    new_grams: list[NDArray[np.int32]] = []
    new_features: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)] * len(kept)
    for pattern in range(len(smaller.patterns)):
        users = [place for place, of in enumerate(smaller.pattern_of) if of == pattern]
        old = np.unique(np.concatenate([of_template[place] for place in users]))
        new_grams.append(grams[program.pattern_of[kept[users[0]]]][old])
        for place in users:
            new_features[place] = np.searchsorted(old, of_template[place]).astype(np.int32)
    places = [
        (smaller.columns[column], atoms[:, cell])
        for cells, atoms in zip(smaller.patterns, new_grams, strict=True)
        for cell, (column, _) in enumerate(cells)
    ]
    values = keep_atoms(smaller.columns, places, tables, always=0)
    return ChainModel(smaller.templates, labels, values, new_grams, new_features, rows, transitions.copy())


def _smallest(numbers: NDArray) -> NDArray:
    """Return whole numbers from 0 in the smallest type that holds them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max())) if len(numbers) else np.uint8)
