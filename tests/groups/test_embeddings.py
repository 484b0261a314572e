"""Groups of near words, from vectors that are given, read or trained.

k-means and nearest neighbours against slow, obvious twins.
"""

import copy
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data import Corpus
from laconic.groups import EmbeddingGroups, embeddings
from laconic.groups.embeddings import mini_batch_clusters, nearest_by_cosine, nearest_centre
from laconic.text import Vocabulary


def units(n, dimension, seed):
    points = np.random.default_rng(seed).normal(size=(n, dimension))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 8), st.integers(1, 60), st.integers(1, 9), st.integers(0, 99))
def test_nearest_equal_slow_twins(n, count, block, run, seed):
    points = units(n, 3, seed)
    centres = units(4, 3, seed + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embeddings, "BLOCK", block)
        patch.setattr(embeddings, "RUN", run)
        near, owner = nearest_by_cosine(points, count), nearest_centre(points, centres)
    distance = ((points[:, None] - centres) ** 2).sum(axis=2)
    assert owner.tolist() == distance.argmin(axis=1).tolist()
    cosine = points @ points.T
    np.fill_diagonal(cosine, -np.inf)
    expected = [np.argsort(-row)[: min(count, n - 1)].tolist() for row in cosine]
    assert near.tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_separate_clouds_are_found(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 6, 600)
    points = 10.0 * np.eye(6)[truth] + 0.1 * rng.normal(size=(600, 6))
    label = mini_batch_clusters(points, 6, seed)
    assert len({(a, b) for a, b in zip(truth.tolist(), label.tolist(), strict=True)}) == 6
    first = [label.tolist().index(k) for k in range(6)]
    assert first == sorted(first)


def test_clusters_are_good_and_the_same_again(monkeypatch):
    points = units(500, 5, 0).astype(np.float32)
    monkeypatch.setattr(embeddings, "BATCH", 64)
    label = mini_batch_clusters(points, 20, seed=3)
    assert np.array_equal(label, mini_batch_clusters(points, 20, seed=3))
    assert not np.array_equal(label, mini_batch_clusters(points, 20, seed=4))
    assert cost(points, label) < 1.15 * lloyd(points, 20)


def test_coinciding_points_give_fewer_clusters():
    points = np.repeat(np.eye(3), 10, axis=0)
    label = mini_batch_clusters(points, 8)
    assert label.tolist() == np.repeat([0, 1, 2], 10).tolist()
    assert mini_batch_clusters(np.ones((1, 2)), 5).tolist() == [0]


def cost(points, label):
    return sum(((own - own.mean(axis=0)) ** 2).sum() for own in (points[label == k] for k in np.unique(label)))


def lloyd(points, k):
    """Return the cost of plain k-means after 50 rounds."""
    centres = points[np.random.default_rng(1).choice(len(points), k, replace=False)]
    for _ in range(50):
        label = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        centres = np.array([points[label == j].mean(axis=0) if (label == j).any() else centres[j] for j in range(k)])
    return cost(points, label)


CLOUDS = {"space": ["moon", "orbit", "rover"], "faith": ["prayer", "sin", "soul"], "parts": ["cable", "disk", "drive"]}
WORDS = [word for words in CLOUDS.values() for word in words]
VOCABULARY = Vocabulary(tuple(sorted([*WORDS, "zebra"])), np.arange(1, 11), n_documents=10)


def matrix(seed=0):
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.5, 3.0, (9, 1))  # only directions count
    return scale * (np.repeat(np.eye(3), 3, axis=0) + 0.1 * rng.normal(size=(9, 3)))


def test_clusters_become_groups():
    groups = EmbeddingGroups((WORDS, matrix()), clusters=3, neighbours=0).build(None, VOCABULARY)
    found = {frozenset(VOCABULARY.words[j] for j in groups.members(g)) for g in range(len(groups))}
    assert found == {frozenset(words) for words in CLOUDS.values()}
    assert groups.names == (
        "vectors 1: drive, disk, cable",
        "vectors 2: rover, orbit, moon",
        "vectors 3: soul, sin, prayer",
    )
    assert groups.weights.tolist() == pytest.approx([3**0.5] * 3)
    assert (groups.features_sha256, groups.source) == (VOCABULARY.sha256, "given vectors")
    assert not groups.covered[VOCABULARY.index["zebra"]]


def test_neighbours_join_and_groups_overlap():
    vectors = matrix(1)
    groups = EmbeddingGroups((WORDS, vectors), clusters=3, neighbours=3, weights="ones").build(None, VOCABULARY)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = units @ units.T
    for g in range(3):
        have = {VOCABULARY.words[j] for j in groups.members(g)}
        (own,) = [words for words in CLOUDS.values() if set(words) <= have and groups.names[g].endswith(words[0])]
        expected = set(own)
        for word in own:  # the slow way: the three nearest others of each member
            order = np.argsort(-near[WORDS.index(word)])
            expected |= {WORDS[j] for j in order[1:4]}
        assert have == expected
    assert groups.overlapping
    assert groups.weights.tolist() == [1.0] * 3


