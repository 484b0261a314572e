"""`TagScorer`: a saved tagger, ready to predict, with nothing but numpy and the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.score_numpy import PlainScorer

if TYPE_CHECKING:
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.explain import TokenExplanation


class TagScorer:
    """A linear chain model that predicts, and in ``info`` the content of its ``model.json``."""

    def __init__(self, model: ChainModel, info: Mapping[str, Any]) -> None:
        self.model = model
        self.info = dict(info)
        self.labels_ = model.labels
        self._scorer = PlainScorer(model)

    def __repr__(self) -> str:
        return f"<TagScorer of {len(self.model.templates)} templates and {self.model.n_weights:,} weights>"

    def predict(self, sentences: Any) -> list[list[str]]:
        """Return the tags of each sentence."""
        given = Sentences.of(sentences)
        if not given.n_tokens:
            return [[] for _ in range(len(given))]
        return as_tags(given, self._scorer.best(given), self.labels_)

    def explain(self, sentence: Any) -> list[TokenExplanation]:
        """Return for each token of one sentence its tag and the features that made it."""
        from laconic.structured.tagging.explain import explain_tags  # only here: loading a model must stay light

        return explain_tags(self._scorer, sentence)

    @property
    def transitions(self) -> dict[str, dict[str, float]]:
        """The weight of each pair of tags, by the first; ``⊥`` is the start of a sentence."""
        from laconic.structured.tagging.explain import transition_table

        return transition_table(self.model)

    def to_estimator(self) -> SequenceTagger:
        """Return a fitted `SequenceTagger`, whose compiled prediction is faster on large data."""
        from laconic.structured.tagging.estimator import SequenceTagger

        return SequenceTagger.from_model(self.model, self.info)


def as_tags(sentences: Sentences, numbers: NDArray[np.int64], labels: tuple[str, ...]) -> list[list[str]]:
    """Return the labels of all tokens, one list a sentence."""
    return Sentences({"tag": [labels[number] for number in numbers.tolist()]}, sentences.lengths).split("tag")
