"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "FittedText": ".fitting",
        "GroupFeatures": ".group_features",
        "Recipe": ".recipe",
        "Scorer": ".scorer",
        "TableClassifier": ".table_classifier",
        "TextClassifier": ".text_classifier",
        "fit_text": ".fitting",
        "load": ".scorer",
    },
)
