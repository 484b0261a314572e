"""Text in: readers, ``Corpus``, known data sets by name, planted synthetic corpora and the demo corpus."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Columns": ".columns",
        "Corpus": ".corpus",
        "Document": ".document",
        "Imported": ".importing",
        "KnownSet": ".known_sets",
        "Label": ".document",
        "Planted": ".synthetic",
        "SplitCheck": ".loading",
        "Sentences": ".sentences",
        "Splits": ".splits",
        "check": ".loading",
        "demo": ".letters",
        "demo_truth": ".letters",
        "guess_columns": ".columns",
        "import_release": ".importing",
        "known": ".known_sets",
        "load": ".loading",
        "planted": ".synthetic",
        "planted_stream": ".synthetic",
        "read": ".readers",
        "read_conll": ".conll",
        "stream": ".readers",
    },
)
