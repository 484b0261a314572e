"""Groups learned from co-occurrence: planted topics come back, and a dense twin agrees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data import Corpus
from laconic.groups import PursuitGroups
from laconic.text import Analyzer, BagOfWords


def made(X, **options):
    """Groups of a 0/1 matrix, as lists of its columns."""
    names = [f"w{j:03d}" for j in range(X.shape[1])]
    texts = [[names[j] for j in np.flatnonzero(row)] for row in X]
    analyzer = Analyzer(None, "tokens")
    vocabulary = BagOfWords(analyzer).fit([*texts, names]).vocabulary
    groups = PursuitGroups(**options).build(
        Corpus(tuple(texts), None, tuple(map(str, range(len(X))))), vocabulary, analyzer
    )
    return groups, [groups.members(g).tolist() for g in range(len(groups))]


def topics(seed, n_documents=600, n_topics=6, size=8, filler=150):
    """A document of one topic holds most of its words, and filler at random."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, n_topics, n_documents)
    X = rng.random((n_documents, n_topics * size + filler)) < 0.08
    for i, k in enumerate(topic):
        X[i, k * size : (k + 1) * size] = rng.random(size) < 0.8
    return X.astype(int)


@pytest.mark.parametrize("mixtures", [150, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_planted_topics_are_recovered(mixtures, seed):
    _, found = made(topics(seed), n_groups=6, size=8, mixtures=mixtures)
    assert sorted(found) == [list(range(8 * k, 8 * k + 8)) for k in range(6)]


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), st.integers(2, 7), st.integers(1, 6), st.integers(1, 4), st.integers(0, 999))
def test_it_equals_a_dense_twin(n_documents, n_words, n_groups, size, seed):
    X = (np.random.default_rng(seed).random((n_documents, n_words)) < 0.5).astype(int)
    count = X.sum(axis=0)
    usable = np.flatnonzero((count >= 1) & (count < n_documents))
    if not len(usable):
        with pytest.raises(ValueError, match="no groups to learn"):
            made(X, min_df=1)
        return
    _, found = made(X, n_groups=n_groups, size=size, min_df=1)
    assert found == [sorted(usable[own].tolist()) for own in slow(X[:, usable].astype(float), n_groups, size)]


def slow(X, n_groups, size):
    """The same by projections on all atoms so far, from scratch at every step."""
    X = X / np.sqrt(np.maximum(X.sum(axis=1, keepdims=True), 1))
    Z = X - X.mean(axis=0)
    Z /= np.linalg.norm(Z, axis=0)
    atoms, groups = [], []
    while len(atoms) < min(n_groups, Z.shape[1]):
        A = Z[:, atoms]
        R = Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]
        scores = ((Z.T @ R) ** 2).sum(axis=1)
        scores[atoms] = 0.0
        atom = int(np.flatnonzero(scores >= scores.max() * (1 - 1e-9))[0])
        left = R[:, atom]
        if scores[atom] <= 1e-10 or left @ left <= 1e-10:
            break
        explained = Z.T @ (left / np.linalg.norm(left))
        explained[atom] = np.inf
        order = sorted(range(len(explained)), key=lambda j: (-round(explained[j], 9), j))[:size]
        groups.append([j for j in order if explained[j] > 1e-10])
        atoms.append(atom)
    return groups


def test_names_weights_and_what_is_left_out():
    X = topics(0)
    X[:, -1] = 1  # in every document: it explains nothing
    X[:, -2] = 0
    X[:3, -2] = 1  # too rare
    groups, found = made(X, n_groups=3, size=5, weights="ones")
    assert groups.weights.tolist() == [1.0] * 3
    assert groups.source == "groups learned from the training texts"
    assert all(name.startswith(f"learned {k}: w0") for k, name in enumerate(groups.names, 1))
    assert not {X.shape[1] - 1, X.shape[1] - 2} & {j for own in found for j in own}
    assert made(X, n_groups=3, size=5)[0].weights.tolist() == pytest.approx([5**0.5] * 3)


def test_the_same_texts_give_the_same_groups():
    X = topics(4)
    first, second = (made(X, n_groups=20, size=10, mixtures=32)[0] for _ in range(2))
    assert first == second
    assert first != made(X, n_groups=20, size=10, mixtures=32, seed=1)[0]


def test_it_ends_when_all_is_explained():
    X = np.repeat(np.eye(3, dtype=int), 4, axis=0)
    _, found = made(X, n_groups=50, size=3, min_df=1)
    assert found == [[0], [1]]  # the third column is what the others leave


@pytest.mark.parametrize("name", ["n_groups", "size", "min_df", "mixtures"])
def test_wrong_numbers(name):
    with pytest.raises(ValueError, match=f"{name} is 0; it is a whole number from 1"):
        PursuitGroups(**{name: 0})
    with pytest.raises(ValueError, match="weights is 'log'"):
        PursuitGroups(weights="log")