def test_words_not_in_the_vocabulary_are_dropped_and_counted():
    vectors = ([*WORDS, "Titan", "comet"], np.vstack([matrix(), np.ones((2, 3))]))
    groups = EmbeddingGroups(vectors).build(None, VOCABULARY)
    assert groups.source == "given vectors (2 of 11 words not in the vocabulary)"
    assert len(groups) == 1  # of nine words, one cluster
    assert groups.sizes.tolist() == [9]


def test_a_vector_of_zeros_is_in_no_group():
    vectors = matrix()
    vectors[0] = 0.0
    groups = EmbeddingGroups((WORDS, vectors), clusters=3).build(None, VOCABULARY)
    assert not groups.covered[VOCABULARY.index["moon"]]


def test_files(tmp_path):
    rows = zip(WORDS, matrix().tolist(), strict=True)
    text = "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows)
    (tmp_path / "v.txt").write_text(text, encoding="utf-8")
    np.save(tmp_path / "v.npy", matrix())
    (tmp_path / "list").write_text("\n".join(WORDS), encoding="utf-8")
    given = EmbeddingGroups((WORDS, matrix()), clusters=3).build(None, VOCABULARY)
    for place in (tmp_path / "v.txt", (tmp_path / "v.npy", tmp_path / "list")):
        builder = EmbeddingGroups(place, clusters=3)
        builder.check()
        groups = builder.build(None, VOCABULARY)
        assert np.array_equal(groups.indices, given.indices)
        assert groups.source.startswith(f"vectors {tmp_path}")
        assert EmbeddingGroups(place, clusters=3) == builder == copy.deepcopy(builder)
    with pytest.raises(FileNotFoundError, match="no file of word vectors"):
        EmbeddingGroups(tmp_path / "nope").check()


def test_the_default_number_of_clusters():
    rng = np.random.default_rng(0)
    words = tuple(f"w{i:04d}" for i in range(1000))
    vocabulary = Vocabulary(words, np.ones(1000), n_documents=9)
    groups = EmbeddingGroups((words, rng.normal(size=(1000, 8)))).build(None, vocabulary)
    assert 30 <= len(groups) <= 40
    assert groups.covered.all()
    again = EmbeddingGroups((words, rng.normal(size=(1000, 8))), seed=1).build(None, vocabulary)
    assert again != groups


def test_no_word_in_common():
    with pytest.raises(
        ValueError, match=r"None of the 1 words of given vectors is in the vocabulary.* such as 'prayer'"
    ):
        EmbeddingGroups((["Moon"], [[1.0]])).build(None, VOCABULARY)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"vectors": 3}, TypeError, "vectors is a int; it must be a file of word vectors"),
        ({"vectors": (["moon"], [[np.nan]])}, ValueError, "NaN"),
        ({"vectors": "v", "weights": "log"}, ValueError, "weights is 'log'"),
        ({"vectors": "v", "clusters": 0}, ValueError, "clusters is 0; it is a whole number from 1"),
        ({"vectors": "v", "neighbours": -1}, ValueError, "neighbours is -1"),
    ],
)
def test_wrong_arguments(options, error, message):
    with pytest.raises(error, match=message):
        EmbeddingGroups(**options)


def test_training_needs_gensim(monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim", None)
    with pytest.raises(ImportError, match=r"needs the package gensim: pip install gensim"):
        EmbeddingGroups().check()


def test_vectors_are_trained_on_the_words_of_the_texts(monkeypatch):
    seen = {}

    def word2vec(texts, **options):
        seen.update(options, texts=texts)
        return SimpleNamespace(wv=SimpleNamespace(index_to_key=WORDS, vectors=matrix()))

    gensim = ModuleType("gensim")
    gensim.models = SimpleNamespace(Word2Vec=word2vec)
    monkeypatch.setitem(sys.modules, "gensim", gensim)
    corpus = Corpus.from_lists(["Moon orbit.", "Soul"])
    groups = EmbeddingGroups(clusters=3, neighbours=0, seed=5).build(corpus, VOCABULARY)
    assert groups.source == "vectors of the training texts"
    assert len(groups) == 3
    assert seen["texts"] == [["moon", "orbit"], ["soul"]]
    assert (seen["seed"], seen["workers"]) == (5, 1)
    with pytest.raises(ValueError, match="no texts to train word vectors on"):
        EmbeddingGroups().build(None, VOCABULARY)


def test_more_clusters_than_vectors_are_cut_and_no_group_comes_twice():
    words, vectors = ["disk", "drive", "moon", "orbit"], [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]]
    with pytest.warns(UserWarning, match="99 clusters were asked for, but 4 words of the vocabulary have a vector"):
        groups = EmbeddingGroups((words, vectors), clusters=99, neighbours=1).build(None, VOCABULARY)
    found = [{VOCABULARY.words[j] for j in groups.members(g)} for g in range(len(groups))]
    assert found == [{"disk", "drive"}, {"moon", "orbit"}]
    assert [name.split(":")[0] for name in groups.names] == ["vectors 1", "vectors 2"]


def test_vectors_that_are_all_zero():
    with pytest.raises(ValueError, match="given vectors: all 9 of words in the vocabulary are zero"):
        EmbeddingGroups((WORDS, np.zeros((9, 3)))).build(None, VOCABULARY)
