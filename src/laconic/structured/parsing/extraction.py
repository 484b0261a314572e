"""Sentences to atoms for arc templates: the root is a token of its own, before the first one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.shapes import ArcText
from laconic.structured.parsing.program import ArcProgram
from laconic.structured.templates.intern import Tables, check_columns, number_atoms, place_tokens

ROOT = "⊤"  # the value of every column at the root; its atom is 1


@dataclass(frozen=True)
class Arcs:
    """Training sentences with the heads of all their tokens, and all that is needed to name a feature."""

    program: ArcProgram
    text: ArcText
    tables: Tables
    heads: NDArray[np.int64]

    @property
    def sizes(self) -> dict[str, int]:
        """Column to the number of its atoms, the 0 beyond a sentence included."""
        return table_sizes(self.tables)

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where sentences begin in ``heads``."""
        return np.concatenate([[0], np.cumsum(self.text.lengths)]).astype(np.int64)

    def only(self, program: ArcProgram) -> "Arcs":
        """Return the same for fewer templates."""
        rows = [self.program.columns.index(column) for column in program.columns]
        text = self.text._replace(atoms=np.ascontiguousarray(self.text.atoms[rows]))
        # The room between sentences stays as wide as it was; more than needed does no harm.
        return Arcs(program, text, {column: self.tables[column] for column in program.columns}, self.heads)


def extract_arcs(sentences: Sentences, program: ArcProgram, heads: NDArray[np.int64]) -> Arcs:
    """Return training sentences with all their values interned."""
    tables: Tables = {column: {ROOT: 1} for column in program.columns}
    return Arcs(program, arc_text(sentences, program, tables, grow=True), tables, heads)


def arc_text(sentences: Sentences, program: ArcProgram, tables: Tables, grow: bool = False) -> ArcText:
    """Return sentences for the kernels; with ``grow`` new values are added to the tables."""
    check_columns(program.templates, sentences.columns)
    starts, tokens, size = place_tokens(sentences, program.gap)
    atoms = number_atoms(sentences, tables, tokens, size, grow)
    atoms[:, starts - 1] = 1
    return ArcText(atoms, starts, sentences.lengths)


def table_sizes(tables: Tables) -> dict[str, int]:
    """Return column to the number of its atoms, with the 0 beyond a sentence."""
    return {column: len(table) + 1 for column, table in tables.items()}
