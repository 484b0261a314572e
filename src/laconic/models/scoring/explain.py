"""Explain one prediction of a linear text model: its known words, their weights and where they stand in the text."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np

from laconic.core.summaries.explanation import Contribution, Explanation
from laconic.models.scoring.decisions import explained, probabilities
from laconic.models.scoring.linear_text import LinearText
from laconic.models.scoring.margins import cells
from laconic.models.scoring.sentences import read_sentences


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
