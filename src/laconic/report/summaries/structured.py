"""`summarize_tagger`, `summarize_parser`: a model, and where wanted sentences, become one `StructuredSummary`."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from laconic.core.summaries.summary import MarkedSentence, StructuredSummary

if TYPE_CHECKING:
    from laconic.models import Scorer
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.scorer import ParseScorer
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.scorer import TagScorer

TOP = 50  # features of a label
MOST_CONFUSIONS = 30
ARCS = "an arc"  # the name under which features of arcs stand beside those of relations
MOST_TEMPLATES = 150  # of which an order can be drawn that a person can read


@runtime_checkable
class Fitted(Protocol):
    """A fitted estimator of laconic: it returns the light scorer that `laconic.load` gives for a saved model."""

    def to_scorer(self) -> "Scorer | TagScorer | ParseScorer": ...


def scorer_of(model: Any) -> Any:
    """Return the scorer of a fitted estimator; a scorer is returned as it is."""
    return model.to_scorer() if isinstance(model, Fitted) else model


def folder_size(folder: str | os.PathLike | None) -> int | None:
    """Return the bytes of a saved model; None without a folder."""
    return None if folder is None else sum(entry.stat().st_size for entry in Path(folder).iterdir())


def unscored(
    scorer: "TagScorer | ParseScorer", title: str, folder: str | os.PathLike | None, **own: Any
) -> StructuredSummary:
    """Return the summary of a model that was not tested, with what only its kind of model has in `own`."""
    info = scorer.info
    return StructuredSummary(
        title=title,
        weights=scorer.model.n_weights,
        memory=tuple(info.get("memory", ())),
        configuration={key: info[key] for key in ("settings", "extra", "laconic") if info.get(key)},
        size=folder_size(folder),
        **own,
    )


def scored(
    summary: StructuredSummary,
    corpus: str,
    scores: Sequence[Mapping[str, Any]],
    labels: tuple[Sequence[str], Sequence[str]],
    mistakes: Sequence[int],
    marked: Callable[[int], MarkedSentence],
    shown: int,
) -> StructuredSummary:
    """Return a summary with scores, confusions of (true, predicted) labels, and the sentences with most mistakes."""
    confusions = Counter((true, predicted) for true, predicted in zip(*labels, strict=True) if true != predicted)
    worst = sorted(range(len(mistakes)), key=lambda i: -mistakes[i])[:shown]
    return replace(
        summary,
        corpus=f"{len(mistakes):,} sentences" + (f" of {corpus}" if corpus else ""),
        scores=tuple(scores),
        confusions=tuple((*pair, count) for pair, count in confusions.most_common(MOST_CONFUSIONS)),
        sentences=tuple(map(marked, worst)),
    )


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
    from laconic.structured.tagging.explain import strongest_features, template_rows, transition_table
    from laconic.structured.tagging.named_sets import resolve_templates
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
    return summary if corpus is None else _scored_tags(summary, scorer, *corpus, name, sentences)


def _scored_tags(
    summary: StructuredSummary, scorer: "TagScorer", given: Any, tags: Sequence[Sequence[str]], name: str, shown: int
) -> StructuredSummary:
    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.scores import score_tags

    sentences = Sentences.of(given)
    predicted = scorer.predict(sentences)
    column = next(iter(sentences.columns))

    def marked(i: int) -> MarkedSentence:
        return MarkedSentence(tuple(map(str, sentences[i][column])), tuple(tags[i]), tuple(predicted[i]))

    labels = list(chain.from_iterable(tags)), list(chain.from_iterable(predicted))
    mistakes = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in zip(tags, predicted, strict=True)]
    scores = score_tags(tags, predicted)
    spans = [("all spans", scores.overall), *scores.types.items()] if scores.overall.true else []
    rows: list[dict[str, Any]] = [{"name": "all tokens", "accuracy": scores.accuracy, "count": scores.tokens}]
    for kind, span in spans:
        shares = {"precision": span.precision, "recall": span.recall, "f1": span.f1}
        rows.append({"name": kind, **shares, "count": span.true})
    return scored(summary, name, rows, labels, mistakes, marked, shown)


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
    from laconic.structured.parsing.explain import arc_template_rows, strongest_arcs
    from laconic.structured.tagging.explain import strongest_features

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
    return _scored_trees(summary, parser, *corpus, name, sentences)


def _scored_trees(
    summary: StructuredSummary,
    parser: "DependencyParser",
    given: Any,
    trees: Sequence[Sequence[tuple[int, str]]],
    name: str,
    shown: int,
) -> StructuredSummary:
    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.scores import score_trees

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
    parts = {"all tokens": scores.all, "without punctuation": scores.words, "without PUNCT": scores.ud_words}
    rows = [
        {"name": part, "uas": one.uas, **({} if one.las is None else {"las": one.las}), "count": one.tokens}
        for part, one in parts.items()
    ]
    return scored(summary, name, rows, labels, mistakes, marked, shown)
