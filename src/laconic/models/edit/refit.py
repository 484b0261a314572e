"""`edit_text`: a finished model fitted once more under edits, from its own weights and at its own penalty.

Nothing is tuned: λ's, budget, text parameters and groups are those of the model, so that what changes is what the edits
(or newer documents) change. The old weights are the start, which for a small edit is next to the new optimum.
"""

import time
import warnings
from dataclasses import dataclass
from typing import Any

from laconic.core.edits import Edits
from laconic.data.corpus import Corpus
from laconic.models.edit.kept_design import KeptDesign, check_kept_text
from laconic.models.edit.warm_start import check_same_labels
from laconic.models.folder.restore import restore_unfitted
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.scoring.calibration import calibrate_by
from laconic.models.scoring.scorer import Scorer
from laconic.models.search.recipe import Recipe
from laconic.models.search.shared_fit import fit_on_design, fit_together
from laconic.models.text_model import TextModel

UNCALIBRATED = (
    "The older model was calibrated and this one is not: its probabilities are those of the fit, and it has no "
    "thresholds. Give the texts (laconic edit MODEL FILE) to calibrate again, or use TextClassifier.calibrate."
)


@dataclass(frozen=True)
class EditedText:
    """What `edit_text` made.

    Attributes
    ----------
    model : TextClassifier or MultilabelTextClassifier
        Fitted.
    edits : Edits
        All edits that it obeys, earlier ones included.
    extra : dict
        What the older model knew about how it was made, with the edits in its recipe and the documents of this fit.
    seconds : float
        Of the whole job, and of its fit alone.
    """

    model: Any
    edits: Edits
    extra: dict[str, Any]
    seconds: float
    fit_seconds: float


def edit_text(
    older: Scorer,
    train: Corpus | KeptDesign,
    edits: Edits | None = None,
    *,
    dev: Corpus | None = None,
    groups: Any = None,
) -> EditedText:
    """Fit a saved model again, with edits, on the same documents or on others.

    Parameters
    ----------
    older : Scorer or MultilabelScorer
        The model, as `laconic.load` returns it.
    train : Corpus or KeptDesign
        Labelled; its labels must be those of the model. A matrix that ``laconic fit --editable`` kept saves the reading
        of texts.
    edits : Edits, optional
        On top of those the model was made with; None for a fit on other documents alone.
    dev : Corpus, optional
        Joins the training documents if it did so when the model was made (``--refit``).
    groups : optional
        As in `TextClassifier`, for a model with groups that ``laconic fit`` did not make; others know their own.

    Examples
    --------
    >>> from laconic.data import demo
    >>> from laconic.models import fit_text
    >>> letters = demo()
    >>> made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",)))
    >>> before = made.model.to_scorer()
    >>> after = edit_text(before, letters.train, Edits(ban=[before.model.words[0]]))
    >>> before.model.words[0] in after.model.to_scorer().model.words
    False
    """
    started = time.perf_counter()
    stored = dict(older.info.get("extra") or {})
    recipe = Recipe.from_dict(stored["recipe"]) if "recipe" in stored else None
    if isinstance(train, KeptDesign):
        documents = train.documents
    elif train.labels is None:
        raise ValueError("The documents have no labels; labels are needed to fit a model again.")
    else:
        documents = {"name": train.name, "documents": len(train), "fingerprint": train.fingerprint()}
    model = restore_unfitted(older.model, older.info)
    text = model.text if isinstance(model, MultilabelTextClassifier) else model
    all_edits = (text.edits or Edits()).then(edits or Edits())
    text.set_params(edits=all_edits or None)
    if "groups" in model.estimator.get_params(deep=False) and isinstance(train, Corpus):
        text.set_params(groups=_groups_again(older, recipe, groups))
    if isinstance(train, KeptDesign):
        _fit_on_design(model, older, train)
    else:
        _fit_on_texts(model, older, train, dev if recipe is not None and recipe.refit else None)
    if older.model.calibration is not None and older.model.calibration.made:
        if recipe is not None and isinstance(train, Corpus):
            calibrate_by(recipe, model, train, dev)
        else:
            warnings.warn(UNCALIBRATED, stacklevel=3)
    extra = {**stored, "data": {**stored.get("data", {}), "train": documents}}
    if recipe is not None:
        extra["recipe"] = {**stored["recipe"], "edits": all_edits.to_json() or None}
    extra.pop("comparison", None)  # its scores are those of the older model
    return EditedText(model, all_edits, extra, time.perf_counter() - started, model.timings_["fit"])


def _fit_on_design(model: TextModel, older: Scorer, kept: KeptDesign) -> None:
    """Fit on the matrix that the older model was made from."""
    check_kept_text(kept, model)
    labels = kept.given_labels()
    _check_labels(model, older, labels)
    fit_on_design(model, kept.design, labels, kept.groups, older)


def _fit_on_texts(model: TextModel, older: Scorer, train: Corpus, dev: Corpus | None) -> None:
    used = [train] if dev is None else [train, dev]
    labels = [label for corpus in used for label in corpus.labels or ()]
    _check_labels(model, older, labels)
    fit_together([model], [document for corpus in used for document in corpus], labels, start=older)


def _check_labels(model: TextModel, older: Scorer, labels: list[Any]) -> None:
    check_same_labels(older.model, model.link.classes(model.link.checked(labels, len(labels))))


def _groups_again(older: Scorer, recipe: Recipe | None, groups: Any) -> Any:
    """Return what the groups of a model are made by: the stored ones hold kept words only."""
    if groups is None and recipe is None and older.model.groups is not None:
        raise ValueError(
            "The model has groups, but it does not say how they were made (laconic fit stores that); pass groups."
        )
    return recipe.builders() if groups is None and recipe is not None else groups
