"""`ParseScorer`: a saved parser, ready to predict, with nothing but numpy and the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.shapes import BINS
from laconic.structured.parsing.extraction import all_columns, arc_text, fill_columns, with_heads
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.templates import BETWEEN, HEAD
from laconic.structured.tagging.scorer import TagScorer

if TYPE_CHECKING:
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.explain import ArcExplanation


class ParseScorer:
    """An arc-factored model that looks up features by binary search; ``info`` is the content of its ``model.json``."""

    def __init__(self, model: ArcModel, info: Mapping[str, Any] | None = None) -> None:
        self.model, self.info = model, dict(info or {})
        self._radices = model.program.radices(model.tables)
        self._parts = [part for (part,) in model.program.parts(collapsed=True)]

    def __repr__(self) -> str:
        return f"<ParseScorer of {len(self.model.templates)} templates and {self.model.n_rows:,} keys>"

    def predict(self, sentences: Any) -> list[list]:
        """Return for each sentence the heads of its words, or (head, relation) if the model names relations."""
        given = Sentences.of(sentences)
        if not given.n_tokens:
            return [[] for _ in range(len(given))]
        heads = self.heads(given)
        return as_lists(given, heads, self.relations(given, heads))

    def relations(self, sentences: Sentences, heads: NDArray[np.int64]) -> list[str] | None:
        """Return the relation of each word to a given head; None if the model names none."""
        if self._namer is None:
            return None
        return name_arcs(self._namer, self.model, sentences, heads)

    def explain(self, sentence: Any) -> list[ArcExplanation]:
        """Return for each word of one sentence its head, the runner-up, and the features that decided."""
        from laconic.structured.parsing.explain import explain_arcs  # only here: loading a model must stay light

        return explain_arcs(self, sentence)

    def to_estimator(self) -> DependencyParser:
        """Return a fitted `DependencyParser`, whose compiled prediction is much faster."""
        from laconic.structured.parsing.estimator import DependencyParser

        return DependencyParser.from_model(self.model, self.info)

    @cached_property
    def _namer(self) -> TagScorer | None:
        return None if self.model.relations is None else TagScorer(self.model.relations)

    def heads(self, sentences: Sentences) -> NDArray[np.int64]:
        """Return the heads of all tokens, sentences one after another."""
        find = best_projective_heads if self.model.projective else best_heads
        found = [find(scores, self.model.single) for scores in self.scores(sentences)]
        return np.concatenate([*found, np.zeros(0, dtype=np.int64)])

    def scores(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """Return for each sentence the scores of its arcs; row 0 is the root as head, column 0 is not used."""
        program = self.model.program
        filled = fill_columns(sentences, self.model.stand_ins, program.columns)
        text = arc_text(filled, program, self.model.tables)
        found = []
        for start, n in zip(text.starts.tolist(), text.lengths.tolist(), strict=True):
            total = np.zeros((n + 1, n + 1))
            for b in range(len(program.bases)):
                for h, m, keys in self.pairs(b, text.atoms, start, n):
                    np.add.at(total, (h, m), self._values(b, h, m, keys))
            found.append(total)
        return found

    def pairs(self, b: int, atoms: NDArray[np.int32], start: int, n: int) -> list[tuple[NDArray, NDArray, NDArray]]:
        """Return heads, modifiers and keys of all arcs for which a base finds something known; see `scores`."""
        base, (_, strides) = self.model.program.bases[b], self._radices[b]
        columns = self.model.program.columns
        halves = np.zeros((2, n + 1), dtype=np.int64)
        known = np.ones((2, n + 1), dtype=np.bool_)
        between = None
        for cell, stride in zip(base, strides, strict=True):
            values = atoms[columns.index(cell.column)]
            if cell.side == BETWEEN:
                between = values[start - 1 : start + n], stride
                continue
            side = 0 if cell.side == HEAD else 1
            mine = values[start - 1 + cell.offset : start + n + cell.offset]
            known[side] &= mine >= 0
            halves[side] += mine.astype(np.int64) * stride
        possible = known[0][:, None] & known[1][None, :] & ~np.eye(n + 1, dtype=np.bool_)
        possible[:, 0] = False
        keys = halves[0][:, None] + halves[1][None, :]
        if between is None:
            h, m = np.nonzero(possible)
            return [(h, m, keys[h, m])]
        values, stride = between
        places, found = np.arange(n + 1), []
        left, right = np.minimum.outer(places, places), np.maximum.outer(places, places)
        for value in np.unique(values[1:][values[1:] >= 0]).tolist():
            # how many of the tokens before each place have the value
            seen = np.concatenate([[0], np.cumsum(values[1:] == value)])
            inside = seen[np.maximum(right - 1, 0)] - seen[left] > 0
            h, m = np.nonzero(possible & inside)
            found.append((h, m, keys[h, m] + value * stride))
        return found

    def rows_at(self, b: int, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of keys, −1 for those that have none."""
        known = self.model.keys[b]
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[at] == keys, at, -1)

    def _values(self, b: int, h: NDArray, m: NDArray, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        _, by_direction, by_distance, *_ = self._parts[b]
        rows = self.rows_at(b, keys)
        columns = (m > h) * by_direction + distance_bins(np.abs(h - m)) * by_distance
        return np.where(rows >= 0, self.model.rows[b][rows, columns], 0.0)


def name_arcs(scorer: Any, model: ArcModel, sentences: Sentences, heads: NDArray[np.int64]) -> list[str]:
    """Return the relations of arcs, by a scorer of the chain that names them."""
    if model.relations is None or not sentences.n_tokens:
        return []
    filled = with_heads(all_columns(sentences, model.stand_ins), heads)
    labels = model.relations.labels
    return [labels[number] for number in scorer.best(filled).tolist()]


def as_lists(sentences: Sentences, heads: NDArray[np.int64], relations: list[str] | None) -> list[list]:
    """Return heads, or pairs of head and relation, one list a sentence."""
    found = heads.tolist()
    arcs = found if relations is None else list(zip(found, relations, strict=True))
    return Sentences({"arc": arcs}, sentences.lengths).split("arc")


def distance_bins(distances: NDArray) -> NDArray[np.int64]:
    """Return the bins of distances from 1: 1 to 5, 6–10, 11–20, more."""
    return np.minimum(np.searchsorted([1, 2, 3, 4, 5, 10, 20], distances), BINS - 1)


def best_heads(scores: NDArray[np.float64], single: bool) -> NDArray[np.int64]:
    """Return the heads of the words 1, …, n in the best tree, by Chu-Liu-Edmonds."""
    matrix = scores.astype(np.float64)
    size = len(matrix)
    if size == 1:
        return np.zeros(0, dtype=np.int64)
    inner = matrix[:, 1:]
    if single:
        matrix[0, 1:] -= (inner.max() - inner.min() + 1.0) * size
    np.fill_diagonal(matrix, -np.inf)
    matrix[:, 0] = -np.inf
    heads = _arborescence(matrix)
    return np.array(heads[1:], dtype=np.int64)


def _arborescence(matrix: NDArray[np.float64]) -> list[int]:
    """Return the head of every node; node 0 is the root."""
    size = len(matrix)
    heads = [0, *matrix[:, 1:].argmax(axis=0).tolist()]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(size, dtype=np.bool_)
    inside[cycle] = True
    outer = np.flatnonzero(~inside)
    gains = matrix[[heads[v] for v in cycle], cycle]
    # What it costs to enter the cycle at each member, and from which member it is left best.
    entering = matrix[outer][:, cycle] - gains
    leaving = matrix[cycle][:, outer]
    smaller = np.full((len(outer) + 1, len(outer) + 1), -np.inf)
    smaller[:-1, :-1] = matrix[np.ix_(outer, outer)]
    smaller[:-1, -1] = entering.max(axis=1)
    smaller[-1, :-1] = leaving.max(axis=0)
    smaller[-1, 0] = -np.inf
    found = _arborescence(smaller)
    for place, node in enumerate(outer.tolist()):
        if place:
            head = found[place]
            heads[node] = int(outer[head]) if head < len(outer) else cycle[int(leaving[:, place].argmax())]
    entrance = found[-1]
    heads[cycle[int(entering[entrance].argmax())]] = int(outer[entrance])
    return heads


def _cycle(heads: list[int]) -> list[int]:
    state = [0] * len(heads)
    state[0] = 2
    for first in range(1, len(heads)):
        path = []
        at = first
        while state[at] == 0:
            state[at] = 1
            path.append(at)
            at = heads[at]
        if state[at] == 1:
            return path[path.index(at) :]
        for one in path:
            state[one] = 2
    return []


def best_projective_heads(scores: NDArray[np.float64], single: bool) -> NDArray[np.int64]:
    """Return the heads of the words 1, …, n in the best projective tree, by Eisner's algorithm."""
    size = len(scores)
    whole = np.zeros((2, size, size))  # 0: the head is the last of the span, 1: the first
    part = np.zeros((2, size, size))
    whole_at = np.zeros((2, size, size), dtype=np.int64)
    part_at = np.zeros((size, size), dtype=np.int64)
    for width in range(1, size):
        for s in range(size - width):
            t = s + width
            joined = whole[1, s, s:t] + whole[0, s + 1 : t + 1, t]
            at = int(joined.argmax())
            part_at[s, t] = s + at
            part[0, s, t] = joined[at] + (scores[t, s] if s else -np.inf)
            part[1, s, t] = joined[at] + scores[s, t]
            left = whole[0, s, s:t] + part[0, s:t, t]
            right = part[1, s, s + 1 : t + 1] + whole[1, s + 1 : t + 1, t]
            whole_at[:, s, t] = s + left.argmax(), s + 1 + right.argmax()
            whole[:, s, t] = left.max(), right.max()
    heads = np.zeros(size, dtype=np.int64)
    n = size - 1
    todo = [(0, n, 1, True)]
    if single and n:
        root = 1 + int((whole[0, 1, 1:] + whole[1, 1:, n] + scores[0, 1:]).argmax())
        todo = [(1, root, 0, True), (root, n, 1, True)]
    while todo:
        s, t, way, full = todo.pop()
        if s == t:
            continue
        if full:
            r = int(whole_at[way, s, t])
            todo += [(s, r, 0, True), (r, t, 0, False)] if way == 0 else [(s, r, 1, False), (r, t, 1, True)]
        else:
            heads[s if way == 0 else t] = t if way == 0 else s
            r = int(part_at[s, t])
            todo += [(s, r, 1, True), (r + 1, t, 0, True)]
    return heads[1:]
