"""`LinearText`: all that a fitted linear text model needs to score a document, as plain data.

For a document with cells x (one per kept word), the margins are f = intercept + Σ_j x_j · weights[j]. Probabilities are
softmax(f); two classes have one margin, for the second class, and softmax(0, f). A calibration replaces them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from laconic.models.scoring.decisions import probabilities
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from laconic.core.calibration import Calibration
    from laconic.core.selected_groups import KeptGroups
    from laconic.core.summaries.explanation import Label
    from laconic.models.search.model_path import ModelPath
    from laconic.models.text_model import TextModel

CELLS = ("count", "binary", "tfidf")


@dataclass(frozen=True, eq=False)
class LinearText:
    """A fitted linear text model, reduced to the words with any nonzero weight, which are sorted."""

    # ``weights`` has shape (n_words, n_outputs) and ``frequency`` one number per word: in which share of models of
    # halves of the training texts it was selected again. Two classes have one output, for ``classes[1]``; more, or
    # ``several`` labels in one text, one each. ``probabilistic``: whether softmax of the margins, or what a calibration
    # makes of them, is a probability. ``vocabulary`` holds the kept words, for tf-idf all words of the training texts,
    # because each of them counts for a row's length; ``n_vocabulary`` is their number in training.

    analyzer: Analyzer
    cells: str
    classes: tuple[Label, ...]
    probabilistic: bool
    words: tuple[str, ...]
    weights: NDArray[np.float64]
    intercept: NDArray[np.float64]
    vocabulary: Vocabulary
    n_vocabulary: int
    groups: KeptGroups | None = None
    calibration: Calibration | None = None
    several: bool = False
    path: ModelPath | None = None
    frequency: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        _check_classes(self.classes)
        if self.cells not in CELLS:
            raise ValueError(f"Unknown cells {self.cells!r}; allowed are {', '.join(map(repr, CELLS))}.")
        n_outputs = len(self.outputs)
        if self.weights.shape != (len(self.words), n_outputs):
            raise ValueError(
                f"The weights disagree with the words: {len(self.words)} words and {n_outputs} outputs "
                f"({len(self.classes)} classes) need weights of shape {(len(self.words), n_outputs)}, but they have "
                f"{self.weights.shape}."
            )
        if self.intercept.shape != (n_outputs,):
            raise ValueError(
                f"{len(self.classes)} classes need an intercept of shape {(n_outputs,)}, got {self.intercept.shape}."
            )
        if self.groups is not None and self.groups.n_words != len(self.words):
            raise ValueError(
                f"The groups disagree with the words: they were cut to {self.groups.n_words} words, but the model has "
                f"{len(self.words)}."
            )
        if self.calibration is not None:
            self.calibration.check(len(self.classes), n_outputs)
        if self.frequency is not None and self.frequency.shape != (len(self.words),):
            raise ValueError(f"There are {len(self.words)} words, but {len(self.frequency)} frequencies of selection.")
        for name, values in (("weights", self.weights), ("intercept", self.intercept)):
            if values.dtype.kind != "f" or not np.isfinite(values).all():
                raise ValueError(f"The {name} must be finite numbers, but they hold NaN, infinity or something else.")
        if self.cells == "tfidf":
            if unknown := [word for word in self.words if word not in self.vocabulary.index]:
                raise ValueError(f"The kept words {unknown[:5]} are not in the vocabulary that tf-idf needs.")
        elif self.words != self.vocabulary.words:
            raise ValueError("The kept words and the vocabulary differ; only tf-idf has a larger vocabulary.")

    @property
    def outputs(self) -> tuple[Label, ...]:
        """The label that each output speaks for."""
        return self.classes[1:] if len(self.classes) == 2 and not self.several else self.classes

    @property
    def dense_weights(self) -> NDArray[np.float64]:
        """The weights over the whole vocabulary that is held, which for tf-idf has more than the kept words."""
        weights = np.zeros((len(self.vocabulary), len(self.outputs)))
        weights[[self.vocabulary.index[word] for word in self.words]] = self.weights
        return weights

    @classmethod
    def of(cls, model: TextModel) -> Self:
        """Return a fitted model reduced to its kept words; one whose estimator is not linear is refused."""
        estimator, several, vocabulary = model.estimator_, model.link.several, model.vocabulary_
        n_outputs = 1 if len(model.classes_) == 2 and not several else len(model.classes_)
        weights, intercept = _linear_parts(estimator, n_outputs, len(vocabulary))
        kept = np.flatnonzero(np.any(weights != 0.0, axis=1))
        words = tuple(vocabulary.words[row] for row in kept)
        frequency = getattr(model, "selection_frequency_", None)
        bag = model._reader().bag_of_words()
        if bag.cells != "tfidf":
            vocabulary = Vocabulary(words, vocabulary.document_frequency[kept], vocabulary.n_documents)
        own = several or _is_softmax(estimator, weights, intercept)
        return cls(
            analyzer=bag.analyzer,
            cells=bag.cells,
            classes=tuple(model.classes_.tolist()),
            probabilistic=own or calibrates(model.calibration_),
            words=words,
            weights=np.ascontiguousarray(weights[kept]),
            intercept=intercept,
            vocabulary=vocabulary,
            n_vocabulary=model.n_vocabulary_,
            groups=_kept_groups(estimator, kept),
            calibration=model.calibration_,
            several=several,
            path=getattr(model, "path_", None),
            frequency=None if frequency is None else frequency[kept],
        )


def calibrates(calibration: Calibration | None) -> bool:
    """Return whether a calibration gives probabilities to a model that has none of its own."""
    return calibration is not None and calibration.kind != "none"


def folded(model: LinearText) -> LinearText:
    """Return a model with the same probabilities, its sigmoid calibration in the weights, which can hold no other."""
    calibration = model.calibration
    if calibration is None:
        return model
    if calibration.thresholds is not None or calibration.kind != "sigmoid" or calibration.several:
        what = "several labels per text" if calibration.several else f"a calibration of the kind {calibration.kind!r}"
        what = "thresholds" if calibration.thresholds is not None else what
        raise ValueError(
            f"The model has {what}, which weights alone cannot hold. Use the model itself or its JSON, or export it "
            "before it is calibrated."
        )
    scale, shift = np.array(calibration.scale), np.array(calibration.shift)
    if calibration.prior is not None:
        prior = np.log(calibration.prior)
        shift = shift + (prior[1:] - prior[0] if len(shift) == 1 else prior)
    return replace(model, weights=model.weights * scale, intercept=model.intercept * scale + shift, calibration=None)


def _kept_groups(estimator: Any, kept: np.ndarray) -> KeptGroups | None:
    """Return the selected groups of an estimator that has groups, cut to the kept words."""
    if hasattr(estimator, "kept_groups_"):  # it came from a folder, which knows more than the groups that it holds
        return estimator.kept_groups_
    groups, selected = getattr(estimator, "groups_", None), getattr(estimator, "selected_groups_", None)
    if groups is None or selected is None:
        return None
    from laconic.core.selected_groups import KeptGroups

    return KeptGroups.cut(groups, selected.indices, kept)


def _linear_parts(estimator: Any, n_outputs: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return weights, shape (n_features, n_outputs), and intercept."""
    name = type(estimator).__name__
    if not (hasattr(estimator, "coef_") and hasattr(estimator, "intercept_")):
        raise ValueError(
            f"{name} is not a linear model (it has no coef_ and intercept_), so its words have no weights. Saving, "
            "explaining and exporting need a linear estimator such as ElasticNetClassifier."
        )
    weights = np.atleast_2d(np.asarray(estimator.coef_, dtype=np.float64)).T
    intercept = np.broadcast_to(np.asarray(estimator.intercept_, dtype=np.float64), (n_outputs,)).copy()
    if weights.shape != (n_features, n_outputs):
        raise ValueError(
            f"coef_ of {name} has the shape {weights.T.shape}; its classes and {n_features} words need "
            f"{(n_outputs, n_features)}."
        )
    return weights, intercept


def _is_softmax(estimator: Any, weights: np.ndarray, intercept: np.ndarray) -> bool:
    """Say whether the estimator gives probabilities, and refuse those that are not the softmax of its margins."""
    if not hasattr(estimator, "predict_proba"):
        return False
    from scipy.sparse import csr_array  # only here: loading a model must stay light

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


def _check_classes(classes: tuple[Label, ...]) -> None:
    kinds = {type(label) for label in classes}
    if len(classes) < 2 or len(kinds) != 1 or not kinds <= {str, int, bool}:
        raise ValueError(
            f"The classes must be two or more labels of one type (str, int or bool), but they are {list(classes)!r}."
        )
    if list(classes) != sorted(set(classes)):
        raise ValueError(f"The classes must be sorted and different, but they are {list(classes)!r}.")
