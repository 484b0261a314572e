"""Margins and cells against the matrix of `BagOfWords`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.models.scoring.linear_text import LinearText
from laconic.models.scoring.margins import cells, margin_function
from laconic.text import Analyzer, BagOfWords, Vocabulary

TRAIN = ["a b c", "a a d", "b e e e", "c d a", "f"]
WORDS = st.lists(st.sampled_from("abcdefxyz"), max_size=12).map(" ".join)


def model_of(kind, n_classes, kept="ace"):
    bag = BagOfWords(cells=kind)
    full = bag.fit(TRAIN).vocabulary
    rng = np.random.default_rng(n_classes)
    n_outputs = 1 if n_classes == 2 else n_classes
    weights, intercept = rng.normal(size=(len(kept), n_outputs)), rng.normal(size=n_outputs)
    columns = [full.index[word] for word in kept]
    vocabulary = full
    if kind != "tfidf":
        vocabulary = Vocabulary(tuple(kept), full.document_frequency[columns], full.n_documents)
    model = LinearText(
        Analyzer(), kind, tuple(range(n_classes)), True, tuple(kept), weights, intercept, vocabulary, len(full)
    )
    dense = np.zeros((len(full), n_outputs))
    dense[columns] = weights
    return model, lambda text: (bag.transform([text], full) @ dense)[0] + intercept, bag, full


@pytest.mark.parametrize("kind", ["binary", "count", "tfidf"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kept", ["ace", ""])
@given(text=WORDS)
def test_margins_equal_matrix_times_weights(kind, n_classes, kept, text):
    model, slow, _, _ = model_of(kind, n_classes, kept)
    found = margin_function(model)(model.analyzer.features(text))
    assert isinstance(found, float) == (n_classes == 2)
    np.testing.assert_allclose(np.atleast_1d(found), slow(text), rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", ["binary", "count", "tfidf"])
@given(text=WORDS)
def test_cells_equal_the_matrix(kind, text):
    model, _, bag, full = model_of(kind, 2)
    row = bag.transform([text], full)
    expected = dict(zip((full.words[j] for j in row.indices), row.data, strict=True))
    assert cells(model, text.split()) == pytest.approx(
        {word: value for word, value in expected.items() if word in model.vocabulary.index}, abs=1e-15
    )


@pytest.mark.parametrize("kind", ["binary", "count"])
@given(tokens=st.lists(st.sampled_from("acexy"), max_size=12), data=st.data())
def test_the_order_of_words_does_not_change_a_bit_of_one_margin(kind, tokens, data):
    margins = margin_function(model_of(kind, 2)[0])
    assert margins(tokens) == margins(data.draw(st.permutations(tokens)))
