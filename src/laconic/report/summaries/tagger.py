"""`summarize_tagger`: a tagger, and where wanted tagged sentences, become one `StructuredSummary`."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.core.summaries.structured import MarkedSentence, StructuredSummary

if TYPE_CHECKING:
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.scorer import TagScorer

TOP = 50  # features of a label
MOST_CONFUSIONS = 30
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
        To score it on.
    title : str
    name : str
        Of the corpus.
    sentences : int
        How many of them to show, those with most wrong tags first.
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

    scorer: Any = model.to_scorer() if hasattr(model, "to_scorer") else model
    rows = template_rows(scorer.model, scorer.info)
    templates = resolve_templates([row["template"] for row in rows]) if len(rows) <= MOST_TEMPLATES else ()
    info = scorer.info
    found = StructuredSummary(
        title=title,
        kind="sequence tagger",
        labels=tuple(scorer.model.labels),
        weights=scorer.model.n_weights,
        templates=tuple(rows),
        edges=tuple(hasse_edges(templates)),
        features=strongest_features(scorer.model, TOP),
        transitions=transition_table(scorer.model),
        memory=tuple(info.get("memory", ())),
        configuration={key: info[key] for key in ("settings", "extra", "laconic") if info.get(key)},
        size=None if folder is None else sum(entry.stat().st_size for entry in Path(folder).iterdir()),
    )
    return found if corpus is None else _scored(found, scorer, *corpus, name, sentences)


def _scored(
    found: StructuredSummary, scorer: Any, given: Any, tags: Sequence[Sequence[str]], name: str, shown: int
) -> StructuredSummary:
    from dataclasses import replace

    from laconic.data.annotated.sentences import Sentences
    from laconic.structured.tagging.scores import score_tags

    sentences = Sentences.of(given)
    predicted = scorer.predict(sentences)
    scores = score_tags(tags, predicted)
    spans = [("all spans", scores.overall), *scores.types.items()] if scores.overall.true else []
    rows: list[dict[str, Any]] = [{"name": "all tokens", "accuracy": scores.accuracy, "count": scores.tokens}]
    rows += [
        {"name": kind, "precision": one.precision, "recall": one.recall, "f1": one.f1, "count": one.true}
        for kind, one in spans
    ]
    wrong = [sum(a != b for a, b in zip(one, two, strict=True)) for one, two in zip(tags, predicted, strict=True)]
    confusions = Counter(
        (a, b) for one, two in zip(tags, predicted, strict=True) for a, b in zip(one, two, strict=True) if a != b
    )
    order = sorted(range(len(wrong)), key=lambda i: -wrong[i])[:shown]
    column = next(iter(sentences.columns))
    return replace(
        found,
        corpus=f"{scores.sentences:,} sentences" + (f" of {name}" if name else ""),
        scores=tuple(rows),
        confusions=tuple((a, b, n) for (a, b), n in confusions.most_common(MOST_CONFUSIONS)),
        sentences=tuple(
            MarkedSentence(tuple(map(str, sentences[i][column])), tuple(tags[i]), tuple(predicted[i])) for i in order
        ),
    )
