"""The metrics for tuning and evaluation, all computed by scikit-learn; what each is: docs/tuning.md."""

from typing import Any

import numpy as np

LABEL_METRICS = ("accuracy", "macro_f1", "balanced_accuracy")
METRICS = (*LABEL_METRICS, "average_precision", "log_loss")


def check_metric(metric: str) -> str:
    """Return ``metric`` if it is one of `METRICS`, else raise ``ValueError``."""
    if metric not in METRICS:
        raise ValueError(f"There is no metric {metric!r}; use one of {', '.join(METRICS)}.")
    return metric


def higher_is_better(metric: str) -> bool:
    """Return whether a larger value of ``metric`` means a better model.

    Examples
    --------
    >>> higher_is_better("accuracy"), higher_is_better("log_loss")
    (True, False)
    """
    return check_metric(metric) != "log_loss"


def score(metric: str, y_true: Any, y_pred: Any = None, proba: Any = None, classes: Any = None) -> float:
    """Return the value of a metric.

    Parameters
    ----------
    metric : str
        One of `METRICS`.
    y_true : sequence of labels
    y_pred : sequence of labels, optional
        Predicted labels; accuracy, macro_f1 and balanced_accuracy need them.
    proba : array, optional
        One row per document and one column per class; log_loss and average_precision need them. For
        average_precision any scores that grow with the probability will do, with two classes also one column of
        margins for ``classes[1]``, as ``decision_function`` gives them.
    classes : sequence of labels, optional
        The classes of the columns of ``proba``; without it the sorted labels of ``y_true``.

    Examples
    --------
    >>> score("accuracy", ["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.75
    >>> score("average_precision", ["a", "b", "b", "a"], proba=[-2.0, 0.3, 1.5, -0.1])
    1.0
    """
    check_metric(metric)
    truth = as_labels(y_true, "y_true")
    if metric in LABEL_METRICS:
        if y_pred is None:
            raise ValueError(f"{metric} compares labels: pass y_pred, the predicted labels.")
        predicted = as_labels(y_pred, "y_pred")
        if len(predicted) != len(truth):
            raise ValueError(f"y_pred must have as many labels as y_true ({len(truth)}), got {len(predicted)}.")
        check_same_kind(truth, predicted, "y_pred")
        return label_score(metric, truth, predicted)
    if proba is None:
        also = " or margins" if metric == "average_precision" else ""
        raise ValueError(f"{metric} needs probabilities{also}: pass proba, one row per document.")
    known = np.unique(truth) if classes is None else as_labels(classes, "classes")
    values = np.asarray(proba, dtype=np.float64)
    if values.shape[:1] != truth.shape:
        raise ValueError(f"proba must have one row for each of the {len(truth)} labels of y_true, got {len(values)}.")
    return probability_score(metric, class_codes(metric, truth, known), values, known)


def label_score(
    metric: str,
    y_true: np.ndarray,
    y_pred: np.ndarray,
    sample_weight: np.ndarray | None = None,
    labels: np.ndarray | None = None,
) -> float:
    """Return a metric of `LABEL_METRICS` of two label arrays, without checks; macro_f1 is over `labels`, if given."""
    from sklearn.metrics import accuracy_score, f1_score, recall_score

    if metric == "accuracy":
        return float(accuracy_score(y_true, y_pred, sample_weight=sample_weight))
    if metric == "macro_f1":
        options: Any = {"average": "macro", "zero_division": 0.0, "sample_weight": sample_weight}
        return float(f1_score(y_true, y_pred, labels=labels, **options))
    # balanced_accuracy_score is this too, but warns whenever a class that is predicted does not occur in y_true.
    return float(recall_score(y_true, y_pred, labels=np.unique(y_true), average="macro", sample_weight=sample_weight))


def probability_score(metric: str, codes: np.ndarray, proba: np.ndarray, classes: np.ndarray) -> float:
    """Return log_loss or average_precision of true columns (see `class_codes`) and the values of all columns."""
    return _log_loss(codes, proba, len(classes)) if metric == "log_loss" else _precision(codes, proba, classes)


