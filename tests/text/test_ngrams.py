import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from laconic.text.ngrams import (
    NOT_FOUND,
    char_ngram_spans,
    char_ngrams,
    char_wb_ngram_spans,
    char_wb_ngrams,
    word_ngram_spans,
    word_ngrams,
)

TEXTS = st.text(st.sampled_from("ab \n\t\u3000東😀\x1c\x85") | st.characters(exclude_categories=["Cs"]), max_size=30)
NGRAMS = st.tuples(st.integers(1, 5), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(st.sampled_from("abc"), max_size=8), NGRAMS)
def test_word_ngrams_equal_scikit_learn(tokens, ngrams):
    peer = CountVectorizer(ngram_range=ngrams, tokenizer=lambda t: t, preprocessor=lambda t: t, token_pattern=None)
    assert word_ngrams(tokens, ngrams) == peer.build_analyzer()(tokens)


@pytest.mark.parametrize(
    ("kind", "fast", "slow"),
    [("char", char_ngrams, char_ngram_spans), ("char_wb", char_wb_ngrams, char_wb_ngram_spans)],
)
@given(text=TEXTS, ngrams=NGRAMS)
def test_character_ngrams_equal_scikit_learn_and_their_places(kind, fast, slow, text, ngrams):
    found = fast(text, ngrams)
    assert found == CountVectorizer(analyzer=kind, ngram_range=ngrams, lowercase=False).build_analyzer()(text)
    spans = slow(text, ngrams)
    assert [feature for _, _, feature in spans] == found
    for start, end, feature in spans:
        assert 0 <= start <= end <= len(text)
        # white space may have been pulled together or added, nothing else
        assert "".join(text[start:end].split()) == "".join(feature.split())
        if kind == "char":
            assert end - start >= len(feature)


def test_word_ngram_places_leave_out_what_was_not_found():
    spans = [(0, 1, "a"), (NOT_FOUND, 1, "?"), (2, 3, "b")]
    assert word_ngram_spans(spans, (1, 3)) == [(0, 1, "a"), (2, 3, "b"), (0, 3, "a ? b")]


def test_n_grams_longer_than_the_text_take_no_time():
    tokens = ["a"] * 50
    assert word_ngrams(tokens, (50, 10**9)) == [" ".join(tokens)]
    assert word_ngrams(tokens, (51, 10**9)) == []
