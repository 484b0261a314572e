"""Brown clusters: the fast kernel against recomputed mutual information, files, and nested groups."""

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.brown import mutual_information
from laconic.data import Corpus
from laconic.groups import BrownGroups, BrownPaths, brown_clusters
from laconic.text import Analyzer, BagOfWords
from tests.groups.planted import lists

TOKENS = Analyzer(None, "tokens")
TIE = 1e-7


def slow(texts, clusters):
    """The same by definition: every pair is merged on trial and the mutual information computed from scratch."""
    flat = [word for text in texts for word in text]
    words = sorted(set(flat), key=lambda word: (-flat.count(word), word))
    P, c = np.zeros((len(words), len(words))), np.array([flat.count(word) for word in words])
    for text in texts:
        for one, other in pairwise(text):
            P[words.index(one), words.index(other)] += 1
    slots, free = [[] for _ in range(clusters + 1)], 0
    for i in range(len(words)):
        slots[free] = [i]
        if i < clusters:
            free = i + 1
        else:
            _, free = merged(slots, P, c)
    paths = {k: "" for k, own in enumerate(slots) if own}
    cluster = {words[i]: k for k, own in enumerate(slots) for i in own}
    pairs = [merged(slots, P, c) for _ in range(len(paths) - 1)]
    for kept, gone in reversed(pairs):
        paths[kept], paths[gone] = paths[kept] + "0", paths[kept] + "1"
    return {word: paths[k] for word, k in cluster.items()}


def merged(slots, P, c):
    """Merge the best pair of slots in place."""
    before, found, least = information(slots, P, c), None, np.inf
    for i in range(len(slots)):
        best, partner = np.inf, None
        for j in range(i):
            if slots[i] and slots[j]:
                trial = [*slots]
                trial[i], trial[j] = [], slots[i] + slots[j]
                loss = before - information(trial, P, c)
                if loss < best - TIE:
                    best, partner = loss, j
        if best < least - TIE:
            least, found = best, (i, partner)
    i, j = found
    kept, gone = (i, j) if neighbours(slots, P, i) > neighbours(slots, P, j) else (j, i)
    slots[kept], slots[gone] = slots[kept] + slots[gone], []
    return kept, gone


def between(slots, P):
    return np.array([[P[np.ix_(a, b)].sum() for b in slots] for a in slots])


def neighbours(slots, P, i):
    n = between(slots, P)
    return np.count_nonzero(n[i]) + np.count_nonzero(n[:, i])


def information(slots, P, c):
    n = between(slots, P)
    count = [c[own].sum() for own in slots]
    expected = np.outer(count, count) / c.sum()
    there = n > 0
    return float(np.sum(n[there] * np.log(n[there] / expected[there])))


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([3, 6, 9]))
def test_it_equals_the_slow_twin(seed, clusters, n_words):
    rng = np.random.default_rng(seed)
    texts = [[f"w{k}" for k in rng.zipf(1.5, rng.integers(1, 25)) % n_words] for _ in range(rng.integers(1, 6))]
    clusters = min(clusters, len({word for text in texts for word in text}))
    found = brown_clusters(texts, clusters, TOKENS)
    expected = slow(texts, clusters)
    assert dict(zip(found.words, found.bits, strict=True)) == expected
    assert len(found.clusters()) == clusters


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_text_loses_the_same_information_as_the_twin(seed):
    rng = np.random.default_rng(seed)
    texts = [[f"w{k}" for k in np.minimum(rng.zipf(1.3, 40), 25)] for _ in range(8)]
    found = brown_clusters(texts, 6, TOKENS)
    mine = mutual_information(texts, dict(zip(found.words, found.bits, strict=True)))
    assert mine == pytest.approx(mutual_information(texts, slow(texts, 6)), rel=1e-12)


def test_mutual_information_by_definition():
    rng = np.random.default_rng(0)
    texts = [[f"w{k}" for k in rng.integers(0, 6, 30)] for _ in range(4)]
    cluster = {f"w{k}": k // 2 for k in range(6)}
    P, c = np.zeros((3, 3)), np.zeros(3)
    for text in texts:
        for one in text:
            c[cluster[one]] += 1 / 120
        for one, other in pairwise(text):
            P[cluster[one], cluster[other]] += 1 / 120
    expected = np.sum(P * np.log(P / np.outer(c, c)))
    assert mutual_information(texts, cluster) == pytest.approx(expected)


def grammar(seed, n_classes=6, size=8, n_texts=150, length=30):
    """A chain of word classes: each class is followed by two others."""
    rng = np.random.default_rng(seed)
    texts = []
    for _ in range(n_texts):
        k, text = int(rng.integers(n_classes)), []
        for _ in range(length):
            text.append(f"{'abcdefgh'[k]}{rng.integers(size)}")
            k = int((k + rng.choice([1, 3])) % n_classes)
        texts.append(text)
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_planted_classes_are_recovered(seed):
    from sklearn.metrics import adjusted_rand_score

    found = brown_clusters(grammar(seed), 6, TOKENS)
    assert adjusted_rand_score([word[0] for word in found.words], found.bits) > 0.95


def test_a_file_comes_back(tmp_path):
    found = brown_clusters(grammar(0), 6, TOKENS)
    found.save(tmp_path / "a.paths")
    read = BrownPaths.read(tmp_path / "a.paths")
    assert (read.bits, read.words, read.counts.tolist()) == (found.bits, found.words, found.counts.tolist())
    read.save(tmp_path / "b.paths")
    assert (tmp_path / "a.paths").read_bytes() == (tmp_path / "b.paths").read_bytes()


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="LACONIC_DATA is not set")
def test_the_clusters_of_bllip_come_back(tmp_path):
    import lzma

    place = Path(os.environ["LACONIC_DATA"], "text", "brown_clusters", "bllip-clusters.txt.xz")
    if not place.is_file():
        pytest.skip(f"{place} is not there")
    BrownPaths.read(place).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == lzma.decompress(place.read_bytes())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("01\tmoon\t3\n01\torbit\n", r"line 2: expected bits, word and count with tabs"),
        ("01 moon 3\n", r"line 1: expected bits, word and count"),
        ("21\tmoon\t3\n", r"line 1: expected bits"),
        ("01\tmoon\tmany\n", r"line 1: expected bits"),
        ("01\tmoon\t9999999999999999999\n", r"line 1: expected bits, word and count"),
        ("01\tmoon\t3\n11\tmoon\t3\n", r"line 2: the word 'moon' stands in line 1 already"),
        ("", "holds no Brown clusters; it is empty"),
    ],
)
def test_malformed_files_name_file_and_line(tmp_path, content, message):
    (tmp_path / "x.paths").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.paths" + ("" if "holds" in message else ", ") + ".*" + message):
        BrownGroups(paths=tmp_path / "x.paths").check()


