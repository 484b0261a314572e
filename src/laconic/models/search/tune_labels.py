"""One method tuned for every label by itself, over one matrix of words that all labels share.

A label's score is the macro F1 of having it and not having it, unless the recipe names another metric; the best score
wins, or the smallest model within one standard error of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.multilabel import label_matrix
from laconic.evaluate.tuning.search import tune
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.one_per_label import OnePerLabel
from laconic.models.search.grids import grids_of
from laconic.models.search.recipe import Recipe
from laconic.models.search.shared_fit import designed


@dataclass(frozen=True)
class LabelRow:
    """What was chosen for one label: penalty, score with its standard error, words, and documents that have it."""

    label: Any
    setting: dict[str, Any]
    score: float
    error: float
    words: int
    documents: int


def tune_labels(
    method: str,
    recipe: Recipe,
    train: Corpus,
    dev: Corpus | None,
    progress: Callable[[int, int, str], None] | None = None,
) -> tuple[MultilabelTextClassifier, list[LabelRow]]:
    """Return the model of the settings that were chosen, fitted, and a row per label, without its words."""
    classes, labels = list(train.classes), train.labels or ()
    text = recipe.classifier(method)
    # All documents have the words that edits name; folds may lack them.
    design, estimator = designed(text.set_params(edits=recipe.edits), train)
    every, has = OnePerLabel(estimator, classes), label_matrix(labels, classes)
    held_out: Any = None
    if dev is not None:
        X_dev = text.bag_of_words().transform(dev.texts, design.vocabulary)
        held_out = X_dev, label_matrix(dev.labels or (), classes)
    rows = []
    for k, label in enumerate(classes):
        if progress is not None:
            progress(k, len(classes), str(label))
        own = every.of_label(label)
        try:
            tuned = tune(
                own,
                grids_of((method,), design.X, has[:, k], recipe, own.edits, every.groups)[method],
                design.X,
                has[:, k],
                dev=None if held_out is None else (held_out[0], held_out[1][:, k]),
                folds=recipe.folds,
                metric="macro_f1" if recipe.metric == "accuracy" else recipe.metric,
                rule=recipe.rule_in_method,
                seed=recipe.seed,
            )
        except ValueError as error:
            raise ValueError(f"The label {label!r} cannot be fitted. {error}") from error
        taken = tuned.candidates[tuned.chosen]
        rows.append(LabelRow(label, dict(taken.params), taken.mean, taken.standard_error, 0, int(has[:, k].sum())))
    text = recipe.classifier(method)
    model = MultilabelTextClassifier(text.estimator, {row.label: row.setting for row in rows}, text)
    return model.fit_design(design, labels, every.groups), rows


def sized(rows: list[LabelRow], model: MultilabelTextClassifier) -> tuple[LabelRow, ...]:
    """Return the rows of labels with the words of each in the fitted model."""
    words = (model.coef_ != 0.0).sum(axis=1)
    return tuple(replace(row, words=int(count)) for row, count in zip(rows, words, strict=True))
