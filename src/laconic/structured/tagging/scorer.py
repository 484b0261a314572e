"""`TagScorer`: a saved tagger, ready to predict, with nothing but numpy and the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laconic.data.annotated.sentences import Sentences
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.score_numpy import PlainScorer

if TYPE_CHECKING:
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.explain import TokenExplanation


class TagScorer:
    """A linear chain model that predicts.

    Parameters
    ----------
    model : ChainModel
    info : mapping
        What is known about it: the content of ``model.json``.

    Attributes
    ----------
    labels_ : tuple of str
    info : dict
    """

    def __init__(self, model: ChainModel, info: Mapping[str, Any]) -> None:
        self.model = model
        self.info = dict(info)
        self.labels_ = model.labels
        self._scorer = PlainScorer(model)

    def __repr__(self) -> str:
        return f"<TagScorer of {len(self.model.templates)} templates and {self.model.n_weights:,} weights>"

    def predict(self, sentences: Any) -> list[list[str]]:
        """Return the tags of each sentence.

        Parameters
        ----------
        sentences : list
            Of lists of words, lists of dicts, or dicts of columns; or `Sentences`.
        """
        given = Sentences.of(sentences)
        if not given.n_tokens:
            return [[] for _ in range(len(given))]
        labels = self.labels_
        tags = [labels[number] for number in self._scorer.best(given).tolist()]
        return Sentences({"tag": tags}, given.lengths).split("tag")

    def explain(self, sentence: Any) -> list[TokenExplanation]:
        """Return for each token of one sentence its tag and the features that made it."""
        from laconic.structured.tagging.explain import explain_tags  # only here: loading a model must stay light

        return explain_tags(self._scorer, sentence)

    @property
    def transitions(self) -> dict[str, dict[str, float]]:
        """The weight of each pair of tags, by the first; ``⊥`` is the start of a sentence."""
        from laconic.structured.tagging.summary import transition_table

        return transition_table(self.model)

    def to_estimator(self) -> SequenceTagger:
        """Return a fitted `SequenceTagger`, whose compiled prediction is faster on large data."""
        from laconic.structured.tagging.estimator import SequenceTagger

        return SequenceTagger.from_model(self.model, self.info)
