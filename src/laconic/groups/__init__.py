"""Builders of groups: from a corpus and its vocabulary to `Groups` of its words.

Every builder has ``build(corpus, vocabulary, analyzer=None) -> Groups``. The analyzer is the one that made the
vocabulary's features out of texts; without it the default tokenizer is meant. No builder sees labels.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".brown": "BrownGroups brown_clusters BrownPaths",
        ".builder": "JoinedGroups CachedGroups",
        ".constituents": "ConstituentGroups parsed_by_stanza",
        ".embeddings": "EmbeddingGroups",
        ".given": "GivenGroups",
        ".lda": "LDAGroups",
        ".lsi": "LSIGroups",
        ".ngrams": "NgramGroups",
        ".pursuit": "PursuitGroups",
        ".sentences": "SentenceGroups",
        ".word_graph": "WordGraphGroups",
    },
)
