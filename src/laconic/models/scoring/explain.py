"""Explain one prediction of a linear text model: its known words, their weights and where they stand in the text.

The influence of a sentence on a label y is log P(y | whole document) − log P(y | document without the sentence)
(Yogatama & Smith, ICML 2014). Without a sentence a document has lost every feature that overlaps it.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from laconic.core.summaries.explanation import Contribution, Explanation, Label, SentencePart
from laconic.data.document import Document
from laconic.models.scoring.decisions import cells, explained, log_odds, log_probability, margin_function, probabilities
from laconic.models.scoring.linear_text import LinearText
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


def explain(model: LinearText, document: Any) -> Explanation:
    """Return the label of a document (a str or list of tokens) and what each word the model knows did for it."""
    row = {word: number for number, word in enumerate(model.words)}
    values = {word: value for word, value in cells(model, model.analyzer.features(document)).items() if word in row}
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for start, end, feature in model.analyzer.spans(document):
        if feature in values:
            places[feature].append((start, end))
    words = tuple(
        Contribution(word, value, tuple(model.weights[row[word]].tolist()), tuple(places[word]))
        for word, value in values.items()
    )
    margins = model.intercept + sum((np.array(word.contributions) for word in words), np.zeros(len(model.outputs)))
    shaped = margins if len(margins) == 1 else margins[None]
    label = model.classes[explained(shaped, model.calibration)]
    shares = probabilities(shaped, model.calibration) if model.probabilistic else None
    has = model.calibration.has(shares)[0] if model.several and model.calibration and shares is not None else ()
    why = Explanation(
        label=label,
        classes=model.classes,
        probabilities=None if shares is None else tuple(shares[0].tolist()),
        outputs=model.outputs,
        intercept=tuple(model.intercept.tolist()),
        margins=tuple(margins.tolist()),
        words=words,
        text=document if isinstance(document, str) else None,
        sentences=read_sentences(model, document, label) if isinstance(document, str) else (),
        several=model.several,
        labels=tuple(model.classes[k] for k in np.flatnonzero(has)),
    )
    return replace(why, words=tuple(effect.word for effect in why.effects()))
