"""Make the probabilities and labels of a text classifier mean something: calibration, prior, thresholds.

All of it is learned from margins of documents that the model was not trained on: a dev set, or the training documents
themselves, each with the margin of a model that was fitted without its fold.
"""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from laconic.core.calibration import KINDS, Calibration
from laconic.data.corpus import Corpus
from laconic.evaluate.calibration.calibrators import fit_calibration
from laconic.evaluate.calibration.reliability import reliability
from laconic.evaluate.calibration.thresholds import choose_threshold, parse_goals
from laconic.evaluate.splits import stratified_folds
from laconic.models.inputs import checked_documents, checked_labels

if TYPE_CHECKING:
    from laconic.models.search.recipe import Recipe
    from laconic.models.text_classifier import TextClassifier

CROSS_FITS = 5


def calibrated(
    classifier: "TextClassifier",
    texts: Iterable[Any],
    y: ArrayLike,
    kind: str = "sigmoid",
    *,
    thresholds: Any = None,
    prior: Mapping[Any, float] | None = None,
    folds: int | None = None,
    seed: int = 0,
    on: str = "",
) -> Calibration:
    """Return the calibration of a fitted classifier; see `laconic.TextClassifier.calibrate`.

    Parameters
    ----------
    classifier : TextClassifier
        Fitted.
    texts, y
        Labelled documents.
    kind, thresholds, prior, folds, seed
        As there.
    on : str
        What the documents are called; for readers.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> texts, y = ["broken lamp", "kind thanks"] * 10, ["repair", "praise"] * 10
    >>> calibrated(TextClassifier().fit(texts, y), texts, y, folds=5).made["documents"]
    20
    """
    classes = classifier.classes_.tolist()
    _check(classifier, kind, thresholds, prior)
    goals = {} if thresholds is None else parse_goals(thresholds, classes)
    documents = list(checked_documents(texts, classifier.analyzer, whole=True))
    labels = checked_labels(y, len(documents))
    _check_labels(labels, classes)
    if folds is None:
        margins = classifier.decision_function(documents)
    else:
        margins, labels = out_of_fold(classifier, documents, labels, folds, seed)
    codes = np.searchsorted(classifier.classes_, labels).astype(np.intp)
    found = fit_calibration(kind, margins, codes, len(classes))
    factors = np.ones(len(classes)) if prior is None else _factors(prior, codes, classes)
    weight = factors[codes]
    made: dict[str, Any] = {"on": on or ("out of fold" if folds else "held-out documents"), "documents": len(labels)}
    if prior is not None:
        found = replace(found, prior=tuple(factors.tolist()))
        made["prior"] = [[label, float(share)] for label, share in prior.items()]
    if _probabilistic(classifier):
        raw = Calibration().probabilities(margins)
        made["before"] = _figures(raw, codes, weight)
    if kind != "none":
        made["after"] = _figures(_cross_fitted(kind, margins, codes, found), codes, weight)
    if goals:
        Q = found.probabilities(margins)
        chosen = {
            k: choose_threshold(one, Q[:, k], codes == k, goals[one], weight) for k, one in _numbered(goals, classes)
        }
        found = replace(found, thresholds=tuple(chosen[k].value if k in chosen else None for k in range(len(classes))))
        made["thresholds"] = [one.to_dict() for one in chosen.values()]
    return replace(found, made=made)


