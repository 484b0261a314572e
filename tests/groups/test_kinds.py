import pytest

from laconic.groups import (
    BrownGroups,
    ConstituentGroups,
    EmbeddingGroups,
    GivenGroups,
    LDAGroups,
    LSIGroups,
    NgramGroups,
    PursuitGroups,
    SentenceGroups,
    WordGraphGroups,
)
from laconic.groups.kinds import KINDS, builder_of
from laconic.groups.sentences import LEVELS


def test_every_kind_has_a_builder():
    sentences = [SentenceGroups(level) for level in LEVELS]
    assert [builder_of(kind) for kind in (one.replace(":N", ":20") for one in KINDS)] == [
        *sentences,
        ConstituentGroups(),
        ConstituentGroups(labels=("2",)),
        ConstituentGroups("TREES"),
        LDAGroups(),
        LDAGroups(20),
        LDAGroups(engine="sklearn"),
        LSIGroups(),
        LSIGroups(20),
        BrownGroups(),
        BrownGroups(20),
        BrownGroups(paths="PATHS"),
        WordGraphGroups(),
        WordGraphGroups(method="leiden"),
        NgramGroups(),
        EmbeddingGroups("PATH"),
        EmbeddingGroups(),
        PursuitGroups(),
    ]
    assert builder_of("vectors:C:/a.json") == EmbeddingGroups("C:/a.json")
    assert builder_of("sentences:sentence") == SentenceGroups()
    assert builder_of("a/Topics.JSON") == GivenGroups("a/Topics.JSON")
    assert builder_of("C:/a.csv:field") == GivenGroups("C:/a.csv", column="field")
    assert builder_of("embeddings:glove.txt") == EmbeddingGroups("glove.txt")
    assert builder_of("lda:sklearn") == LDAGroups(engine="sklearn")
    assert builder_of("graph:leiden") == WordGraphGroups(method="leiden")


def test_sizes_texts_and_seeds():
    assert builder_of("lda:20", seed=3) == LDAGroups(20, seed=3)
    assert builder_of("lsi", size=20, texts="a.txt") == LSIGroups(20, texts="a.txt")
    assert builder_of("brown:20") == BrownGroups(20)
    assert builder_of("learned", size=20) == PursuitGroups(20)
    assert builder_of("vectors:glove.txt", size=20) == EmbeddingGroups("glove.txt", 20)
    for kind, given in (
        ("sentences", {"size": 2}),
        ("graph:3", {}),
        ("learned", {"texts": "a"}),
        ("sentences", {"seed": 1}),
    ):
        with pytest.raises(ValueError, match=r"take no (size|texts|seed)"):
            builder_of(kind, **given)


@pytest.mark.parametrize(
    "kind", ["topics", "sentences:word", "sentence", "", "sentences:paragraph:x", "learned:x", "lsi:x", "lda:x"]
)
def test_unknown_kinds_are_refused(kind):
    with pytest.raises(ValueError, match=r"no groups of the kind .*; use sentences, sentences:paragraph, "):
        builder_of(kind)
