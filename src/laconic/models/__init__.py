"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".edit.diff": "ModelDiff diff_models",
        ".edit.kept_design": "KeptDesign keep_design load_design",
        ".edit.refit": "EditedText edit_text",
        ".group_features": "GroupFeatures",
        ".multilabel": "MultilabelTextClassifier",
        ".scoring.scorer": "MultilabelScorer Scorer load",
        ".search.fit_text": "FittedText fit_text",
        ".search.recipe": "Recipe",
        ".table_classifier": "TableClassifier",
        ".text_classifier": "TextClassifier",
    },
)
