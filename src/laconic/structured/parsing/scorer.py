"""`ParseScorer`: a saved parser, ready to predict, with nothing but numpy and the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.score_numpy import PlainParser
from laconic.structured.parsing.tree_columns import all_columns, with_heads
from laconic.structured.tagging.score_numpy import PlainScorer

if TYPE_CHECKING:
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.explain import ArcExplanation


class ParseScorer:
    """An arc-factored model that predicts, and in ``info`` the content of its ``model.json``."""

    def __init__(self, model: ArcModel, info: Mapping[str, Any]) -> None:
        self.model = model
        self.info = dict(info)
        self._parser = PlainParser(model)

    def __repr__(self) -> str:
        return f"<ParseScorer of {len(self.model.templates)} templates and {self.model.n_rows:,} keys>"

    def predict(self, sentences: Any) -> list[list]:
        """Return for each sentence the heads of its words, or (head, relation) if the model names relations."""
        given = Sentences.of(sentences)
        if not given.n_tokens:
            return [[] for _ in range(len(given))]
        heads = self._parser.heads(given)
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
    def _namer(self) -> PlainScorer | None:
        return None if self.model.relations is None else PlainScorer(self.model.relations)


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
