"""`SaysWhy`: what a fitted text model says about one text, by way of its scorer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.summaries.explanation import Explanation, Label, SentencePart


class SaysWhy:
    """Explanations of a classifier that has ``to_scorer``.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    >>> model.explain("The lamp.").label
    'repair'
    """

    def to_scorer(self) -> Any:
        """Return the light scorer of the model."""
        raise NotImplementedError

    def explain(self, text: Any) -> Explanation:
        """Return the label of one text and what each known word did for it, with its places in the text."""
        return self.to_scorer().explain(text)

    def sentences(self, text: Any, label: Label | None = None) -> tuple[SentencePart, ...]:
        """Return what the model sees in each sentence of one text; see `Scorer.sentences`."""
        return self.to_scorer().sentences(text, label)

    def selected_sentences(self, text: Any, label: Label | None = None) -> tuple[SentencePart, ...]:
        """Return the sentences of one text that hold a word with a weight; see `Scorer.selected_sentences`."""
        return self.to_scorer().selected_sentences(text, label)

    def influence(self, text: Any, label: Label | None = None) -> NDArray[np.float64]:
        """Return the influence of each sentence of one text on a label; see `Scorer.influence`."""
        return self.to_scorer().influence(text, label)
