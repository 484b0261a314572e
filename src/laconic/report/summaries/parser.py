"""`summarize_parser`: a parser, and where wanted parsed sentences, become one `StructuredSummary`."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.core.summaries.structured import MarkedSentence, StructuredSummary
from laconic.report.summaries.tagger import MOST_CONFUSIONS, TOP

if TYPE_CHECKING:
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.scorer import ParseScorer

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

    Parameters
    ----------
    model : ParseScorer or DependencyParser
    corpus : (sentences, trees), optional
        To score it on; a tree is a list of pairs (head, relation).
    title : str
    name : str
        Of the corpus.
    sentences : int
        How many of them to show, those with most wrong heads first.
    folder : path, optional
        Where the model is saved, for its size.

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

    scorer: Any = model.to_scorer() if hasattr(model, "to_scorer") else model
    info, relations = scorer.info, scorer.model.relations
    named = {} if relations is None else strongest_features(relations, TOP)
    found = StructuredSummary(
        title=title,
        kind="dependency parser",
        labels=() if relations is None else tuple(relations.labels),
        weights=scorer.model.n_weights,
        templates=tuple(arc_template_rows(scorer.model, info)),
        features={ARCS: strongest_arcs(scorer.model, TOP), **named},
        memory=tuple(info.get("memory", ())),
        configuration={key: info[key] for key in ("settings", "extra", "laconic") if info.get(key)},
        size=None if folder is None else sum(entry.stat().st_size for entry in Path(folder).iterdir()),
    )
    if corpus is None:
        return found
    parser: Any = scorer.to_estimator() if model is scorer else model  # compiled: many times faster
    return _scored(found, parser, *corpus, name, sentences)


def _scored(
    found: StructuredSummary, parser: Any, given: Any, trees: Sequence[Sequence[tuple[int, str]]], name: str, shown: int
) -> StructuredSummary:
    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.parsing.scores import score_trees

    sentences = Sentences.of(given)
    heads, relations = parser.parse(sentences)
    true = [arc for tree in trees for arc in tree]
    true_heads = np.array([head for head, _ in true], dtype=np.int64)
    true_names = [relation for _, relation in true]
    scores = score_trees(sentences, true_heads, heads, None if relations is None else true_names, relations)
    parts = {"all tokens": scores.all, "without punctuation": scores.words, "without PUNCT": scores.ud_words}
    rows = [
        {"name": part, "uas": one.uas, **({} if one.las is None else {"las": one.las}), "count": one.tokens}
        for part, one in parts.items()
    ]
    told = [""] * len(true) if relations is None else list(relations)
    truth = [""] * len(true) if relations is None else true_names
    confusions: Counter[tuple[str, str]] = Counter((a, b) for a, b in zip(truth, told, strict=True) if a != b)
    ends = sentences.ends.tolist()
    wrong = np.concatenate([[0], np.cumsum(heads != true_heads)])
    order = sorted(range(len(sentences)), key=lambda i: -int(wrong[ends[i + 1]] - wrong[ends[i]]))[:shown]

    def marked(i: int) -> MarkedSentence:
        here = slice(ends[i], ends[i + 1])
        arcs = tuple(true_heads[here].tolist()), tuple(heads[here].tolist())
        return MarkedSentence(tuple(sentences.columns["word"][here]), tuple(truth[here]), tuple(told[here]), *arcs)

    return replace(
        found,
        corpus=f"{scores.sentences:,} sentences" + (f" of {name}" if name else ""),
        scores=tuple(rows),
        confusions=tuple((a, b, n) for (a, b), n in confusions.most_common(MOST_CONFUSIONS)),
        sentences=tuple(map(marked, order)),
    )
