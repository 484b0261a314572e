import pytest

from laconic.groups import EmbeddingGroups, GivenGroups, PursuitGroups, SentenceGroups
from laconic.groups.kinds import KINDS, builder_of
from laconic.groups.sentences import LEVELS


def test_every_kind_has_a_builder():
    sentences = [SentenceGroups(level) for level in LEVELS]
    assert [builder_of(kind) for kind in KINDS] == [
        *sentences,
        EmbeddingGroups("PATH"),
        EmbeddingGroups(),
        PursuitGroups(),
    ]
    assert builder_of("vectors:C:/a.json") == EmbeddingGroups("C:/a.json")
    assert builder_of("sentences:sentence") == SentenceGroups()
    assert builder_of("a/Topics.JSON") == GivenGroups("a/Topics.JSON")


@pytest.mark.parametrize("kind", ["topics", "sentences:word", "sentence", "", "sentences:paragraph:x", "learned:x"])
def test_unknown_kinds_are_refused(kind):
    with pytest.raises(ValueError, match=r"no groups of the kind .*; use sentences, sentences:paragraph, "):
        builder_of(kind)
