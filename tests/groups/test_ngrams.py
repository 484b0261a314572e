import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.groups import NgramGroups
from laconic.text import Analyzer, BagOfWords
from tests.groups.planted import lists


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "ab"]), min_size=1, max_size=6), min_size=1, max_size=5))
def test_a_group_has_all_that_begins_with_its_history(texts):
    vocabulary = BagOfWords(Analyzer(None, "tokens", (1, 3))).fit(texts).vocabulary
    expected = {}
    for history in vocabulary.words:
        own = {word for word in vocabulary.words if word == history or word.startswith(f"{history} ")}
        if len(own) > 1:
            expected[f"history: {history}"] = own
    if not expected:
        with pytest.raises(ValueError, match="no n-gram of the vocabulary begins like another"):
            NgramGroups().build(None, vocabulary)
        return
    groups = NgramGroups().build(None, vocabulary)
    found = {name: {vocabulary.words[j] for j in own} for name, own in zip(groups.names, lists(groups), strict=True)}
    assert found == expected
    assert groups.laminar


def test_single_words_have_no_history():
    with pytest.raises(ValueError, match=r"There are no groups: no n-gram .* ngrams=\(1, 2\)"):
        NgramGroups().build(None, BagOfWords().fit(["a b", "b c"]).vocabulary)