def built(texts, **options):
    vocabulary = BagOfWords().fit(texts).vocabulary
    return BrownGroups(**options).build(Corpus.from_lists(texts), vocabulary), vocabulary


def words_of(groups, vocabulary):
    return {
        name.split(": ")[0]: {vocabulary.words[j] for j in own}
        for name, own in zip(groups.names, lists(groups), strict=True)
    }


def write_paths(tmp_path, bits):
    BrownPaths(list(bits.values()), list(bits), [1] * len(bits)).save(tmp_path / "x.paths")
    return tmp_path / "x.paths"


BITS = {"dog": "00", "cat": "00", "runs": "010", "sits": "011", "the": "1", "a": "1", "rover": "011"}
TEXTS = ["the dog runs", "a cat sits", "the cat runs"]


def test_one_group_per_node(tmp_path):
    place = write_paths(tmp_path, BITS)
    groups, vocabulary = built(TEXTS, paths=place, singletons=True)
    assert words_of(groups, vocabulary) == {
        "root": {"dog", "cat", "runs", "sits", "the", "a"},
        "cluster 0": {"dog", "cat", "runs", "sits"},
        "cluster 00": {"dog", "cat"},
        "cluster 01": {"runs", "sits"},
        "cluster 010": {"runs"},
        "cluster 011": {"sits"},
        "cluster 1": {"the", "a"},
    }
    assert groups.structure == "tree"
    assert groups.source == f"Brown clusters {place} (1 of 7 words not in the vocabulary)"
    assert set(words_of(*built(TEXTS, paths=place))) == {"root", "cluster 0", "cluster 00", "cluster 01", "cluster 1"}


def test_nodes_that_became_equal_are_one(tmp_path):
    groups, vocabulary = built(TEXTS, paths=write_paths(tmp_path, {"dog": "0000", "cat": "0001", "x": "1"}))
    assert words_of(groups, vocabulary) == {"cluster 000": {"dog", "cat"}}


def test_depth_cuts(tmp_path):
    groups, vocabulary = built(TEXTS, paths=write_paths(tmp_path, BITS), depths=(2, 1))
    assert set(words_of(groups, vocabulary)) == {"cluster 0", "cluster 00", "cluster 01", "cluster 1"}
    assert groups.laminar


def test_clusters_of_the_training_texts_are_a_tree_with_all_nodes():
    texts = [" ".join(text) for text in grammar(1)]
    groups, vocabulary = built(texts, clusters=6, singletons=True)
    assert len(groups) == 11
    assert groups.structure == "tree"
    assert len(groups.members(0)) == len(vocabulary)


def test_more_clusters_than_words_are_cut_with_a_warning():
    with pytest.warns(UserWarning, match="1000 Brown clusters were asked for, but there are 6 different words"):
        groups, _ = built(TEXTS)
    assert len(groups) == 5  # six leaves of one word are left to λ₁


def test_a_path_longer_than_a_hierarchy_can_have_is_refused(tmp_path):
    chain = {f"w{i}": "1" * i + "0" for i in range(400)}
    assert BrownGroups(paths=write_paths(tmp_path, chain)).cluster(None).bits[-1] == "1" * 399 + "0"
    with pytest.raises(ValueError, match="has a path of 100000 bits, but 2 clusters"):
        BrownGroups(paths=write_paths(tmp_path, {"moon": "0" * 100_000, "orbit": "1"})).check()


def test_rare_words_are_left_out():
    found = brown_clusters(["a a b b c", "a b d"], 2, min_count=2)
    assert sorted(found.words) == ["a", "b"]


def test_no_groups_say_why(tmp_path):
    with pytest.raises(ValueError, match=r"no groups: of the 1 words .*, 0 are in the vocabulary"):
        built(TEXTS, paths=write_paths(tmp_path, {"rover": "0"}))
    with pytest.raises(ValueError, match="no word to be clustered"):
        brown_clusters(["", " "], 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": 0}, "clusters is 0"),
        ({"depths": ()}, "depths is"),
        ({"depths": (-1,)}, "A depth is -1"),
        ({"paths": "a", "texts": ["b"]}, "give one of them"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        BrownGroups(**options)
    with pytest.raises(ValueError, match="clusters is 20001; at most 20000"):
        brown_clusters([" ".join(f"w{i}" for i in range(20_001))], 20_001)
