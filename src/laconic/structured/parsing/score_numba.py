"""Heads by the compiled kernels."""

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.learning import parse_all
from laconic.kernels.arcs.scores import score_arcs
from laconic.kernels.arcs.shapes import OF_BETWEEN, ArcText, Bases, Blocks, Table, no_blocks
from laconic.kernels.arcs.tables import place_rows
from laconic.kernels.arcs.trees import arc_marginals
from laconic.structured.parsing.extraction import arc_text, fill_columns
from laconic.structured.parsing.learner import empty_table
from laconic.structured.parsing.model import ArcModel
from laconic.structured.templates.intern import power_of_two

MOST_VALUES = 255  # that may stand between and are held in blocks: a rank is one byte


class CompiledParser:
    """A parser made ready for the kernels."""

    def __init__(self, model: ArcModel) -> None:
        self.model = model
        self.bases = model.program.arrays(model.tables, collapsed=True)
        self.table = filled_table(model, self.bases)

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


def filled_table(model: ArcModel, bases: Bases) -> Table:
    """Return the rows of a model as a hash table, those that look between head and modifier in blocks."""
    held = (bases.kind == OF_BETWEEN) & (bases.between_size <= MOST_VALUES)
    keys, rows, weights, ranks = [], [], [], []
    places: list[NDArray[np.int64]] = []
    used, n_blocks = 0, 0
    for b, (mine, values) in enumerate(zip(model.keys, model.rows, strict=True)):
        if held[b]:
            size = int(bases.between_size[b])
            different, where, ranked, block = _blocks(mine, values, int(bases.between_stride[b]), size)
            keys.append(different)
            rows.append(n_blocks + np.arange(len(different)))
            places.append(where + np.array([used, 0]))
            ranks.append(np.pad(ranked, ((0, 0), (0, MOST_VALUES - size))))
            weights.append(block)
            n_blocks += len(different)
        else:
            keys.append(mine)
            rows.append(used + bases.width[b] * np.arange(len(mine)))
            weights.append(values.ravel())
        used += len(weights[-1])
    table = empty_table(bases, [power_of_two(4 * len(mine)) for mine in keys], 0, False)
    for b, (mine, at) in enumerate(zip(keys, rows, strict=True)):
        place_rows(table, b, mine, at)
    blocks = no_blocks(len(keys))
    if held.any():
        widest = int(bases.between_size[held].max())
        blocks = Blocks(held, np.concatenate(places), np.ascontiguousarray(np.concatenate(ranks)[:, :widest]))
    return table._replace(weights=np.concatenate([*weights, np.zeros(0, dtype=np.float32)]), blocks=blocks)


def _blocks(keys: NDArray[np.int64], rows: NDArray[np.float32], stride: int, size: int) -> tuple[NDArray, ...]:
    """Return the rows of a base in blocks, one for each different rest of a key without what stands between."""
    # These rests, where each block begins with its numbers a column, the ranks of values in it, and all its weights.
    values = keys // stride % size
    different, numbers = np.unique(keys - values * stride, return_inverse=True)
    order = np.lexsort((values, numbers))
    numbers, values = numbers[order], values[order]
    counts = np.bincount(numbers, minlength=len(different))
    begins = np.cumsum(counts) - counts
    places = np.arange(len(numbers)) - begins[numbers] + 1
    ranks = np.zeros((len(different), size), dtype=np.uint8)
    ranks[numbers, values] = places
    width = rows.shape[1]
    starts = np.cumsum(width * (counts + 1)) - width * (counts + 1)
    weights = np.zeros(int((width * (counts + 1)).sum()), dtype=np.float32)
    columns = np.arange(width) * (counts[numbers] + 1)[:, None]
    weights[(starts[numbers] + places)[:, None] + columns] = rows[order]
    return different, np.stack([starts, counts + 1], axis=1), ranks, weights
