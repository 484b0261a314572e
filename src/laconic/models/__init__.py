"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "FittedText": ".fitting",
        "Recipe": ".recipe",
        "Scorer": ".scorer",
        "TextClassifier": ".text_classifier",
        "fit_text": ".fitting",
        "load": ".scorer",
    },
)
