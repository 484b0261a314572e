"""Counted texts: every slice gives the design that its documents alone would give."""

import gc
import hashlib
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

import laconic.text.design as module
from laconic.data import Document
from laconic.text import Analyzer, BagOfWords, CountedTexts, Tokenizer, Vocabulary


def test_index_fingerprint_and_read_only_frequencies():
    vocabulary = Vocabulary(("a", "b\n", "é"), [1, 2, 3], 5)
    assert vocabulary.index == {"a": 0, "b\n": 1, "é": 2}
    assert vocabulary.sha256 == hashlib.sha256(b'["a","b\\n","\\u00e9"]').hexdigest()
    assert repr(vocabulary) == "<Vocabulary of 3 words from 5 documents>"
    with pytest.raises(ValueError, match="read-only"):
        vocabulary.document_frequency[0] = 7


def test_the_callers_array_is_copied():
    frequency = np.array([1, 2])
    Vocabulary(("a", "b"), frequency, 2)
    frequency[0] = 2


def test_fingerprints_tell_words_apart():
    assert Vocabulary(("a,b",), [1], 1).sha256 != Vocabulary(("a", "b"), [1, 1], 1).sha256


@pytest.mark.parametrize("words", [("b", "a"), ("a", "a")])
def test_words_must_be_sorted_and_different(words):
    with pytest.raises(ValueError, match="sorted and different"):
        Vocabulary(words, [1, 1], 1)


def test_one_frequency_for_each_word():
    with pytest.raises(ValueError, match=r"2 words .* got \(3,\)"):
        Vocabulary(("a", "b"), [1, 1, 1], 1)


SMALL_TEXTS = st.lists(
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=9).map(" ".join), min_size=2, max_size=12
)


def same(found, expected):
    assert found.shape == expected.shape
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))


@given(SMALL_TEXTS, st.sampled_from(["count", "binary", "tfidf"]), st.sampled_from([1, 0.0, 0.3]), st.randoms())
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


TEXTS = ["The cat sat.", "the dog sat, the dog!", "", "A bird — İ, Σας", "the cat the dog the bird"]
TOKENS = Tokenizer.preset("default").tokens
DOCS = st.lists(st.text("ab c", max_size=12), min_size=1, max_size=12).filter(lambda docs: any(map(str.strip, docs)))


@given(DOCS)
def test_counts_equal_the_obvious_loop(docs):
    design = BagOfWords().fit(docs)
    rows = [Counter(doc.split()) for doc in docs]
    words = sorted(set().union(*rows))
    assert design.vocabulary.words == tuple(words)
    assert design.X.toarray().tolist() == [[row[word] for word in words] for row in rows]
    assert design.vocabulary.document_frequency.tolist() == [sum(word in row for row in rows) for word in words]
    assert design.vocabulary.n_documents == len(docs)


@pytest.mark.parametrize("cuts", [{}, {"min_df": 2}, {"max_df": 0.5}, {"min_df": 0.3, "max_df": 3}, {"max_df": 1}])
@pytest.mark.parametrize("cells", ["count", "binary", "tfidf"])
def test_equal_to_scikit_learn(cells, cuts):
    peer_class = TfidfVectorizer if cells == "tfidf" else CountVectorizer
    peer = peer_class(analyzer=TOKENS, binary=cells == "binary", **cuts)
    expected = peer.fit_transform(TEXTS)
    bag = BagOfWords(cells=cells, **cuts)
    design = bag.fit(TEXTS)
    assert design.vocabulary.words == tuple(peer.get_feature_names_out())
    np.testing.assert_allclose(design.X.toarray(), expected.toarray(), rtol=1e-14)
    new = ["the unknown cat", "nothing known", "dog dog bird"]
    np.testing.assert_allclose(
        bag.transform(new, design.vocabulary).toarray(), peer.transform(new).toarray(), rtol=1e-14
    )


