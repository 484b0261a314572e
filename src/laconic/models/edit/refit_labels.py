"""A model of several labels fitted once more, from its own weights and at its own penalties; see
`laconic.models.edit_text`.
"""

from typing import Any

from laconic.data.corpus import Corpus
from laconic.models.edit.kept_design import KeptDesign, check_kept_text
from laconic.models.edit.warm_start import check_same_labels
from laconic.models.label_lists import checked_label_lists, label_classes
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.scoring.scorer import Scorer
from laconic.models.search.recipe import Recipe


def fit_labels_again(
    classifier: MultilabelTextClassifier,
    older: Scorer,
    recipe: Recipe | None,
    train: Corpus | KeptDesign,
    groups: Any = None,
) -> None:
    """Fit in place, on texts or on the matrix that ``laconic fit --editable`` kept.

    Parameters
    ----------
    classifier : MultilabelTextClassifier
        With the parameters of the older model.
    older : MultilabelScorer
    recipe : Recipe or None
        How ``laconic fit`` made it.
    train : Corpus or KeptDesign
        Labelled.
    groups : optional
        Of a model with groups that ``laconic fit`` did not make.
    """
    if isinstance(train, KeptDesign):
        check_kept_text(train, classifier.text_classifier())
        labels = checked_label_lists(train.label_lists())
        check_same_labels(older.model, label_classes(labels))
        classifier.fit_design(train.design, labels, train.groups, older)
        return
    labels = checked_label_lists(train.labels or ())
    check_same_labels(older.model, label_classes(labels))
    if "groups" in classifier.estimator.get_params(deep=False):
        classifier.text.set_params(groups=groups_again(older, recipe, groups))
    classifier.fit(train, labels, start=older)


def groups_again(older: Scorer, recipe: Recipe | None, groups: Any) -> Any:
    """Return what the groups of a model are made by: the stored ones hold kept words only."""
    if groups is None and recipe is None and older.model.groups is not None:
        raise ValueError(
            "The model has groups, but it does not say how they were made (laconic fit stores that); pass groups."
        )
    return recipe.builders() if groups is None and recipe is not None else groups
