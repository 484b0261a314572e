"""`LinearText`: all that a fitted linear text model needs to score a document, as plain data.

For a document with cells x (one per kept word), the margins are f = intercept + Σ_j x_j · weights[j]. Probabilities are
softmax(f); two classes have one margin, for the second class, and softmax(0, f). A calibration replaces them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from laconic.core.calibration import Calibration
    from laconic.core.kept_groups import KeptGroups
    from laconic.core.summaries.explanation import Label
    from laconic.models.search.model_path import ModelPath

CELLS = ("count", "binary", "tfidf")


@dataclass(frozen=True, eq=False)
class LinearText:
    """A fitted linear text model, reduced to the words it kept.

    Parameters
    ----------
    analyzer : Analyzer
    cells : {"count", "binary", "tfidf"}
    classes : tuple of str, int or bool
        At least two of one type, sorted.
    probabilistic : bool
        Whether softmax of the margins, or what a calibration makes of them, is a probability.
    words : tuple of str
        Sorted; those with any nonzero weight.
    weights : array of shape (n_words, n_outputs)
        One output, for ``classes[1]``, if there are two classes; else one per class.
    intercept : array of shape (n_outputs,)
    vocabulary : Vocabulary
        The kept words; for tf-idf all words of the training texts, because every word counts for a row's length.
    n_vocabulary : int
        Number of words of the training vocabulary.
    groups : KeptGroups, optional
        The groups that were selected, over the kept words.
    calibration : Calibration, optional
        How margins become probabilities and labels.
    several : bool
        Whether a text may have several labels; every class then has an output of its own.
    path : ModelPath, optional
        Smaller and larger models beside this one.
    frequency : array of shape (n_words,), optional
        In which share of halves of the training texts each word was chosen again.

    Examples
    --------
    >>> kept = Vocabulary(("lamp", "thanks"), np.array([3, 4]), n_documents=9)
    >>> weights = np.array([[1.0], [-2.0]])
    >>> model = LinearText(
    ...     Analyzer(), "binary", ("praise", "repair"), True, kept.words, weights, np.zeros(1), kept, n_vocabulary=50
    ... )
    >>> model.outputs
    ('repair',)
    """

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


def folded(model: LinearText) -> LinearText:
    """Return a model without calibration and with the same probabilities: a sigmoid goes into the weights.

    Raises
    ------
    ValueError
        If the model has thresholds or an isotonic calibration, which weights cannot hold.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"]).to_scorer().model
    >>> folded(model) is model
    True
    """
    calibration = model.calibration
    if calibration is None:
        return model
    if calibration.thresholds is not None or calibration.kind != "sigmoid" or calibration.several:
        what = "thresholds" if calibration.thresholds is not None else "an isotonic calibration"
        raise ValueError(
            f"The model has {what}, which weights alone cannot hold. Use the model itself or its JSON, or export it "
            "before it is calibrated."
        )
    scale, shift = np.array(calibration.scale), np.array(calibration.shift)
    if calibration.prior is not None:
        prior = np.log(calibration.prior)
        shift = shift + (prior[1:] - prior[0] if len(shift) == 1 else prior)
    return replace(model, weights=model.weights * scale, intercept=model.intercept * scale + shift, calibration=None)


def _check_classes(classes: tuple[Label, ...]) -> None:
    kinds = {type(label) for label in classes}
    if len(classes) < 2 or len(kinds) != 1 or not kinds <= {str, int, bool}:
        raise ValueError(
            f"The classes must be two or more labels of one type (str, int or bool), but they are {list(classes)!r}."
        )
    if list(classes) != sorted(set(classes)):
        raise ValueError(f"The classes must be sorted and different, but they are {list(classes)!r}.")
