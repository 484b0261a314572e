"""`ChainModel`: a fitted tagger as plain data, the same after a trip to the disk; needs numpy only."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from laconic.structured.tagging.program import Program, compile_program
from laconic.structured.templates.language import Template


@dataclass(frozen=True)
class ChainModel:
    """A linear chain model with its kept features.

    Parameters
    ----------
    templates : tuple of Template
        Those with a feature left.
    labels : tuple of str
        Sorted.
    atoms : dict
        Column to its known values; the atom of a value is its place from 1, 0 is the end of a sentence.
    grams : list of ndarray of int32
        For each pattern of the program the atoms of each gram, shape (grams, cells).
    features : list of ndarray of int32
        For each template the grams that have weights, ascending.
    rows : ndarray of float32, shape (features of all templates, labels)
    transitions : ndarray of float32, shape (labels + 1, labels)
        From label to label; the last row is for the first label of a sentence.
    """

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


def model_tables(model: ChainModel) -> dict[str, dict[str, int]]:
    """Return column to value to atom.

    Parameters
    ----------
    model : ChainModel
    """
    return {column: {value: atom for atom, value in enumerate(values, 1)} for column, values in model.atoms.items()}


def compact(
    program: Program,
    tables: dict[str, dict[str, int]],
    grams: list[NDArray[np.int32]],
    labels: tuple[str, ...],
    weights: tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]],
) -> ChainModel:
    """Return a model that holds what has weight, and nothing else.

    Parameters
    ----------
    program : Program
    tables : dict
        Column to value to atom.
    grams : list of ndarray
        For each pattern the atoms of its grams.
    labels : tuple of str
    weights : tuple
        Feature numbers, their rows, and the transitions.
    """
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
    atoms = _kept_atoms(smaller, tables, new_grams)
    return ChainModel(smaller.templates, labels, atoms, new_grams, new_features, rows, transitions.copy())


def _kept_atoms(
    program: Program, tables: dict[str, dict[str, int]], grams: list[NDArray[np.int32]]
) -> dict[str, list[str]]:
    """Return the values that occur in grams, by column; the grams are renumbered in place."""
    kept: dict[str, list[str]] = {}
    for number, column in enumerate(program.columns):
        places = [
            (pattern, cell)
            for pattern, cells in enumerate(program.patterns)
            for cell, (of, _) in enumerate(cells)
            if of == number
        ]
        used = np.zeros(len(tables[column]) + 1, dtype=np.bool_)
        for pattern, cell in places:
            used[grams[pattern][:, cell]] = True
        used[0] = False
        new = np.zeros(len(used), dtype=np.int32)
        new[used] = np.arange(1, used.sum() + 1, dtype=np.int32)
        for pattern, cell in places:
            grams[pattern][:, cell] = new[grams[pattern][:, cell]]
        values = list(tables[column])  # in the order of their numbers
        kept[column] = [values[atom - 1] for atom in np.flatnonzero(used).tolist()]
    return kept
