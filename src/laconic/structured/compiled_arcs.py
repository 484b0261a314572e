"""Heads by the compiled kernels."""

import numpy as np
from numpy.typing import NDArray

from laconic.data.sentences import Sentences
from laconic.kernels.arc_learning import parse_all
from laconic.kernels.arc_shapes import ArcText, Table
from laconic.kernels.arc_tables import add_rows
from laconic.kernels.arcs import score_arcs
from laconic.kernels.trees import arc_marginals
from laconic.structured.arc_extraction import arc_text
from laconic.structured.arc_learner import empty_table
from laconic.structured.arc_model import ArcModel
from laconic.structured.tree_columns import fill_columns


class CompiledParser:
    """A model made ready for the kernels.

    Parameters
    ----------
    model : ArcModel
    """

    def __init__(self, model: ArcModel) -> None:
        self.model = model
        self.bases = model.program.arrays(model.sizes, collapsed=True)
        self.table = filled_table(model)

    def text(self, sentences: Sentences) -> ArcText:
        """Return new sentences for the kernels."""
        program = self.model.program
        filled = fill_columns(sentences, self.model.stand_ins, program.columns)
        return arc_text(filled, program, self.model.tables)

    def heads(self, sentences: Sentences) -> NDArray[np.int64]:
        """Return the heads of all tokens, sentences one after another."""
        out = np.empty(sentences.n_tokens, dtype=np.int64)
        parse_all(self.text(sentences), self.bases, self.table, self.model.single, self.model.projective, out)
        return out

    def scores(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """Return for each sentence the scores of its arcs; row 0 is the root as head, column 0 is not used."""
        text = self.text(sentences)
        found = []
        for s, n in enumerate(sentences.lengths.tolist()):
            scores = np.zeros((n + 1, n + 1))
            score_arcs(text, self.bases, self.table, s, scores)
            scores[:, 0] = 0.0
            np.fill_diagonal(scores, 0.0)
            found.append(scores)
        return found

    def marginals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """Return for each sentence the probabilities of its arcs, shaped as in `scores`."""
        found = []
        for scores in self.scores(sentences):
            out = np.zeros_like(scores)
            if len(scores) > 1:
                arc_marginals(scores, len(scores) - 1, self.model.single, out)
            found.append(out)
        return found


def filled_table(model: ArcModel) -> Table:
    """Return the rows of a model as a hash table."""
    sizes = [len(one) for one in model.keys]
    bases = model.program.arrays(model.sizes, collapsed=True)
    slots = [1 << max(4, (4 * size - 1).bit_length()) for size in sizes]
    weights = np.concatenate([one.ravel() for one in model.rows] or [np.zeros(0, dtype=np.float32)])
    table = empty_table(bases, slots, 0, False)._replace(weights=weights)
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    add_rows(bases, table, ends, np.concatenate([*model.keys, np.zeros(0, dtype=np.int64)]))
    return table
