"""From a fitted `TextClassifier` to a `LinearText`: the kept words and their weights, and nothing else."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from laconic.core.calibration import Calibration
from laconic.core.kept_groups import KeptGroups
from laconic.models.scoring.decisions import probabilities
from laconic.models.scoring.linear_text import LinearText
from laconic.text import Vocabulary

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier


def extract(classifier: "TextClassifier") -> LinearText:
    """Return the fitted model reduced to its kept words.

    Parameters
    ----------
    classifier : TextClassifier
        Fitted, with a linear estimator.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> extract(TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"])).words
    ('broken', 'kind', 'lamp', 'thanks')
    """
    estimator = classifier.estimator_
    weights, intercept = _linear_parts(estimator, len(classifier.classes_), len(classifier.vocabulary_))
    kept = np.flatnonzero(np.any(weights != 0.0, axis=1))
    vocabulary = classifier.vocabulary_
    words = tuple(vocabulary.words[row] for row in kept)
    frequency = getattr(classifier, "selection_frequency_", None)
    if classifier.cells != "tfidf":
        vocabulary = Vocabulary(words, vocabulary.document_frequency[kept], vocabulary.n_documents)
    return LinearText(
        analyzer=classifier.bag_of_words().analyzer,
        cells=classifier.cells,
        classes=tuple(classifier.classes_.tolist()),
        probabilistic=_probabilistic(estimator, weights, intercept) or calibrates(classifier.calibration_),
        words=words,
        weights=np.ascontiguousarray(weights[kept]),
        intercept=intercept,
        vocabulary=vocabulary,
        n_vocabulary=classifier.n_vocabulary_,
        groups=_kept_groups(estimator, kept),
        calibration=classifier.calibration_,
        path=getattr(classifier, "path_", None),
        frequency=None if frequency is None else frequency[kept],
    )


def calibrates(calibration: Calibration | None) -> bool:
    """Return whether a calibration gives probabilities to a model that has none of its own."""
    return calibration is not None and calibration.kind != "none"


def _kept_groups(estimator: Any, kept: np.ndarray) -> KeptGroups | None:
    """Return the selected groups of an estimator that has groups, cut to the kept words."""
    if hasattr(estimator, "kept_groups_"):  # it came from a folder, which knows more than the groups that it holds
        return estimator.kept_groups_
    groups, selected = getattr(estimator, "groups_", None), getattr(estimator, "selected_groups_", None)
    if groups is None or selected is None:
        return None
    return KeptGroups.cut(groups, selected.indices, kept)


def _linear_parts(estimator: Any, n_classes: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    name = type(estimator).__name__
    if not (hasattr(estimator, "coef_") and hasattr(estimator, "intercept_")):
        raise ValueError(
            f"{name} is not a linear model (it has no coef_ and intercept_), so its words have no weights. Saving, "
            "explaining and exporting need a linear estimator such as ElasticNetClassifier."
        )
    n_outputs = 1 if n_classes == 2 else n_classes
    weights = np.atleast_2d(np.asarray(estimator.coef_, dtype=np.float64)).T
    intercept = np.broadcast_to(np.asarray(estimator.intercept_, dtype=np.float64), (n_outputs,)).copy()
    if weights.shape != (n_features, n_outputs):
        raise ValueError(
            f"coef_ of {name} has the shape {weights.T.shape}; {n_classes} classes and {n_features} words need "
            f"{(n_outputs, n_features)}."
        )
    return weights, intercept


def _probabilistic(estimator: Any, weights: np.ndarray, intercept: np.ndarray) -> bool:
    """Say whether the estimator gives probabilities, and refuse those that are not the softmax of its margins."""
    if not hasattr(estimator, "predict_proba"):
        return False
    # an empty document, and one that holds only the strongest word, tell other formulas apart
    rows = np.zeros((2, len(weights)))
    rows[1, np.abs(weights).max(axis=1).argmax()] = 1.0
    margins = rows @ weights + intercept
    expected = probabilities(margins[:, 0] if margins.shape[1] == 1 else margins)
    if not np.allclose(estimator.predict_proba(csr_array(rows)), expected, rtol=0.0, atol=1e-9):
        raise ValueError(
            f"The probabilities of {type(estimator).__name__} are not the logistic function of its margins, so the "
            "model cannot be stored or exported with them. Use an estimator with a logistic loss, or one without "
            "probabilities."
        )
    return True
