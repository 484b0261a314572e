"""Builders of groups: from a corpus and its vocabulary to `Groups` of its words.

Every builder has ``build(corpus, vocabulary, analyzer=None) -> Groups``. The analyzer is the one that made the
vocabulary's features out of texts; without it the default tokenizer is meant. No builder sees labels.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "BrownGroups": ".brown",
        "BrownPaths": ".clusters.paths",
        "CachedGroups": ".cached",
        "ConstituentGroups": ".constituents",
        "EmbeddingGroups": ".embeddings",
        "GivenGroups": ".given",
        "JoinedGroups": ".builder",
        "LDAGroups": ".lda",
        "LSIGroups": ".lsi",
        "NgramGroups": ".ngrams",
        "PursuitGroups": ".pursuit",
        "SentenceGroups": ".sentences",
        "WordGraphGroups": ".word_graph",
        "brown_clusters": ".clusters.merging",
        "parsed_by_stanza": ".trees.stanza_trees",
    },
)
