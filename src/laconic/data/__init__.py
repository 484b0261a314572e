"""Text in: readers, ``Corpus``, known data sets by name, planted synthetic corpora and the demo corpus."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".annotated.sentences": "read_conll Sentences",
        ".corpus": "Corpus Splits",
        ".document": "Document",
        ".files.table": "Columns guess_columns",
        ".files.readers": "read stream",
        ".known_sets": "KnownSet known SplitCheck check load",
        ".labels": "Label",
        ".letters": "demo demo_truth",
        ".synthetic": "Planted planted planted_stream",
    },
)
