"""Planted corpora: the truth that comes with them is true."""

import re
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data import planted, planted_stream


def words_of(text):
    return re.findall(r"[a-z]+", text.lower())


@settings(max_examples=25, deadline=None)
@given(
    n_documents=st.integers(1, 40),
    n_classes=st.integers(2, 6),
    n_sentences=st.integers(1, 6),
    telling=st.integers(1, 6),
    clusters_per_class=st.integers(1, 3),
    cluster_words=st.integers(1, 4),
    seed=st.integers(0, 2**32),
)
def test_truth(n_documents, n_classes, n_sentences, telling, clusters_per_class, cluster_words, seed):
    telling = min(telling, n_sentences)
    made = planted(
        n_documents,
        n_classes,
        n_words=100,
        n_sentences=n_sentences,
        telling=telling,
        clusters_per_class=clusters_per_class,
        cluster_words=cluster_words,
        seed=seed,
    )
    assert len(made.clusters) == n_classes * clusters_per_class
    assert len({word for cluster in made.clusters for word in cluster}) == len(made.clusters) * cluster_words
    assert sum(made.words.values(), ()) == sum(made.clusters, ())
    owner = {word: label for label, words in made.words.items() for word in words}
    cluster_of = {word: i for i, cluster in enumerate(made.clusters) for word in cluster}
    assert len(made.corpus) == len(made.telling) == n_documents
    for document, places in zip(made.corpus, made.telling, strict=True):
        assert document.text == " ".join(document.sentences)
        assert len(document.sentences) == n_sentences
        assert len(places) == telling
        for i, sentence in enumerate(document.sentences):
            assert re.fullmatch(r"[A-Z][a-z]*( [a-z]+)*\.", sentence)
            assert 5 <= len(words_of(sentence)) <= 12
            found = [word for word in words_of(sentence) if word in owner]
            assert bool(found) == (i in places)
            assert {owner[word] for word in found} <= {document.label}
            assert len({cluster_of[word] for word in found}) <= 1


def test_balanced_over_blocks():
    counts = Counter(document.label for document in planted_stream(2500, 7, n_sentences=1, telling=1))
    assert sorted(counts) == [f"c{k}" for k in range(1, 8)]
    assert max(counts.values()) - min(counts.values()) <= 1


def test_class_names_sort_in_order():
    assert list(planted(12, 12).corpus.classes) == list(planted(12, 12).words)


def test_stream_is_the_same_corpus():
    made = planted(1500, 3, n_sentences=2, telling=1, seed=5)
    assert list(planted_stream(1500, 3, n_sentences=2, telling=1, seed=5)) == list(made.corpus)


def test_seeded():
    one, same, other = (planted(20, seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert one.corpus.texts != other.corpus.texts
    assert one.clusters != other.clusters


def test_frequencies_fall_like_zipf():
    made = planted(2000, n_words=500)
    counts = Counter(word for text in made.corpus.texts for word in words_of(text))
    telling = {word for cluster in made.clusters for word in cluster}
    filler = sorted((count for word, count in counts.items() if word not in telling), reverse=True)
    assert filler[0] / filler[30] == pytest.approx(33.7 / 3.7, rel=0.15)
    assert len(counts) == 500


def test_large_vocabulary_has_no_word_twice():
    words = {word for text in planted(3000, n_words=20_000).corpus.texts for word in words_of(text)}
    assert 10_000 < len(words) <= 20_000


def test_stream_takes_constant_memory():
    list(planted_stream(10))
    tracemalloc.start()
    count = sum(1 for _ in planted_stream(20_000, n_sentences=5))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 10e6  # all of it would be more than 40 MB


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_documents": 0}, "n_documents must be a whole number of at least 1, got 0"),
        ({"n_classes": 1}, "n_classes must be a whole number of at least 2, got 1"),
        ({"n_documents": 2.5}, "n_documents must be a whole number"),
        ({"telling": True}, "telling must be a whole number"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"telling": 11}, "telling must be at most n_sentences = 10, got 11"),
        ({"n_words": 30}, "n_words must be more than the 30 telling words"),
        ({"n_words": 10**6}, "and at most 427500, got 1000000"),
    ],
)
def test_bad_parameters(arguments, message):
    for door in (planted, planted_stream):
        with pytest.raises(ValueError, match=message):
            door(**arguments)


def test_a_short_repr():
    assert repr(planted(20)) == "Planted(corpus=Corpus('planted 20 x 2, seed 0', 20 documents, 2 classes))"
