"""How labels go with texts: one for each text (`SOFTMAX`), or any number, each by itself (`INDEPENDENT`).

Both say which labels are allowed, which classes there are, how documents are dealt into folds, and how margins are
calibrated. Probabilities are softmax(margins), of two classes softmax(0, margin); or
1/(1 + exp(−margin)) of each label.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.calibration import Calibration
from laconic.core.edits import Edits
from laconic.evaluate.calibration import fit_calibration, fit_calibration_of_several
from laconic.evaluate.metrics.evaluation import label_matrix
from laconic.evaluate.splits import label_folds, stratified_folds
from laconic.linear.edit_constraints import check_signs
from laconic.models.inputs import checked_label_lists, checked_labels

Folds = Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]


class Softmax:
    """Every text has one label."""

    name = "softmax"
    several = False
    calibration: Calibration | None = None  # of a model that was not calibrated

    def checked(self, y: Any, n_documents: int) -> NDArray[Any]:
        """Return labels as an array, one for each document."""
        return checked_labels(y, n_documents)

    def classes(self, labels: NDArray[Any]) -> list[Any]:
        """Return the different labels, sorted."""
        return np.unique(labels).tolist()

    def check_edits(self, edits: Edits | None, classes: Sequence[Any]) -> None:
        """Refuse signs of labels that are none of the classes."""
        if edits:
            check_signs(edits, classes)

    def has(self, labels: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.bool_]:
        """Return which document has which class; labels that are none of the classes are refused."""
        if strange := sorted(set(labels.tolist()) - set(classes)):
            raise ValueError(
                f"The documents have the label {strange[0]!r}, which the model does not know; its classes are "
                f"{', '.join(map(repr, classes))}. Leave these documents out, or fit the model with them."
            )
        return labels[:, None] == np.array(classes)

    def folds(self, labels: NDArray[Any], folds: int, seed: int) -> Folds:
        """Yield rows to fit and rows held out, stratified by class."""
        for split in stratified_folds(np.arange(len(labels)), labels, folds, seed):
            fit, _, held_out, _ = split()
            yield fit, held_out

    def fit_calibration(self, kind: str, margins: NDArray[np.float64], has: NDArray[np.bool_]) -> Calibration:
        """Return the calibration of margins: one curve for all classes together, or for each."""
        return fit_calibration(kind, margins, has.argmax(axis=1), has.shape[1])


class Independent:
    """Every text has any number of labels, each of them a decision of its own."""

    name = "independent"
    several = True
    calibration: Calibration | None = Calibration(several=True)

    def checked(self, y: Any, n_documents: int) -> NDArray[Any]:
        """Return labels as an array of tuples, one for each document."""
        return checked_label_lists(y, n_documents)

    def classes(self, labels: NDArray[Any]) -> list[Any]:
        """Return the different labels, sorted; fewer than two, or one that every text has, are refused."""
        classes = sorted({label for row in labels for label in row})
        if len(classes) < 2:
            raise ValueError(f"The texts have {len(classes)} different labels; several labels need at least two.")
        if everywhere := [label for label in classes if all(label in row for row in labels)]:
            raise ValueError(
                f"All {len(labels)} texts have the label {everywhere[0]!r}; there is nothing to learn about it."
            )
        return classes

    def check_edits(self, edits: Edits | None, classes: Sequence[Any]) -> None:
        """Refuse signs of labels that are none of the classes."""
        if edits:
            edits.of_label(classes[0], classes)

    def has(self, labels: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.bool_]:
        """Return which document has which label; labels that are none of the classes are refused."""
        return label_matrix(labels, classes)

    def folds(self, labels: NDArray[Any], folds: int, seed: int) -> Folds:
        """Yield rows to fit and rows held out, stratified by label."""
        classes = sorted({label for row in labels for label in row})
        has = label_matrix(labels, classes)
        numbers = label_folds(has, folds, seed)
        for fold in range(folds):
            fit = np.flatnonzero(numbers != fold)
            if len(absent := np.flatnonzero(~has[fit].any(axis=0))):
                raise ValueError(
                    f"The label {classes[absent[0]]!r} is too rare for {folds} folds; use fewer folds, a dev set, or "
                    "drop it."
                )
            yield fit, np.flatnonzero(numbers == fold)

    def fit_calibration(self, kind: str, margins: NDArray[np.float64], has: NDArray[np.bool_]) -> Calibration:
        """Return the calibration of margins: one curve for each label."""
        return fit_calibration_of_several(kind, margins, has)


Link = Softmax | Independent
SOFTMAX, INDEPENDENT = Softmax(), Independent()
