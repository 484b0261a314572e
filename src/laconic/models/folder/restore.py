"""From a saved model back to a fitted `TextClassifier`, or to the `MultilabelTextClassifier` that made it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from laconic.core.edits import Edits
from laconic.models.folder.estimator import decoded, rebuilt_estimator, unfitted_estimator
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.scoring.linear_text import LinearText
from laconic.models.text_classifier import TextClassifier
from laconic.models.text_model import TextModel
from laconic.text import Tokenizer
from laconic.text.tokenizer import PRESETS


def restore(model: LinearText, facts: Mapping[str, Any]) -> TextClassifier:
    """Return a fitted text classifier with the parameters of a ``model.json`` and the weights of its model."""
    if model.several:
        raise ValueError("A model of several labels is not rebuilt from a folder; predict with it, or fit again.")
    # Groups come back on the estimator, over the stored words; the builder that made them is not stored.
    estimator = rebuilt_estimator(facts, model)
    classifier = _unfitted(model, facts, type(estimator)(**estimator.get_params(deep=False)))
    classifier.estimator_ = estimator
    classifier.classes_ = estimator.classes_
    classifier.vocabulary_ = model.vocabulary
    classifier.n_vocabulary_ = model.n_vocabulary
    classifier.n_words_ = len(model.words)
    classifier.calibration_ = model.calibration
    classifier.reference_ = facts.get("reference")
    classifier.timings_ = {}
    if model.path is not None:
        classifier.path_ = model.path
    if model.frequency is not None:
        frequency = np.zeros(len(model.vocabulary))
        frequency[[model.vocabulary.index[word] for word in model.words]] = model.frequency
        classifier.selection_frequency_ = frequency
    return classifier


def restore_unfitted(model: LinearText, facts: Mapping[str, Any]) -> TextModel:
    """Return the unfitted classifier that a model came from, for one label or for several, without its groups."""
    estimator = unfitted_estimator(facts)
    if not model.several:
        return _unfitted(model, facts, estimator)
    settings = {label: decoded(str(label), own) for label, own in facts.get("settings", ())}
    return MultilabelTextClassifier(estimator, settings or None, _unfitted(model, facts, None))


def _unfitted(model: LinearText, facts: Mapping[str, Any], estimator: Any) -> TextClassifier:
    tokenizer: Any = model.analyzer.tokenizer
    presets = (name for name in PRESETS if tokenizer == Tokenizer.preset(name))
    return TextClassifier(
        estimator,
        analyzer=model.analyzer.kind,
        tokenizer="default" if tokenizer is None else next(presets, tokenizer),
        ngrams=model.analyzer.ngrams,
        cells=model.cells,
        min_df=facts["min_df"],
        max_df=facts["max_df"],
        strip_mail=model.analyzer.strip_mail,
        edits=Edits.from_json(facts["edits"]) if "edits" in facts else None,
    )
