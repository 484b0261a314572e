"""`summarize_tagger`: a tagger, and where wanted tagged sentences, become one `StructuredSummary`."""

import os
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from laconic.core.summaries.structured import MarkedSentence, StructuredSummary
from laconic.report.summaries.structured import TOP, scored, scorer_of, unscored

if TYPE_CHECKING:
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.scorer import TagScorer
    from laconic.structured.tagging.scores import TagScores

MOST_TEMPLATES = 150  # of which an order can be drawn that a person can read


def summarize_tagger(
    model: "TagScorer | SequenceTagger",
    corpus: tuple[Any, Sequence[Sequence[str]]] | None = None,
    *,
    title: str = "",
    name: str = "",
    sentences: int = 0,
    folder: str | os.PathLike | None = None,
) -> StructuredSummary:
    """Return what a reader is shown about a tagger.

    Parameters
    ----------
    model : TagScorer or SequenceTagger
    corpus : (sentences, tags), optional
        Test set.
    title : str
    name : str
        Name of the corpus.
    sentences : int
        Number of sentences to show, those with the most wrong tags first.
    folder : path, optional
        Where the model is saved, for its size.

    Examples
    --------
    >>> from laconic.structured import SequenceTagger
    >>> words, tags = [["We", "sang"], ["Stop"]], [["N", "V"], ["V"]]
    >>> summary = summarize_tagger(SequenceTagger(templates=["word[0]"]).fit(words, tags), (words, tags), sentences=1)
    >>> summary.scores[0]["accuracy"], summary.sentences[0].words
    (1.0, ('We', 'sang'))
    """
    from laconic.structured.tagging.named_sets import resolve_templates
    from laconic.structured.tagging.summary import strongest_features, template_rows, transition_table
    from laconic.structured.templates.ordering import hasse_edges

    scorer: TagScorer = scorer_of(model)
    rows = template_rows(scorer.model, scorer.info)
    templates = resolve_templates([row["template"] for row in rows]) if len(rows) <= MOST_TEMPLATES else ()
    summary = unscored(
        scorer,
        title,
        folder,
        kind="sequence tagger",
        labels=tuple(scorer.model.labels),
        templates=tuple(rows),
        edges=tuple(hasse_edges(templates)),
        features=strongest_features(scorer.model, TOP),
        transitions=transition_table(scorer.model),
    )
    return summary if corpus is None else _scored(summary, scorer, *corpus, name, sentences)


def _scored(
    summary: StructuredSummary, scorer: "TagScorer", given: Any, tags: Sequence[Sequence[str]], name: str, shown: int
) -> StructuredSummary:
    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.tagging.scores import score_tags

    sentences = Sentences.of(given)
    predicted = scorer.predict(sentences)
    column = next(iter(sentences.columns))

    def marked(i: int) -> MarkedSentence:
        return MarkedSentence(tuple(map(str, sentences[i][column])), tuple(tags[i]), tuple(predicted[i]))

    labels = list(chain.from_iterable(tags)), list(chain.from_iterable(predicted))
    mistakes = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in zip(tags, predicted, strict=True)]
    return scored(summary, name, _rows(score_tags(tags, predicted)), labels, mistakes, marked, shown)


def _rows(scores: "TagScores") -> list[dict[str, Any]]:
    spans = [("all spans", scores.overall), *scores.types.items()] if scores.overall.true else []
    return [
        {"name": "all tokens", "accuracy": scores.accuracy, "count": scores.tokens},
        *(
            {"name": kind, "precision": span.precision, "recall": span.recall, "f1": span.f1, "count": span.true}
            for kind, span in spans
        ),
    ]
