"""Text in: readers, ``Corpus``, known data sets by name, planted synthetic corpora and the demo corpus."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Columns": ".files.columns",
        "Corpus": ".corpus",
        "Document": ".document",
        "KnownSet": ".known_sets",
        "Label": ".document",
        "Planted": ".synthetic",
        "SplitCheck": ".loading",
        "Sentences": ".annotated.sentences",
        "Splits": ".splits",
        "check": ".loading",
        "demo": ".letters",
        "demo_truth": ".letters",
        "guess_columns": ".files.columns",
        "known": ".known_sets",
        "load": ".loading",
        "planted": ".synthetic",
        "planted_stream": ".synthetic",
        "read": ".files.readers",
        "read_conll": ".annotated.conll",
        "stream": ".files.readers",
    },
)
