"""Margins and cells against the matrix of `BagOfWords`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.core.calibration import Calibration
from laconic.models.scoring.decisions import (
    cells,
    decide,
    explained,
    log_odds,
    log_probability,
    margin_function,
    most_likely,
    named,
    probabilities,
)
from laconic.models.scoring.linear_text import LinearText
from laconic.text import Analyzer, BagOfWords, Vocabulary

MARGINS = st.floats(-1000, 1000)


@given(MARGINS)
def test_one_document_of_two_classes_equals_a_batch(margin):
    number, shares = decide(margin)
    assert number == most_likely(np.array([margin]))[0]
    assert shares == pytest.approx(probabilities(np.array([margin]))[0].tolist(), abs=1e-15)


@given(st.lists(MARGINS, min_size=3, max_size=3))
def test_one_document_of_three_classes_equals_a_batch(margins):
    number, shares = decide(np.array(margins))
    assert number == most_likely(np.array([margins]))[0]
    assert shares == tuple(probabilities(np.array([margins]))[0])
    assert sum(shares) == pytest.approx(1.0)


def test_a_tie_goes_to_the_first_class():
    assert decide(0.0)[0] == 0
    assert most_likely(np.array([0.0]))[0] == 0
    assert decide(np.zeros(3))[0] == 0


@given(st.lists(st.floats(-800, 800), min_size=3, max_size=3))
def test_log_probabilities(margins):
    every = np.array(margins)
    expected = every - every.max() - np.log(np.exp(every - every.max()).sum())
    np.testing.assert_allclose([log_probability(every, k) for k in range(3)], expected, atol=1e-9)
    np.testing.assert_allclose(log_probability(margins[0], 1), -np.logaddexp(0.0, -margins[0]), atol=1e-9)


@given(st.lists(st.floats(-4, 4), min_size=3, max_size=3))
def test_log_odds(margins):
    every = np.array(margins)
    shares = np.exp(every) / np.exp(every).sum()
    np.testing.assert_allclose([log_odds(every, k) for k in range(3)], np.log(shares / (1 - shares)), atol=1e-6)
    np.testing.assert_allclose([log_odds(margins[0], k) for k in (0, 1)], [-margins[0], margins[0]], atol=1e-9)


def test_far_margins_keep_their_logarithm():
    assert log_probability(-1000.0, 1) == -1000.0
    assert log_odds(-1000.0, 1) == -1000.0


def test_a_document_without_a_label_is_explained_by_the_most_likely():
    strict = Calibration(thresholds=(0.9, 0.9))
    assert most_likely(np.array([1.0]), strict).tolist() == [-1]
    assert explained(np.array([1.0]), strict) == 1
    assert named(np.array(["a", "b"]), np.array([1, -1])).tolist() == ["b", None]


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
