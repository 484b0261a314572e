import pytest

from laconic.groups import GivenGroups, SentenceGroups
from laconic.groups.kinds import KINDS, builder_of
from laconic.groups.sentences import LEVELS


def test_every_kind_has_a_builder():
    assert [builder_of(kind) for kind in KINDS] == [SentenceGroups(level) for level in LEVELS]
    assert builder_of("sentences:sentence") == SentenceGroups()
    assert builder_of("a/Topics.JSON") == GivenGroups("a/Topics.JSON")


@pytest.mark.parametrize("kind", ["topics", "sentences:word", "sentence", "", "sentences:paragraph:x"])
def test_unknown_kinds_are_refused(kind):
    with pytest.raises(ValueError, match=r"no groups of the kind .*; use sentences, sentences:paragraph, "):
        builder_of(kind)