def calibrate_by(recipe: "Recipe", model: "TextClassifier", train: Corpus, dev: Corpus | None) -> None:
    """Calibrate a fitted model as a recipe asks for: on the dev set, or, where it has seen all documents, out of fold.

    Examples
    --------
    >>> from laconic.models import Recipe, TextClassifier
    >>> train = Corpus.from_lists(["broken lamp", "kind thanks"] * 10, ["repair", "praise"] * 10)
    >>> model = TextClassifier().fit(train, train.labels)
    >>> calibrate_by(Recipe(calibrate="sigmoid"), model, train, None)
    >>> model.calibration_.made["on"]
    'out of fold'
    """
    held_out = dev if not recipe.refit else None
    used = [held_out] if held_out is not None else [train, *([] if dev is None else [dev])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in the folds of the tuning
        model.calibration_ = calibrated(
            model,
            [document for corpus in used for document in corpus],
            [label for corpus in used for label in corpus.labels or ()],
            recipe.calibrate or "none",
            thresholds=recipe.thresholds,
            prior=recipe.priors(),
            folds=recipe.folds if held_out is None else None,
            seed=recipe.seed,
            on="out of fold" if held_out is None else "dev",
        )


def out_of_fold(
    classifier: "TextClassifier", documents: list[Any], labels: NDArray, folds: int, seed: int
) -> tuple[NDArray[np.float64], NDArray]:
    """Return margins of documents by clones that were fitted without them, and their labels in the same order."""
    margins, truth = [], []
    for split in stratified_folds(documents, labels, folds, seed):
        fit_texts, fit_labels, held_out, held_out_labels = split()
        margins.append(clone(classifier).fit(fit_texts, fit_labels).decision_function(held_out))
        truth.append(held_out_labels)
    return np.concatenate(margins), np.concatenate(truth)


def _check(classifier: "TextClassifier", kind: str, thresholds: Any, prior: Any) -> None:
    if kind not in KINDS:
        raise ValueError(f"There is no calibration {kind!r}; use {', '.join(map(repr, KINDS))}.")
    if kind != "none":
        return
    if thresholds is None:
        raise ValueError("There is nothing to do: give a kind of calibration, or thresholds.")
    if prior is not None:
        raise ValueError("A prior corrects calibrated probabilities; use kind='sigmoid' or kind='isotonic' with it.")
    if not _probabilistic(classifier):
        raise ValueError(
            "Thresholds are of probabilities, which this model does not have; use kind='sigmoid' or kind='isotonic', "
            "which give it some."
        )


def _check_labels(labels: NDArray, classes: list[Any]) -> None:
    have = set(labels.tolist())
    if strange := sorted(have - set(classes)):
        raise ValueError(
            f"The documents have the label {strange[0]!r}, which the model does not know; its classes are "
            f"{', '.join(map(repr, classes))}. Leave these documents out, or fit the model with them."
        )
    if absent := [label for label in classes if label not in have]:
        raise ValueError(f"None of the documents has the label {absent[0]!r}; calibration needs all classes.")


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


def _probabilistic(classifier: "TextClassifier") -> bool:
    return hasattr(classifier.estimator_, "predict_proba")


def _numbered(goals: Mapping[Any, Any], classes: list[Any]) -> list[tuple[int, Any]]:
    return [(k, label) for k, label in enumerate(classes) if label in goals]


def _figures(Q: NDArray[np.float64], codes: NDArray[np.intp], weight: NDArray[np.float64]) -> dict[str, float]:
    found = reliability(Q, codes, weight=weight)
    return {"error": found.error, "brier": found.brier, "log_loss": found.log_loss}


def _cross_fitted(
    kind: str, margins: NDArray[np.float64], codes: NDArray[np.intp], whole: Calibration
) -> NDArray[np.float64]:
    """Return probabilities of each document by a calibration fitted without its fold, so that figures are honest."""
    n_classes = int(codes.max()) + 1
    Q = whole.probabilities(margins)
    # every fifth document of each class in turn; too few for that, and the figures are those of the whole
    if np.bincount(codes, minlength=n_classes).min() < CROSS_FITS:
        return Q
    turn = np.empty(len(codes), dtype=np.intp)
    for k in range(n_classes):
        turn[codes == k] = np.arange(np.count_nonzero(codes == k)) % CROSS_FITS
    for fold in range(CROSS_FITS):
        away = turn != fold
        part = replace(fit_calibration(kind, margins[away], codes[away], n_classes), prior=whole.prior)
        Q[~away] = part.probabilities(margins[~away])
    return Q
