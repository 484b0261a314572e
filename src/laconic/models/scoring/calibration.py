"""Make the probabilities and labels of a text model mean something: calibration, prior, thresholds.

All of it is learned from margins of documents that the model was not trained on: a dev set, or the training documents
themselves, each with the margin of a model that was fitted without its fold. The figures on how good the calibration is
are cross-fitted as well: those of a document come from a calibration that has not seen it.
"""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from laconic.core.calibration import KINDS, Calibration
from laconic.data.corpus import Corpus
from laconic.evaluate.calibration import choose_threshold, fit_calibration, parse_goals, reliability
from laconic.models.inputs import checked_documents

if TYPE_CHECKING:
    from laconic.models.search.recipe import Recipe
    from laconic.models.text_model import TextModel

CROSS_FITS = 5


def calibrated(
    model: "TextModel",
    texts: Iterable[Any],
    y: Any,
    kind: str = "sigmoid",
    *,
    thresholds: Any = None,
    prior: Mapping[Any, float] | None = None,
    folds: int | None = None,
    seed: int = 0,
    on: str = "",
) -> Calibration:
    """Return the calibration of a fitted model, see `TextClassifier.calibrate`; ``on`` names the texts for readers."""
    classes = model.classes_.tolist()
    _check(model, kind, thresholds, prior)
    goals = {} if thresholds is None else parse_goals(thresholds, classes)
    documents = list(checked_documents(texts, model._reader().analyzer, whole=True))
    labels = model.link.checked(y, len(documents))
    _check_labels(model, labels)
    if folds is None:
        margins = model.decision_function(documents)
    else:
        margins, labels = out_of_fold(model, documents, labels, folds, seed)
    has = model.link.has(labels, classes)
    calibration = model.link.fit_calibration(kind, margins, has)
    weight = np.ones(len(labels))
    made: dict[str, Any] = {"on": on or ("out of fold" if folds else "held-out documents"), "documents": len(labels)}
    if prior is not None:
        factors = _factors(prior, has.argmax(axis=1), classes)
        calibration, weight = replace(calibration, prior=tuple(factors.tolist())), factors[has.argmax(axis=1)]
        made["prior"] = [[label, float(share)] for label, share in prior.items()]
    if _probabilistic(model):
        raw = Calibration(several=model.link.several).probabilities(margins)
        made["before"] = _figures(raw, has, weight, model.link.several)
    if kind != "none":
        after = cross_fitted(calibration, margins, has)
        made["after"] = _figures(after, has, weight, model.link.several)
    if goals:
        Q = calibration.probabilities(margins)
        numbered = [(k, label) for k, label in enumerate(classes) if label in goals]
        chosen = {k: choose_threshold(label, Q[:, k], has[:, k], goals[label], weight) for k, label in numbered}
        limits = tuple(chosen[k].value if k in chosen else None for k in range(len(classes)))
        calibration = replace(calibration, thresholds=limits)
        made["thresholds"] = [threshold.to_dict() for threshold in chosen.values()]
    return replace(calibration, made=made)


