"""The weights of an older model as a start for a fit on another vocabulary: words are matched by what they are."""

from typing import Any

import numpy as np

from laconic.core.solution import Solution
from laconic.models.scoring.linear_text import LinearText
from laconic.text.vocabulary import Vocabulary


def older_model(start: Any) -> LinearText:
    """Return the model behind a fitted text model or a loaded `Scorer`."""
    scorer = start.to_scorer() if hasattr(start, "to_scorer") else start
    model = getattr(scorer, "model", None)
    if not isinstance(model, LinearText):
        raise TypeError(
            f"start is a {type(start).__name__}; it must be a fitted TextClassifier, or what laconic.load returns."
        )
    return model


def matched_start(model: LinearText, vocabulary: Vocabulary, classes: Any) -> Solution:
    """Return a model's weights over a vocabulary, zero for words it lacks; other labels than its own are refused."""
    check_same_labels(model, classes)
    weights = np.zeros((len(vocabulary), len(model.outputs)))
    known = [(vocabulary.index[word], row) for row, word in enumerate(model.words) if word in vocabulary.index]
    if known:
        places, rows = map(list, zip(*known, strict=True))
        weights[places] = model.weights[rows]
    return Solution(weights, model.intercept.copy(), np.inf, -np.inf)


def check_same_labels(model: LinearText, classes: Any) -> None:
    """Raise ValueError unless labels are those of a model."""
    now = [one.item() if isinstance(one, np.generic) else one for one in classes]
    if (came := [one for one in now if one not in model.classes]) or len(now) < len(model.classes):
        went = [one for one in model.classes if one not in now]
        both = (("new", came), ("gone", went))
        changes = [f"{what}: {', '.join(map(repr, labels))}" for what, labels in both if labels]
        raise ValueError(
            f"The labels have changed since the model was made ({'; '.join(changes)}), so its weights say nothing of "
            "them; make a new model with laconic fit, or leave out the documents with other labels."
        )
