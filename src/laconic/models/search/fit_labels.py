"""`fit_labels`: from texts with several labels each to one model, the job behind ``laconic fit`` on such texts.

One method is tuned for every label by itself, on the dev set or by stratified folds over one shared matrix of words;
the best score wins, or the smallest model within one standard error of it. A label's score is the macro F1 of having it
and not having it, unless the recipe names another metric.
"""

import platform
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import Any

from sklearn.base import clone

from laconic.data.corpus import Corpus
from laconic.evaluate.calibration.thresholds import parse_goals
from laconic.evaluate.metrics.multilabel import LabelEvaluation, evaluate_labels, label_matrix
from laconic.evaluate.tuning.search import tune
from laconic.linear.edit_constraints import spelled_out
from laconic.models.label_lists import checked_label_lists
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.search.fit_text import PACKAGES
from laconic.models.search.grids import grid_for, group_scale, pursuit_grid
from laconic.models.search.recipe import PURSUITS, SPARSE, Recipe
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


@dataclass(frozen=True)
class FittedLabels:
    """What `fit_labels` made: the model, a row per label, scores on test documents if there are any, and its config."""

    model: MultilabelTextClassifier
    rows: tuple[LabelRow, ...]
    test: LabelEvaluation | None
    config: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the model."""
        test = None if self.test is None else self.test.to_dict()
        return {"labels": [asdict(one) for one in self.rows], "test": test, "config": self.config}


def has_several(corpus: Corpus) -> bool:
    """Return whether some document of a corpus has a list of labels.

    Examples
    --------
    >>> has_several(Corpus.from_lists(["a", "b"], [["x"], ["x", "y"]]))
    True
    """
    return any(isinstance(label, tuple) for label in corpus.labels or ())


def fit_labels(
    train: Corpus,
    *,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    recipe: Recipe | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> FittedLabels:
    """Fit one model to texts with several labels each.

    Parameters
    ----------
    train : Corpus
        With lists of labels.
    dev, test : Corpus, optional
        Documents to tune on, and to score on once.
    recipe : Recipe, optional
        Of one method; lasso by default, or with groups the group lasso.
    progress : callable, optional
        Called as ``progress(done, total, label)``.

    Examples
    --------
    >>> labels = [["repair"], ["praise"], ["praise", "repair"], []] * 5
    >>> train = Corpus.from_lists(["broken lamp", "kind thanks", "thanks for the lamp", "hello"] * 5, labels)
    >>> [row.words for row in fit_labels(train).rows]
    [1, 1]
    """
    recipe = Recipe() if recipe is None else recipe
    method = _method(recipe)
    lists = _checked(train, dev, test, recipe)
    classes = list(train.classes)
    text = recipe.classifier(method)
    # All documents have the words and the groups that edits name; folds may lack them, or call them otherwise.
    design, estimator = designed(text.set_params(edits=recipe.edits), train)
    groups = getattr(estimator, "groups", None)
    if recipe.edits:
        recipe = replace(recipe, edits=spelled_out(recipe.edits, groups, design.vocabulary.words))
        text = recipe.classifier(method)
    has = label_matrix(lists["train"], classes)
    held_out = None
    if dev is not None:
        held_out = text.bag_of_words().transform(dev.texts, design.vocabulary), label_matrix(lists["dev"], classes)
    metric = "macro_f1" if recipe.metric == "accuracy" else recipe.metric
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit in a fold that stops early shows in its score
        for k, label in enumerate(classes):
            if progress is not None:
                progress(k, len(classes), str(label))
            try:
                own = clone(estimator)
                if recipe.edits:
                    own.set_params(edits=own.edits.of_label(label, classes))
                tuned = tune(
                    own,
                    _grid(method, design.X, has[:, k], own, recipe),
                    design.X,
                    has[:, k],
                    dev=None if held_out is None else (held_out[0], held_out[1][:, k]),
                    folds=recipe.folds,
                    metric=metric,
                    rule=recipe.rule_to_follow,
                    seed=recipe.seed,
                )
            except ValueError as error:
                raise ValueError(f"The label {label!r} cannot be fitted. {error}") from error
            one = tuned.candidates[tuned.chosen]
            rows.append(LabelRow(label, dict(one.params), one.mean, one.standard_error, 0, int(has[:, k].sum())))
        settings = {row.label: row.setting for row in rows}
        model = MultilabelTextClassifier(text.estimator, settings, text)
        model.fit_design(design, lists["train"], groups)
    rows = [
        replace(row, words=int((one.coef_ != 0.0).any(axis=0).sum()))
        for row, one in zip(rows, model.estimators_, strict=True)
    ]
    calibrate_labels_by(recipe, model, train, dev)
    scores = None if test is None else evaluate_labels(model.predict(test), lists["test"], classes)
    config = _config(recipe, method, {"train": train, "dev": dev, "test": test})
    return FittedLabels(model, tuple(rows), scores, config)


def calibrate_labels_by(
    recipe: Recipe, model: MultilabelTextClassifier, train: Corpus, dev: Corpus | None = None
) -> None:
    """Calibrate a fitted model and choose its thresholds where a recipe asks for it, on dev or out of fold.

    Examples
    --------
    >>> texts, labels = ["broken lamp", "kind thanks", "hello"] * 5, [["repair"], ["praise"], []] * 5
    >>> model = MultilabelTextClassifier().fit(texts, labels)
    >>> calibrate_labels_by(Recipe(calibrate="sigmoid"), model, Corpus.from_lists(texts, labels))
    >>> model.calibration_.kind
    'sigmoid'
    """
    if recipe.calibrate is None and recipe.thresholds is None:
        return
    used = train if dev is None else dev
    model.calibrate(
        used,
        checked_label_lists(used.labels or ()),
        recipe.calibrate or "none",
        thresholds=recipe.thresholds,
        folds=recipe.folds if dev is None else None,
        seed=recipe.seed,
    )


def _method(recipe: Recipe) -> str:
    methods = recipe.methods or (("group",) if recipe.groups else ("lasso",))
    if len(methods) > 1:
        raise ValueError(f"Texts with several labels are fitted by one method, not by {', '.join(methods)}; name one.")
    for name in ("words", "prior"):
        if getattr(recipe, name):
            raise ValueError(f"{name} is not for texts with several labels for now; leave it out.")
    if recipe.refit:
        raise ValueError("refit is not for texts with several labels for now; leave it out.")
    return methods[0]


def _checked(train: Corpus, dev: Corpus | None, test: Corpus | None, recipe: Recipe) -> dict[str, list[Any]]:
    lists = {}
    for name, corpus in (("train", train), ("dev", dev), ("test", test)):
        if corpus is None:
            continue
        if corpus.labels is None:
            raise ValueError(f"The {name} documents have no labels; labels are needed here.")
        lists[name] = checked_label_lists(corpus.labels)
        if strange := [label for label in corpus.classes if label not in train.classes]:
            raise ValueError(
                f"The {name} documents have the label {strange[0]!r}, which no training document has; drop it or add "
                "some to the training set."
            )
    if recipe.thresholds is not None:
        parse_goals(recipe.thresholds, train.classes)
    if recipe.edits:
        recipe.edits.of_label(train.classes[0], train.classes)  # refuses signs of other labels
    for builder in recipe.builders() or ():
        builder.check()
    return lists


def _grid(method: str, X: Any, y: Any, estimator: Any, recipe: Recipe) -> list[dict[str, Any]]:
    from laconic.linear import ElasticNetClassifier, lambda_max

    if method in PURSUITS:
        return pursuit_grid(X.shape[1], 2, recipe.budget)
    if method not in SPARSE:
        return grid_for(method, 0.0)
    plain = ElasticNetClassifier(class_weight=estimator.class_weight)
    top_group = group_scale(X, y, estimator.groups, plain) if method == "group" else 0.0
    return grid_for(method, lambda_max(X, y, plain.set_params(edits=estimator.edits)), top_group=top_group)


def _config(recipe: Recipe, method: str, data: dict[str, Corpus | None]) -> dict[str, Any]:
    return {
        "recipe": recipe.to_dict(),
        "chosen": {"method": method},
        "data": {
            split: {"name": corpus.name, "documents": len(corpus), "fingerprint": corpus.fingerprint()}
            for split, corpus in data.items()
            if corpus is not None
        },
        "versions": {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
    }
