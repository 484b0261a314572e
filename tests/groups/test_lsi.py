import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data import Corpus
from laconic.groups import LSIGroups
from laconic.groups import lsi as module
from laconic.text import Analyzer, BagOfWords
from tests.groups.planted import agreement, lists, topical

TOKENS = Analyzer(None, "tokens")


def built(X, **options):
    names = [f"w{j}" for j in range(X.shape[1])]
    texts = [[names[j] for j in np.repeat(np.arange(len(row)), row)] for row in X]
    corpus = Corpus(tuple(texts), None, tuple(map(str, range(len(X)))))
    return LSIGroups(**options).build(corpus, BagOfWords(TOKENS).fit([names]).vocabulary, TOKENS)


@given(st.integers(2, 7), st.integers(2, 7), st.integers(0, 999))
@pytest.mark.filterwarnings("ignore:7 components")
def test_it_equals_a_dense_decomposition(n_documents, n_words, seed):
    X = np.random.default_rng(seed).integers(0, 9, (n_documents, n_words))
    X[0, 0] += 1
    _, s, Vt = np.linalg.svd(X.astype(float), full_matrices=False)
    if np.any(np.diff(s) > -1e-3 * s[0]):
        return  # equal singular values: the components are not unique
    groups = built(X, components=7, size=2)
    rank = int(np.sum(s > 1e-6 * s[0]))
    assert len(groups) == rank
    for k, own in enumerate(lists(groups)):
        loading = np.sort(np.abs(Vt[k]))[::-1]
        assert np.sort(np.abs(Vt[k][own]))[::-1] == pytest.approx(loading[: len(own)], abs=1e-6)


def test_arpack_and_the_gram_matrix_agree(monkeypatch):
    corpus, vocabulary, _ = topical(n_documents=60)
    dense = LSIGroups(components=4).build(corpus, vocabulary)
    monkeypatch.setattr(module, "DENSE", 10)
    assert lists(LSIGroups(components=4).build(corpus, vocabulary)) == lists(dense)


def test_planted_topics_are_recovered():
    corpus, vocabulary, truth = topical(purity=1.0)
    groups = LSIGroups(components=5, size=12).build(corpus, vocabulary)
    assert agreement(groups, truth) > 0.95


def test_more_components_than_the_rank_are_cut_with_a_warning():
    with pytest.warns(
        UserWarning, match="1000 components were asked for, but the matrix .* has the rank 2; there are 2"
    ):
        groups = built(np.array([[1, 1, 0], [2, 2, 0], [0, 0, 1]]))
    assert sorted(lists(groups)) == [[0, 1], [2]]


def test_wrong_parameters():
    for options, message in (({"components": 0}, "components is 0"), ({"cells": "bm25"}, "cells is 'bm25'")):
        with pytest.raises(ValueError, match=message):
            LSIGroups(**options)