def calibrate_by(recipe: "Recipe", model: "TextModel", train: Corpus, dev: Corpus | None) -> None:
    """Calibrate a fitted model as a recipe asks for: on the dev set, or out of fold where it has seen all documents."""
    held_out = dev if not recipe.refit else None
    used = [held_out] if held_out is not None else [train, *([] if dev is None else [dev])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in the folds of the tuning
        model.calibration_ = calibrated(
            model,
            [document for corpus in used for document in corpus],
            [label for corpus in used for label in corpus.labels or ()],
            recipe.calibrate or "none",
            thresholds=_goals(recipe, model),
            prior=recipe.priors(),
            folds=recipe.folds if held_out is None else None,
            seed=recipe.seed,
            on="out of fold" if held_out is None else "dev",
        )


def _goals(recipe: "Recipe", model: "TextModel") -> tuple[str, ...] | None:
    """Return the goals of thresholds; of several labels, those that are given none have the best F1."""
    given = recipe.thresholds or ()
    if not model.link.several or any(":" not in goal for goal in given):
        return given or None
    return ("f1", *given)


def out_of_fold(
    model: "TextModel", documents: list[Any], labels: NDArray[Any], folds: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return margins of documents by clones that were fitted without them, and their labels in the same order."""
    margins, truth, edits = [], [], model._reader().edits
    for fit, held_out in model.link.folds(labels, folds, seed):
        part = clone(model)
        if edits:  # words of them that the texts of a fold lack are passed over
            name = "text__edits" if model.link.several else "edits"
            part.set_params(**{name: replace(edits, skip_unknown=True)})
        part.fit([documents[i] for i in fit], labels[fit])
        margins.append(part.decision_function([documents[i] for i in held_out]))
        truth.append(labels[held_out])
    return np.concatenate(margins), np.concatenate(truth)


def cross_fitted(whole: Calibration, margins: NDArray[np.float64], has: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return probabilities of each document by a calibration fitted without its fold, so that figures are honest."""
    Q = whole.probabilities(margins)
    if not whole.several:
        return _without_own_fold(whole.kind, margins, has.argmax(axis=1), Q, whole.prior)
    for k, own in enumerate(has.T.astype(np.intp)):
        pair = np.column_stack([1.0 - Q[:, k], Q[:, k]])
        Q[:, k] = _without_own_fold(whole.kind, margins[:, k], own, pair)[:, 1]
    return Q


def _without_own_fold(
    kind: str,
    margins: NDArray[np.float64],
    codes: NDArray[np.intp],
    Q: NDArray[np.float64],
    prior: tuple[float, ...] | None = None,
) -> NDArray[np.float64]:
    """Return Q with the probabilities of each fold by a calibration of the others, if no class is too rare for it."""
    n_classes = Q.shape[1]
    if np.bincount(codes, minlength=n_classes).min() < CROSS_FITS:
        return Q
    turn = np.empty(len(codes), dtype=np.intp)
    for k in range(n_classes):
        turn[codes == k] = np.arange(np.count_nonzero(codes == k)) % CROSS_FITS
    for fold in range(CROSS_FITS):
        away = turn != fold
        part = replace(fit_calibration(kind, margins[away], codes[away], n_classes), prior=prior)
        Q[~away] = part.probabilities(margins[~away])
    return Q


def _figures(
    Q: NDArray[np.float64], has: NDArray[np.bool_], weight: NDArray[np.float64], several: bool
) -> dict[str, float]:
    """Return the calibration error, Brier score and log-loss; of several labels over all decisions (text, label)."""
    codes = has.argmax(axis=1)
    if several:
        Q, codes = np.column_stack([1.0 - Q.ravel(), Q.ravel()]), has.ravel().astype(np.intp)
        weight = np.repeat(weight, has.shape[1])
    made = reliability(Q, codes, weight=weight)
    return {"error": made.error, "brier": made.brier, "log_loss": made.log_loss}


def _check(model: "TextModel", kind: str, thresholds: Any, prior: Any) -> None:
    if kind not in KINDS:
        raise ValueError(f"There is no calibration {kind!r}; use {', '.join(map(repr, KINDS))}.")
    if prior is not None and model.link.several:
        raise ValueError("A prior is for texts with one label each; leave it out.")
    if kind != "none":
        return
    if thresholds is None:
        raise ValueError("There is nothing to do: give a kind of calibration, or thresholds.")
    if prior is not None:
        raise ValueError("A prior corrects calibrated probabilities; use kind='sigmoid' or kind='isotonic' with it.")
    if not _probabilistic(model):
        raise ValueError(
            "Thresholds are of probabilities, which this model does not have; use kind='sigmoid' or kind='isotonic', "
            "which give it some."
        )


def _check_labels(model: "TextModel", labels: NDArray[Any]) -> None:
    """Refuse labels that the model does not know, and documents without some label that it knows."""
    classes = model.classes_.tolist()
    present = model.link.has(labels, classes).any(axis=0)
    if not present.all():
        absent = classes[int(np.argmin(present))]
        raise ValueError(f"None of the documents has the label {absent!r}; calibration needs all classes.")


def _probabilistic(model: "TextModel") -> bool:
    return model.link.several or hasattr(model.estimator_, "predict_proba")


def _factors(prior: Mapping[Any, float], codes: NDArray, classes: list[Any]) -> NDArray[np.float64]:
    """Return new share / old share of each class; classes without a new share divide the rest as they did before."""
    by_name = {str(label): k for k, label in enumerate(classes)}
    old = np.bincount(codes, minlength=len(classes)) / len(codes)
    new = np.full(len(classes), np.nan)
    for label, share in prior.items():
        if str(label) not in by_name:
            raise ValueError(f"There is no class {label!r} to have a prior; the classes are {', '.join(by_name)}.")
        if not (np.isfinite(share) and 0.0 < share < 1.0):
            raise ValueError(f"The prior of {label!r} is {share}; a share of documents lies between 0 and 1.")
        new[by_name[str(label)]] = share
    open_classes, total = np.isnan(new), float(np.nansum(new))
    if open_classes.any() and total < 1.0:
        new[open_classes] = old[open_classes] / old[open_classes].sum() * (1.0 - total)
    elif open_classes.any() or abs(total - 1.0) > 1e-9:
        raise ValueError(f"The priors sum to {total:g}; together the shares of all classes are 1.")
    return new / old
