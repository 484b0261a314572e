"""Counted texts: every slice gives the design that its documents alone would give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data import Document
from laconic.text import Analyzer, BagOfWords, CountedTexts

TEXTS = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=9).map(" ".join), min_size=2, max_size=12)


def same(found, expected):
    assert found.shape == expected.shape
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))


@given(TEXTS, st.sampled_from(["count", "binary", "tfidf"]), st.sampled_from([1, 0.0, 0.3]), st.randoms())
def test_a_slice_is_the_design_of_its_documents(texts, cells, min_df, random):
    bag = BagOfWords(cells=cells, min_df=min_df)
    places = np.array([random.randrange(len(texts)) for _ in range(random.randint(1, 9))])
    part = bag.count(texts)[places]
    assert list(part) == [texts[i] for i in places]
    found, expected = bag.fit(part), bag.fit([texts[i] for i in places])
    assert found.vocabulary.words == expected.vocabulary.words
    np.testing.assert_array_equal(found.vocabulary.document_frequency, expected.vocabulary.document_frequency)
    same(found.X, expected.X)
    same(bag.transform(bag.count(texts), found.vocabulary), bag.transform(texts, found.vocabulary))


def test_designs_and_slices_are_made_once():
    bag = BagOfWords()
    texts = bag.count(["to be", "to do", "not to be"])
    assert bag.fit(texts) is bag.fit(texts)
    assert texts[np.array([0, 2])] is texts[np.array([0, 2])]
    vocabulary = bag.fit(texts).vocabulary
    assert bag.transform(texts, vocabulary) is bag.transform(texts, vocabulary)


def test_slices_of_many_folds_do_not_pile_up():
    texts = BagOfWords().count(["a", "b", "c", "d", "e", "f", "g"])
    first = texts[np.array([0])]
    for i in range(1, 7):
        texts[np.array([i])]
    assert texts[np.array([0])] is not first


def test_another_analyzer_reads_the_texts_themselves():
    texts = BagOfWords().count([Document("1", "ab"), Document("2", "b")])
    letters = BagOfWords(Analyzer(None, "char", (1, 1)))
    assert letters.fit(texts).vocabulary.words == ("a", "b")
    same(letters.transform(texts, letters.fit(texts).vocabulary), letters.fit(["ab", "b"]).X)


def test_documents_without_a_word_are_refused_when_a_design_is_asked_for():
    texts = BagOfWords().count(["word", ""])
    assert isinstance(texts, CountedTexts)
    assert texts[1] == ""
    with pytest.raises(ValueError, match="None of the 1 documents holds a single feature"):
        BagOfWords().fit(texts[np.array([1])])
