r"""What a linear text model sees in each sentence of a document: words, weights, influence.

The influence of a sentence on a label y is log P(y | whole document) − log P(y | document without the sentence)
(Yogatama & Smith, ICML 2014). Without a sentence a document has lost every feature that overlaps it.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from laconic.core.summaries.explanation import Label, SentencePart
from laconic.data.document import Document
from laconic.models.scoring.decisions import explained, log_odds, log_probability
from laconic.models.scoring.linear_text import LinearText
from laconic.models.scoring.margins import margin_function
from laconic.text.sentences import located_sentences, sentence_spans


def read_sentences(model: LinearText, document: Any, label: Label | None = None) -> tuple[SentencePart, ...]:
    """Return what the model sees in each sentence of a document, in order, for the predicted label or the one given."""
    if model.analyzer.kind == "tokens":
        raise ValueError("This model takes lists of tokens, which have no sentences.")
    text, given = (document.text, document.sentences) if isinstance(document, Document) else (document, None)
    if not isinstance(text, str):
        raise TypeError(f"A document must be a string, but got {type(text).__name__}.")
    borders = located_sentences(text, given or ()) or sentence_spans(text)
    row = {word: number for number, word in enumerate(model.words)}
    # Only tf-idf looks at words without a weight: they count for the length of a row.
    known = model.vocabulary.index if model.cells == "tfidf" else row
    margins = margin_function(model)
    whole = [feature for feature in model.analyzer.features(text) if feature in known]
    counts = Counter(whole)
    total = margins(whole)
    number = _number_of(model, label, total)
    calibration = model.calibration
    before = log_probability(total, number, calibration) if model.probabilistic else None
    parts = []
    starting, touching = _shared_out(model.analyzer.spans(text), borders, known)
    for (start, end), own, lost in zip(borders, starting, touching, strict=True):
        rows = sorted({row[feature] for feature in own if feature in row})
        weights = model.weights[rows]
        influence, odds = (None, None) if before is None else (0.0, 0.0)
        if before is not None and lost:
            left = margins(list((counts - Counter(lost)).elements()))
            influence = before - log_probability(left, number, calibration)
            odds = log_odds(total, number, calibration) - log_odds(left, number, calibration)
        parts.append(
            SentencePart(
                start=start,
                end=end,
                words=tuple(model.words[one] for one in rows),
                weights=tuple(weights.sum(axis=0).tolist()),
                norm=float(np.linalg.norm(weights)),
                influence=influence,
                log_odds=odds,
            )
        )
    return tuple(parts)


def _number_of(model: LinearText, label: Label | None, margins: Any) -> int:
    if label is None:
        return explained(np.array([margins]), model.calibration)
    if label not in model.classes:
        raise ValueError(f"The model has no class {label!r}; its classes are {', '.join(map(repr, model.classes))}.")
    return model.classes.index(label)


def _shared_out(
    spans: Sequence[tuple[int, int, str]], borders: Sequence[tuple[int, int]], known: Any
) -> tuple[list[list[str]], list[list[str]]]:
    """Return for each sentence the known features that start in it, and those that overlap it."""
    starting: list[list[str]] = [[] for _ in borders]
    touching: list[list[str]] = [[] for _ in borders]
    firsts = [first for first, _ in borders]
    for start, end, feature in spans:
        if feature not in known:
            continue
        at = bisect_right(firsts, start) - 1
        if at >= 0 and start < borders[at][1]:
            starting[at].append(feature)
            touching[at].append(feature)
        at += 1
        while at < len(borders) and firsts[at] < end:
            touching[at].append(feature)
            at += 1
    return starting, touching
