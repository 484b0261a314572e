"""`summarize_parser`: a parser, and where wanted parsed sentences, become one `StructuredSummary`."""

import os
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.core.summaries.structured import MarkedSentence, StructuredSummary
from laconic.report.summaries.structured import TOP, scored, scorer_of, unscored

if TYPE_CHECKING:
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.scorer import ParseScorer
    from laconic.structured.parsing.scores import AttachmentScores

ARCS = "an arc"  # the name under which features of arcs stand beside those of relations


def summarize_parser(
    model: "ParseScorer | DependencyParser",
    corpus: tuple[Any, Sequence[Sequence[tuple[int, str]]]] | None = None,
    *,
    title: str = "",
    name: str = "",
    sentences: int = 0,
    folder: str | os.PathLike | None = None,
) -> StructuredSummary:
    """Return what a reader is shown about a parser.

    The parameters are those of `summarize_tagger`, but a corpus is a pair (sentences, trees), a tree a list of pairs
    (head, relation), and sentences with the most wrong heads are shown first.

    Examples
    --------
    >>> from laconic.structured import DependencyParser
    >>> X = [[{"word": "We", "pos": "PRON"}, {"word": "sang", "pos": "VERB"}]]
    >>> y = [[(2, "subj"), (0, "root")]]
    >>> summary = summarize_parser(DependencyParser(templates="small", passes=2).fit(X, y), (X, y), sentences=1)
    >>> summary.scores[0]["uas"], summary.sentences[0].predicted_heads
    (1.0, (2, 0))
    """
    from laconic.structured.parsing.summary import arc_template_rows, strongest_arcs
    from laconic.structured.tagging.summary import strongest_features

    scorer: ParseScorer = scorer_of(model)
    relations = scorer.model.relations
    named = {} if relations is None else strongest_features(relations, TOP)
    summary = unscored(
        scorer,
        title,
        folder,
        kind="dependency parser",
        labels=() if relations is None else tuple(relations.labels),
        templates=tuple(arc_template_rows(scorer.model, scorer.info)),
        features={ARCS: strongest_arcs(scorer.model, TOP), **named},
    )
    if corpus is None:
        return summary
    parser: Any = scorer.to_estimator() if model is scorer else model  # compiled: many times faster
    return _scored(summary, parser, *corpus, name, sentences)


def _scored(
    summary: StructuredSummary,
    parser: "DependencyParser",
    given: Any,
    trees: Sequence[Sequence[tuple[int, str]]],
    name: str,
    shown: int,
) -> StructuredSummary:
    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.parsing.scores import score_trees

    sentences = Sentences.of(given)
    heads, relations = parser.parse(sentences)
    arcs = list(chain.from_iterable(trees))
    true_heads = np.array([head for head, _ in arcs], dtype=np.int64)
    truth = [relation for _, relation in arcs]
    scores = score_trees(sentences, true_heads, heads, None if relations is None else truth, relations)
    labels = ([""] * len(arcs),) * 2 if relations is None else (truth, list(relations))
    ends = sentences.ends.tolist()

    def marked(i: int) -> MarkedSentence:
        here = slice(ends[i], ends[i + 1])
        words, true, predicted = (tuple(column[here]) for column in (sentences.columns["word"], *labels))
        return MarkedSentence(words, true, predicted, tuple(true_heads[here].tolist()), tuple(heads[here].tolist()))

    wrong = np.concatenate([[0], np.cumsum(heads != true_heads)])
    mistakes = np.diff(wrong[ends]).tolist()
    return scored(summary, name, _rows(scores), labels, mistakes, marked, shown)


def _rows(scores: "AttachmentScores") -> list[dict[str, Any]]:
    parts = {"all tokens": scores.all, "without punctuation": scores.words, "without PUNCT": scores.ud_words}
    return [
        {"name": name, "uas": part.uas, **({} if part.las is None else {"las": part.las}), "count": part.tokens}
        for name, part in parts.items()
    ]
