"""Decoders and marginals against all trees."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.kernels.arcs.trees import add_costs, arc_marginals, best_projective_tree, best_tree, tree_score


@cache
def all_trees(n):
    """Return the heads of all trees over n words, one a row with a first column of zeros."""
    heads = np.array(list(product(*([h for h in range(n + 1) if h != m] for m in range(1, n + 1)))), dtype=np.int64)
    heads = np.concatenate([np.zeros((len(heads), 1), dtype=np.int64), heads], axis=1)
    at = heads.copy()
    for _ in range(n):
        at = np.take_along_axis(heads, at, axis=1)
    return heads[(at == 0).all(axis=1)]


@cache
def projective(n):
    return np.array([not crosses(row) for row in all_trees(n)])


def crosses(heads):
    arcs = [tuple(sorted((heads[m], m))) for m in range(1, len(heads))]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def totals(scores, trees):
    return scores[trees[:, 1:], np.arange(1, trees.shape[1])].sum(axis=1)


def random_scores(n, seed, whole=False):
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n + 1, n + 1)).astype(float) if whole else rng.normal(size=(n + 1, n + 1)) * 3


def test_there_are_as_many_trees_as_cayley_says():
    for n in range(1, 7):
        assert len(all_trees(n)) == (n + 1) ** (n - 1)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 6), st.integers(0, 10_000), st.booleans(), st.booleans())
def test_decoders_find_the_best_of_all_trees(n, seed, single, whole):
    scores, trees = random_scores(n, seed, whole), all_trees(n)
    allowed = (trees == 0).sum(axis=1) == 2 if single else np.ones(len(trees), dtype=bool)
    heads = np.empty(n + 1, dtype=np.int64)
    best_tree(scores, n, single, heads)
    assert (trees[allowed] == heads).all(axis=1).any()
    np.testing.assert_allclose(tree_score(scores, n, heads), totals(scores, trees[allowed]).max())
    best_projective_tree(scores, n, single, heads)
    flat = trees[allowed & projective(n)]
    assert (flat == heads).all(axis=1).any()
    np.testing.assert_allclose(tree_score(scores, n, heads), totals(scores, flat).max())


def test_seven_words():
    trees = all_trees(7)
    heads = np.empty(8, dtype=np.int64)
    for seed in range(10):
        scores = random_scores(7, seed)
        for single in (False, True):
            allowed = trees[(trees == 0).sum(axis=1) == 2] if single else trees
            best_tree(scores, 7, single, heads)
            np.testing.assert_array_equal(heads, allowed[totals(scores, allowed).argmax()])


@settings(deadline=None, max_examples=30)
@given(st.integers(8, 40), st.integers(0, 10_000), st.booleans())
def test_long_sentences_get_trees_and_projective_ones_are_no_better(n, seed, single):
    scores = random_scores(n, seed)
    free, flat = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    best_tree(scores, n, single, free)
    best_projective_tree(scores, n, single, flat)
    assert not crosses(flat)
    assert tree_score(scores, n, flat) <= tree_score(scores, n, free) + 1e-9
    for heads in (free, flat):
        at = heads.copy()
        for _ in range(n):
            at = heads[at]
        assert not at.any()
        assert (heads[1:] == 0).sum() == 1 or not single


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 5), st.integers(0, 10_000), st.booleans())
def test_marginals_are_those_of_all_trees(n, seed, single):
    scores, trees = random_scores(n, seed), all_trees(n)
    if single:
        trees = trees[(trees == 0).sum(axis=1) == 2]
    weights = np.exp(totals(scores, trees))
    slow = np.zeros((n + 1, n + 1))
    for row, weight in zip(trees, weights, strict=True):
        slow[row[1:], np.arange(1, n + 1)] += weight / weights.sum()
    fast = np.empty((n + 1, n + 1))
    log_z = arc_marginals(scores, n, single, fast)
    np.testing.assert_allclose(log_z, np.log(weights.sum()), rtol=1e-9)
    np.testing.assert_allclose(fast, slow, atol=1e-9)


def test_marginals_of_extreme_scores_stay_probabilities():
    scores = random_scores(6, 1) * 100
    fast = np.empty((7, 7))
    arc_marginals(scores, 6, False, fast)
    np.testing.assert_allclose(fast[:, 1:].sum(axis=0), 1.0, atol=1e-6)
    assert fast.min() > -1e-6


@pytest.mark.parametrize("single", [False, True])
def test_costs_find_the_tree_that_violates_most(single):
    trees = all_trees(5)
    trees = trees[(trees == 0).sum(axis=1) == 2] if single else trees
    heads = np.empty(6, dtype=np.int64)
    for seed in range(20):
        scores, right = random_scores(5, seed), trees[seed * 7 % len(trees)]
        wrong = (trees[:, 1:] != right[1:]).sum(axis=1)
        augmented = scores.copy()
        add_costs(augmented, 5, right)
        best_tree(augmented, 5, single, heads)
        np.testing.assert_array_equal(heads, trees[(totals(scores, trees) + wrong).argmax()])
