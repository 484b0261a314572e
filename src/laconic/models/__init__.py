"""Whole models over raw text: `TextClassifier` learns one, `load` brings a saved one back as a light `Scorer`."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Scorer": ".scorer",
        "TextClassifier": ".text_classifier",
        "load": ".scorer",
    },
)
