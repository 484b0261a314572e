"""Sentences to features: atoms are interned, patterns numbered, and templates become ranges of feature numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.chains.intern import find_keys, intern_keys, mix_keys
from laconic.kernels.chains.mixing import mixed_keys
from laconic.kernels.chains.tagging import Text
from laconic.structured.tagging.model import ChainModel
from laconic.structured.templates.intern import (
    Tables,
    check_columns,
    number_atoms,
    place_tokens,
    power_of_two,
    real_values,
    tables_of,
)
from laconic.structured.templates.language import Program


@dataclass(frozen=True)
class Extracted:
    """Training sentences with all that is needed to name a feature; grams are the atoms of each, by pattern."""

    program: Program
    text: Text
    tables: Tables
    grams: list[NDArray[np.int32]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many features each template has."""
        return np.array([len(self.grams[of]) for of in self.program.pattern_of], dtype=np.int64)

    @property
    def n_features(self) -> int:
        """Features of all templates, labels left aside."""
        return int(self.sizes.sum())

    def occurrences(self) -> NDArray[np.int64]:
        """Return how often each feature occurs in the training sentences."""
        tokens, grams = self.tokens(), self.text.grams
        sizes = zip(self.text.place, self.sizes, strict=True)
        # one more place, the first, for what is nothing
        return np.concatenate([np.bincount(grams[place + tokens] + 1, minlength=size + 1)[1:] for place, size in sizes])

    def tokens(self) -> NDArray[np.int64]:
        """Return the positions of all tokens."""
        text = self.text
        ends = np.cumsum(text.lengths)
        return np.repeat(text.starts - ends + text.lengths, text.lengths) + np.arange(ends[-1])

    def only(self, program: Program) -> "Extracted":
        """Return the same for fewer templates; ``program`` must be made of some of ours."""
        ours = {self._cells(self.program, number): number for number in range(len(self.program.patterns))}
        kept = [ours[self._cells(program, number)] for number in range(len(program.patterns))]
        size = self.text.grams.size // max(len(self.program.patterns), 1)
        grams = self.text.grams.reshape(-1, size)[kept]
        numbers = {template: number for number, template in enumerate(self.program.templates)}
        real = [numbers[one] - self.program.first_real for one in program.templates if one.real]
        counts = [len(self.grams[number]) for number in kept]
        text = _text(program, grams, counts, self.text.values[real], self.text.starts, self.text.lengths)
        tables = {column: self.tables[column] for column in program.columns}
        return Extracted(program, text, tables, [self.grams[number] for number in kept])

    @staticmethod
    def _cells(program: Program, number: int) -> tuple[tuple[str, int], ...]:
        return tuple((program.columns[column], offset) for column, offset in program.patterns[number])


def extract(sentences: Sentences, program: Program, known: ChainModel | None = None, min_count: int = 1) -> Extracted:
    """Return training sentences with all that the templates find in them interned."""
    # Atoms and grams of a ``known`` model of the same templates keep their numbers. Grams that occur less than
    # ``min_count`` times, over all places where some template asks for their pattern, are left out.
    check_columns(program.templates, sentences.columns)
    starts, tokens, size = place_tokens(sentences, program.gap)
    tables = {column: {} for column in program.columns} if known is None else tables_of(known.atoms)
    atoms = number_atoms(sentences, tables, tokens, size, grow=True)
    seeds = [np.zeros((0, len(one)), dtype=np.int32) for one in program.patterns] if known is None else known.grams
    most = size + max(map(len, seeds), default=0)
    slots = power_of_two(2 * most)
    table, numbers = np.empty(slots, dtype=np.uint64), np.empty(slots, dtype=np.int32)
    keys, firsts, found = np.empty(most, np.uint64), np.empty(most, np.int64), np.empty(most, np.int32)
    ids = np.empty((len(program.patterns), size), dtype=np.int32)
    grams = []
    for pattern, seed in enumerate(seeds):
        columns, offsets = program.cells(pattern)
        before, end = len(seed), len(seed) + size
        keys[:before] = mixed_keys(list(seed.T), before)
        mix_keys(atoms, columns, offsets, program.wanted(pattern, tokens, size), keys[before:end])
        table.fill(0)
        count = intern_keys(keys[:end], table, numbers, found[:end], firsts)
        ids[pattern] = found[before:end]
        at = firsts[before:count] - before
        new = [atoms[column, at + offset] for column, offset in zip(columns, offsets, strict=True)]
        cells = np.stack(new, axis=1) if new else np.zeros((count - before, 0), dtype=np.int32)
        grams.append(np.concatenate([seed, cells]))
        if min_count > 1:
            grams[pattern] = _common(ids[pattern], grams[pattern], before, min_count)
    values = real_values(sentences, program.templates[program.first_real :], tokens, size)
    text = _text(program, ids, list(map(len, grams)), values, starts, sentences.lengths)
    return Extracted(program, text, tables, grams)


class Finder:
    """Looks up the features of new sentences; those that training did not have cost nothing."""

    def __init__(self, program: Program, tables: Tables, grams: list[NDArray[np.int32]]) -> None:
        self.program, self.tables = program, tables
        self._counts = [len(one) for one in grams]
        self._slots = [_table(one) for one in grams]

    def text(self, sentences: Sentences) -> Text:
        """Return new sentences for the kernels."""
        program = self.program
        check_columns(program.templates, sentences.columns)
        starts, tokens, size = place_tokens(sentences, program.gap)
        atoms = number_atoms(sentences, self.tables, tokens, size, grow=False)
        keys = np.empty(size, dtype=np.uint64)
        ids = np.empty((len(program.patterns), size), dtype=np.int32)
        for pattern, (table, numbers) in enumerate(self._slots):
            columns, offsets = program.cells(pattern)
            mix_keys(atoms, columns, offsets, program.wanted(pattern, tokens, size), keys)
            find_keys(keys, table, numbers, ids[pattern])
        values = real_values(sentences, program.templates[program.first_real :], tokens, size)
        return _text(program, ids, self._counts, values, starts, sentences.lengths)


def _text(
    program: Program, ids: NDArray, counts: list[int], values: NDArray, starts: NDArray, lengths: NDArray
) -> Text:
    size = ids.shape[1]
    widths = [counts[of] for of in program.pattern_of]
    place = [of * size + shift for of, shift in zip(program.pattern_of, program.shifts, strict=True)]
    base = np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64)
    where = np.array(place, dtype=np.int64), base, program.first_real
    return Text(np.ascontiguousarray(ids).ravel(), *where, np.ascontiguousarray(values), starts, lengths)


def _common(ids: NDArray[np.int32], grams: NDArray[np.int32], before: int, min_count: int) -> NDArray[np.int32]:
    """Drop rare grams: −1 in ``ids``, which is changed in place, the others renumbered; the first ``before`` stay."""
    kept = np.bincount(ids[ids >= 0], minlength=len(grams)) >= min_count
    kept[:before] = True
    new = np.full(len(grams) + 1, -1, dtype=np.int32)  # the last one stands for −1
    new[:-1][kept] = np.arange(kept.sum(), dtype=np.int32)
    ids[:] = new[ids]
    return grams[kept]


def _table(grams: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    slots = power_of_two(2 * len(grams) + 2)
    table, numbers = np.zeros(slots, dtype=np.uint64), np.zeros(slots, dtype=np.int32)
    ids, firsts = np.empty(len(grams), dtype=np.int32), np.empty(len(grams), dtype=np.int64)
    intern_keys(mixed_keys(list(grams.T), len(grams)), table, numbers, ids, firsts)
    return table, numbers
