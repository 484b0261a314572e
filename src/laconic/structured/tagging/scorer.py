"""`TagScorer`: a saved tagger, ready to predict, with nothing but numpy and the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.chains.mixing import mixed_keys
from laconic.structured.tagging.model import ChainModel
from laconic.structured.templates.intern import check_columns, number_atoms, place_tokens, real_values

if TYPE_CHECKING:
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.explain import TokenExplanation


class TagScorer:
    """A linear chain model that looks up features by binary search; ``info`` is the content of its ``model.json``."""

    def __init__(self, model: ChainModel, info: Mapping[str, Any] | None = None) -> None:
        self.model, self.info, self.labels_ = model, dict(info or {}), model.labels
        self._sorted = []
        for grams in model.grams:
            keys = mixed_keys(list(grams.T), len(grams))
            order = np.argsort(keys)
            self._sorted.append((keys[order], order))
        # One more row, of zeros, for features without weights.
        self._rows = np.vstack([model.rows, np.zeros((1, len(model.labels)), dtype=np.float32)])
        self._row_of = np.split(model.row_of, np.cumsum([len(model.grams[of]) for of in model.program.pattern_of])[:-1])

    def __repr__(self) -> str:
        return f"<TagScorer of {len(self.model.templates)} templates and {self.model.n_weights:,} weights>"

    def predict(self, sentences: Any) -> list[list[str]]:
        """Return the tags of each sentence."""
        given = Sentences.of(sentences)
        if not given.n_tokens:
            return [[] for _ in range(len(given))]
        return as_tags(given, self.best(given), self.labels_)

    def explain(self, sentence: Any) -> list[TokenExplanation]:
        """Return for each token of one sentence its tag and the features that made it."""
        from laconic.structured.tagging.explain import explain_tags  # only here: loading a model must stay light

        return explain_tags(self, sentence)

    @property
    def transitions(self) -> dict[str, dict[str, float]]:
        """The weight of each pair of tags, by the first; ``⊥`` is the start of a sentence."""
        from laconic.structured.tagging.explain import transition_table

        return transition_table(self.model)

    def to_estimator(self) -> SequenceTagger:
        """Return a fitted `SequenceTagger`, whose compiled prediction is faster on large data."""
        from laconic.structured.tagging.estimator import SequenceTagger

        return SequenceTagger.from_model(self.model, self.info)

    def feature_rows(self, sentences: Sentences) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows of weights, −1 for none, of shape (templates, tokens), and the values they are scaled by."""
        program = self.model.program
        check_columns(program.templates, sentences.columns)
        _, tokens, size = place_tokens(sentences, program.gap)
        atoms = number_atoms(sentences, self.model.tables, tokens, size, grow=False)
        found = np.empty((len(program.templates), len(tokens)), dtype=np.int32)
        for number, (of, shift) in enumerate(zip(program.pattern_of, program.shifts, strict=True)):
            cells = [atoms[column, tokens + (shift + offset)] for column, offset in program.patterns[of]]
            found[number] = self._rows_at(number, of, mixed_keys(cells, len(tokens)))
        real = program.templates[program.first_real :]
        return found, real_values(sentences, real, tokens, size)[:, tokens]

    def scores(self, sentences: Sentences) -> NDArray[np.float32]:
        """Return the score of every label at every token."""
        rows, values = self.feature_rows(sentences)
        total = np.zeros((sentences.n_tokens, len(self.model.labels)), dtype=np.float32)
        first = self.model.program.first_real
        for number, row in enumerate(rows):
            part = self._rows[row]
            total += part if number < first else values[number - first][:, None] * part
        return total

    def best(self, sentences: Sentences) -> NDArray[np.int64]:
        """Return the best labels of all tokens, sentences one after another."""
        return best_paths(self.scores(sentences), self.model.transitions, sentences.lengths)

    def _rows_at(self, number: int, pattern: int, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        known, order = self._sorted[pattern]
        if not len(known):
            return np.full(len(keys), -1, dtype=np.int32)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        rows = self._row_of[number][order[at]]
        return np.where(known[at] == keys, rows, -1).astype(np.int32)


def as_tags(sentences: Sentences, numbers: NDArray[np.int64], labels: tuple[str, ...]) -> list[list[str]]:
    """Return the labels of all tokens, one list a sentence."""
    return Sentences({"tag": [labels[number] for number in numbers.tolist()]}, sentences.lengths).split("tag")


BATCH = 256


def best_paths(
    scores: NDArray[np.float32], transitions: NDArray[np.float32], lengths: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the best labels of many sentences, those of similar length side by side."""
    ends = np.cumsum(lengths)
    out = np.empty(len(scores), dtype=np.int64)
    order = np.argsort(-lengths, kind="stable")
    order = order[lengths[order] > 0]
    for first in range(0, len(order), BATCH):
        batch = order[first : first + BATCH]
        starts, sizes = ends[batch] - lengths[batch], lengths[batch]
        places = starts[:, None] + np.minimum(np.arange(sizes[0]), sizes[:, None] - 1)
        _best_of_batch(scores[places], transitions, places, sizes, out)
    return out


def _best_of_batch(
    scores: NDArray[np.float32],
    transitions: NDArray[np.float32],
    places: NDArray[np.int64],
    sizes: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    n_labels = scores.shape[2]
    back = np.zeros(scores.shape, dtype=np.int64)
    best = scores[:, 0] + transitions[n_labels]
    for i in range(1, scores.shape[1]):
        alive = int(np.searchsorted(-sizes, -i, side="left"))  # the longer sentences come first
        reached = best[:alive, :, None] + transitions[None, :n_labels]
        back[:alive, i] = reached.argmax(axis=1)
        best[:alive] = np.take_along_axis(reached, back[:alive, i][:, None], axis=1)[:, 0] + scores[:alive, i]
    label = best.argmax(axis=1)
    for i in range(scores.shape[1] - 1, -1, -1):
        here = sizes > i
        out[places[here, i]] = label[here]
        label[here] = back[here, i][np.arange(here.sum()), label[here]]