def class_codes(metric: str, truth: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the column of each true label, or raise ``ValueError`` where ``metric`` would not be defined."""
    check_same_kind(truth, classes, "the classes")
    if len(classes) < 2:
        raise ValueError(f"{metric} needs at least two classes, got only {classes[0].item()!r}; pass classes.")
    column = {label: k for k, label in enumerate(classes.tolist())}
    if len(column) < len(classes):
        raise ValueError(f"classes must differ, got {classes.tolist()}.")
    unknown = sorted(set(truth.tolist()) - column.keys())
    if unknown:
        raise ValueError(
            f"{metric} is not defined for the label {unknown[0]!r} of y_true: it is not one of the model's classes "
            f"({_listed(classes.tolist())})."
        )
    return np.array([column[label] for label in truth.tolist()])


def as_labels(labels: Any, name: str) -> np.ndarray:
    """Return labels as a one-dimensional array without missing values, or raise ``ValueError``."""
    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise ValueError(f"{name} must be a list or array of labels, got {labels!r}.")
    values = list(labels)
    if not values:
        raise ValueError(f"{name} has no labels; at least one is needed.")
    for i, value in enumerate(values):
        scalar = isinstance(value, str | int | float | np.generic)
        if value is None or (scalar and value != value):  # NaN is not equal to itself
            raise ValueError(f"Label {i} of {name} is missing ({value!r}); give it a label or drop its document.")
        if not scalar:
            raise ValueError(
                f"{name} must hold one label (a string, a whole number or a boolean) per document, but label {i} is "
                f"{value!r}; multi-label documents are scored by laconic.evaluate.evaluate_labels."
            )
    if len({isinstance(value, str) for value in values}) == 2:
        raise ValueError(f"{name} mixes strings and numbers; make all labels strings or all numbers.")
    return np.asarray(values)


def given_labels(predictions: Any, known: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return predicted labels, None replaced by an unused label that sorts after all others, and where None was."""
    given = list(predictions)
    without = np.array([label is None for label in given], dtype=bool)
    if without.any():
        unused = max(known.tolist()) + ("?" if known.dtype.kind == "U" else 1)
        given = [unused if label is None else label for label in given]
    return as_labels(given, name), without


def check_some_known(truth: np.ndarray, classes: np.ndarray, whose: str = "the model's") -> None:
    """Raise ``ValueError`` if no true label is one of a model's classes: every score would be zero."""
    if not np.isin(truth, classes).any():
        raise ValueError(
            f"None of the labels of y (such as {truth[0].item()!r}) is one of {whose} classes "
            f"({', '.join(map(repr, classes.tolist()[:10]))}); evaluate with the labels it was trained on."
        )


def check_same_kind(truth: np.ndarray, other: np.ndarray, name: str) -> None:
    """Raise ``ValueError`` if one array holds strings and the other numbers: such labels are never equal."""
    if (truth.dtype.kind == "U") != (other.dtype.kind == "U"):
        raise ValueError(
            f"The true labels are like {truth[0].item()!r} but those of {name} like {other[0].item()!r}: strings never "
            f"equal numbers; convert one of them."
        )


def _log_loss(codes: np.ndarray, proba: np.ndarray, n_classes: int) -> float:
    from sklearn.metrics import log_loss

    if proba.shape != (len(codes), n_classes):
        raise ValueError(
            f"log_loss needs probabilities of shape ({len(codes)}, {n_classes}), one column per class, got shape "
            f"{proba.shape}."
        )
    # Written so that NaN fails too.
    if not (np.all(proba >= 0) and np.allclose(proba.sum(axis=1), 1.0, rtol=0, atol=1e-6)):
        raise ValueError("log_loss needs probabilities: no value below 0, and each row must sum to 1.")
    return float(log_loss(codes, proba, labels=np.arange(n_classes)))


def _precision(codes: np.ndarray, values: np.ndarray, classes: np.ndarray) -> float:
    from sklearn.metrics import average_precision_score
    from sklearn.preprocessing import label_binarize

    if not np.all(np.isfinite(values)):
        raise ValueError("average_precision needs finite probabilities or margins, got NaN or infinity.")
    counts = np.bincount(codes, minlength=len(classes))
    absent = classes[counts == 0].tolist() if len(classes) > 2 else classes[1:][counts[1:] == 0].tolist()
    if absent:
        raise ValueError(
            f"average_precision is not defined without documents of the class {absent[0]!r} in y_true; add some or use "
            f"another metric."
        )
    if len(classes) == 2:
        if values.ndim == 2 and values.shape[1] == 2:
            values = values[:, 1]
        if values.ndim != 1:
            raise ValueError(f"average_precision of two classes needs one or two columns, got shape {values.shape}.")
        return float(average_precision_score(codes == 1, values))
    if values.shape != (len(codes), len(classes)):
        raise ValueError(
            f"average_precision of {len(classes)} classes needs one column per class, got shape {values.shape}."
        )
    return float(average_precision_score(label_binarize(codes, classes=np.arange(len(classes))), values))


def _listed(values: list[Any]) -> str:
    shown = ", ".join(repr(value) for value in values[:10])
    return shown if len(values) <= 10 else f"{shown} and {len(values) - 10} more"


def outputs(model: Any, metric: str, X: Any) -> dict[str, Any]:
    """Return the arguments of `laconic.evaluate.score` for ``metric`` other than the true labels."""
    check_offers(model, metric)
    if metric in LABEL_METRICS:
        return {"y_pred": model.predict(X)}
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    return {"proba": getattr(model, method)(X), "classes": model.classes_}


def check_offers(model: Any, metric: str) -> None:
    """Raise ``TypeError`` if an estimator, fitted or not, lacks what ``metric`` needs."""
    if metric in LABEL_METRICS or hasattr(model, "predict_proba"):
        return
    if metric == "log_loss":
        raise TypeError(
            f"log_loss needs probabilities, and {type(model).__name__} has no predict_proba; use an estimator with "
            f"probabilities or another metric."
        )
    if not hasattr(model, "decision_function"):
        raise TypeError(
            f"{metric} needs probabilities or margins, and {type(model).__name__} has neither predict_proba nor "
            f"decision_function; use another estimator or metric."
        )
