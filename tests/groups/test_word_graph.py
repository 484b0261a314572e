import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.groups import WordGraphGroups
from laconic.groups.word_graph import word_graph
from laconic.text import Analyzer, BagOfWords
from tests.groups.planted import agreement, topical

TOKENS = Analyzer(None, "tokens")
LETTERS = st.lists(st.lists(st.sampled_from("abcdex"), max_size=12), min_size=1, max_size=4)


@given(LETTERS, st.integers(2, 6), st.booleans())
def test_it_equals_a_count_of_pairs(texts, window, weighted):
    vocabulary = BagOfWords(TOKENS).fit([list("abcde")]).vocabulary
    expected = np.zeros((5, 5))
    for text in texts:
        for i, one in enumerate(text):
            for other in text[i + 1 : i + window]:
                if one != other and "x" not in (one, other):
                    for a, b in ((one, other), (other, one)):
                        expected["abcde".index(a), "abcde".index(b)] += 1
    if not weighted:
        expected = (expected > 0).astype(float)
    assert word_graph(texts, vocabulary, TOKENS, window, weighted).toarray().tolist() == expected.tolist()


@pytest.mark.parametrize("method", ["louvain", "leiden"])
def test_planted_communities_are_recovered(method):
    corpus, vocabulary, truth = topical()
    groups = WordGraphGroups(method=method).build(corpus, vocabulary)
    assert agreement(groups, truth) > 0.95
    assert groups.structure == "disjoint"
    assert groups.sizes.tolist() == sorted(groups.sizes.tolist(), reverse=True)
    assert groups == WordGraphGroups(method=method).build(corpus, vocabulary)


def test_a_higher_resolution_gives_more_communities():
    corpus, vocabulary, _ = topical()
    assert len(WordGraphGroups(resolution=5.0).build(corpus, vocabulary)) > 5


def test_wrong_parameters():
    for options, message in (
        ({"window": 1}, "window is 1; it is a whole number from 2"),
        ({"method": "walk"}, "method is 'walk'; allowed are 'louvain', 'leiden'"),
        ({"resolution": 0.0}, "resolution is 0.0"),
    ):
        with pytest.raises(ValueError, match=message):
            WordGraphGroups(**options)


def test_without_scikit_network_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sknetwork", None)
    with pytest.raises(ImportError, match=r"pip install scikit-network"):
        WordGraphGroups().check()
