"""Words and sentences with character offsets, and the bag-of-words design made from them.

Offsets are code points into the text as it was given. Nothing here keeps state outside the vocabulary.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".analyzer": "Analyzer",
        ".design": "CountedTexts BagOfWords Design",
        ".mail": "strip_mail",
        ".sentences": "sentence_spans",
        ".tokenizer": "Tokenizer",
        ".vocabulary": "Vocabulary",
    },
)
