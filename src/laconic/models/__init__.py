"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "EditedText": ".refitting",
        "FittedText": ".fitting",
        "ModelDiff": ".differing",
        "GroupFeatures": ".group_features",
        "KeptDesign": ".kept_design",
        "MultilabelScorer": ".scorer",
        "MultilabelTextClassifier": ".multilabel",
        "Recipe": ".recipe",
        "Scorer": ".scorer",
        "TableClassifier": ".table_classifier",
        "TextClassifier": ".text_classifier",
        "diff_models": ".differing",
        "edit_text": ".refitting",
        "fit_text": ".fitting",
        "keep_design": ".kept_design",
        "load": ".scorer",
        "load_design": ".kept_design",
    },
)
