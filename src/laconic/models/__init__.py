"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "EditedText": ".edit.refit",
        "FittedText": ".search.fit_text",
        "ModelDiff": ".edit.diff",
        "GroupFeatures": ".group_features",
        "KeptDesign": ".edit.kept_design",
        "MultilabelScorer": ".scoring.scorer",
        "MultilabelTextClassifier": ".multilabel",
        "Recipe": ".search.recipe",
        "Scorer": ".scoring.scorer",
        "TableClassifier": ".table_classifier",
        "TextClassifier": ".text_classifier",
        "diff_models": ".edit.diff",
        "edit_text": ".edit.refit",
        "fit_text": ".search.fit_text",
        "keep_design": ".edit.kept_design",
        "load": ".scoring.scorer",
        "load_design": ".edit.kept_design",
    },
)