@pytest.mark.parametrize("cells", ["count", "binary", "tfidf"])
def test_layout_of_the_matrix(cells):
    bag = BagOfWords(cells=cells)
    design = bag.fit(TEXTS)
    for X in (design.X, bag.transform(TEXTS, design.vocabulary), bag.transform([], design.vocabulary)):
        assert type(X).__name__ == "csr_array"
        assert X.dtype == np.float64
        assert X.indices.dtype == X.indptr.dtype == np.int32
        assert X.has_sorted_indices
        assert X.has_canonical_format
        assert X.shape[1] == len(design.vocabulary)
        assert np.isfinite(X.data).all()


@given(DOCS, st.integers(1, 9))
def test_chunks_do_not_show(docs, size):
    whole = BagOfWords().fit(docs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        parts = BagOfWords().fit(docs)
        known = BagOfWords().transform([*docs, "zz a"], whole.vocabulary)
    assert parts.vocabulary.words == whole.vocabulary.words
    assert (parts.X != whole.X).nnz == 0
    assert (known[: len(docs)] != whole.X).nnz == 0


@given(DOCS, st.randoms())
def test_the_order_of_documents_does_not_matter(docs, random):
    order = list(range(len(docs)))
    random.shuffle(order)
    design, shuffled = BagOfWords().fit(docs), BagOfWords().fit([docs[i] for i in order])
    assert shuffled.vocabulary.sha256 == design.vocabulary.sha256
    assert (shuffled.vocabulary.document_frequency == design.vocabulary.document_frequency).all()
    assert (design.X[order] != shuffled.X).nnz == 0


def test_documents_are_read_once_from_any_iterable():
    design = BagOfWords().fit(iter(TEXTS))
    assert (BagOfWords().transform(iter(TEXTS), design.vocabulary) != design.X).nnz == 0


def test_pretokenized_documents():
    design = BagOfWords(Analyzer(kind="tokens")).fit([["B", "a"], []])
    assert design.vocabulary.words == ("B", "a")
    assert design.X.toarray().tolist() == [[1, 1], [0, 0]]


def test_tokens_are_not_kept():
    # a million tokens would take 50 MB and more as strings, and 8 MB as a list alone
    text = " ".join(f"word{i % 500}" for i in range(1000))
    BagOfWords().fit([text])
    gc.collect()
    tracemalloc.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", 1 << 16)
        BagOfWords().fit(text for _ in range(1000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    cells = 1000 * 500
    assert peak < 40 * cells  # 8 bytes of data and 4 of index, and as much again while it is built


def test_no_words_is_an_error_that_says_why():
    with pytest.raises(ValueError, match="no documents"):
        BagOfWords().fit([])
    with pytest.raises(ValueError, match="None of the 2 documents holds a single feature"):
        BagOfWords().fit(["", " ... "])
    with pytest.raises(ValueError, match=r"No word is left: of 2 words none .* 2 documents. Lower min_df=2"):
        BagOfWords(min_df=2).fit(["a", "b"])
    with pytest.raises(ValueError, match="no word can satisfy both"):
        BagOfWords(min_df=3, max_df=0.5).fit(["a", "b", "a", "a"])


@pytest.mark.parametrize("value", [0, -1, True, 1.5, -0.1, float("nan"), "2", None])
@pytest.mark.parametrize("name", ["min_df", "max_df"])
def test_bad_cuts(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        BagOfWords(**{name: value})


def test_bad_parameters():
    with pytest.raises(ValueError, match="'tf'; allowed are 'count', 'binary', 'tfidf'"):
        BagOfWords(cells="tf")
    with pytest.raises(TypeError, match="must be an Analyzer, got str"):
        BagOfWords("word")
    with pytest.raises(TypeError, match="a single text: put it in a list"):
        BagOfWords().fit("one text")
    with pytest.raises(TypeError, match="must be a string, but got NoneType"):
        BagOfWords().fit(["a", None])
