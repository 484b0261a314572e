"""`report_summary`: everything a page shows about saved models, scored on the same labelled documents."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from laconic.core.summaries.summary import Summary
from laconic.data.corpus import Corpus, Document
from laconic.report.render.page import MANY_GROUPS
from laconic.report.summaries.text import summarize


def report_summary(
    folders: Sequence[str | os.PathLike], corpus: Corpus | None = None, *, title: str = "", documents: int = 0
) -> Summary:
    """Return the summary of the first saved model, compared with the others; it shows its worst `documents`."""
    from laconic.models import load

    if corpus is None and (documents or len(folders) > 1):
        what = "documents can be shown" if documents else "models can be compared"
        raise ValueError(f"Without labelled documents no {what}; give a corpus.")
    names = [Path(folder).resolve().name for folder in folders]
    if len(set(names)) < len(names):
        names = [str(folder) for folder in folders]
    scorers = [load(folder) for folder in folders]
    shown = [] if corpus is None or not documents else _worst_first(scorers[0], corpus, documents)
    summary = summarize(
        scorers[0], corpus, title=title or names[0], examples=shown, groups=MANY_GROUPS, folder=folders[0]
    )
    if len(folders) == 1 or corpus is None:
        return summary
    from laconic.evaluate import compare

    texts = list(corpus.texts)
    predictions = {name: scorer.predict(texts) for name, scorer in zip(names, scorers, strict=True)}
    rows = compare(list(corpus.labels or ()), predictions)
    versus = [{**row.to_dict(), "words": len(scorer.model.words)} for row, scorer in zip(rows, scorers, strict=True)]
    return replace(summary, versus=tuple(versus))


def _worst_first(scorer: Any, corpus: Corpus, number: int) -> list[Document]:
    """Return the documents whose true label is least likely; without probabilities the wrongly labelled ones first."""
    labels = list(corpus.labels or ())
    texts = list(corpus.texts)
    if scorer.model.probabilistic:
        column = {label: k for k, label in enumerate(scorer.model.classes)}
        shares = scorer.predict_proba(texts)
        goodness = [
            float(row[column[label]]) if label in column else 0.0 for row, label in zip(shares, labels, strict=True)
        ]
    else:
        goodness = [float(a == b) for a, b in zip(scorer.predict(texts).tolist(), labels, strict=True)]
    order = sorted(range(len(texts)), key=lambda i: goodness[i])[:number]
    every = list(corpus)
    return [every[i] for i in order]
