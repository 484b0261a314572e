import numpy as np
import pytest

from laconic.data import Corpus
from laconic.groups import LDAGroups
from laconic.text import BagOfWords
from tests.groups.planted import agreement, lists, topical


@pytest.mark.parametrize(("engine", "least"), [("tomotopy", 0.95), ("sklearn", 0.7)])
def test_planted_topics_are_recovered(engine, least):
    found = []
    for seed in range(4):
        corpus, vocabulary, truth = topical(seed, purity=0.95)
        # One topic more than there are: with as many, a sampler may join two for good.
        groups = LDAGroups(topics=6, size=12, iterations=50, engine=engine, seed=seed).build(corpus, vocabulary)
        found.append(agreement(groups, truth))
    assert np.mean(found) > least


def test_mass_takes_the_fewest_words_that_have_it():
    corpus, vocabulary, _ = topical()
    small, large = (LDAGroups(topics=5, mass=mass, seed=1).build(corpus, vocabulary) for mass in (0.2, 0.6))
    whole = LDAGroups(topics=5, size=1000, seed=1).build(corpus, vocabulary)
    for one, other, every in zip(lists(small), lists(large), lists(whole), strict=True):
        assert set(one) < set(other) < set(every)
    # The most probable of 12 equally likely words has about a twelfth of 0.9: three of them have a fifth.
    assert set(small.sizes.tolist()) <= {2, 3}


def test_the_same_seed_gives_the_same_groups():
    corpus, vocabulary, _ = topical()
    first, second, other = (LDAGroups(topics=20, iterations=5, seed=s).build(corpus, vocabulary) for s in (0, 0, 1))
    assert first == second
    assert first != other


def test_a_topic_holds_only_its_own_words():
    texts = ["moon orbit"] * 30 + ["disk drive"] * 30
    vocabulary = BagOfWords().fit(texts).vocabulary
    groups = LDAGroups(topics=2, size=10).build(Corpus.from_lists(texts), vocabulary)
    assert sorted(lists(groups)) == [[0, 1], [2, 3]]
    assert sorted(name.split(": ")[0] for name in groups.names) == ["topic 1", "topic 2"]
    assert groups.weights.tolist() == pytest.approx([2**0.5] * 2)
    assert groups.source == "2 LDA topics of the training texts"


def test_more_topics_than_words_are_cut_with_a_warning():
    texts = ["moon orbit", "disk drive"]
    with pytest.warns(UserWarning, match="1000 topics were asked for, but the training texts have 4 different words"):
        groups = LDAGroups().build(Corpus.from_lists(texts), BagOfWords().fit(texts).vocabulary)
    assert len(groups) <= 4
    assert np.all(groups.covered)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": 0}, "topics is 0; it is a whole number from 1"),
        ({"size": 1.5}, "size is 1.5"),
        ({"iterations": True}, "iterations is True"),
        ({"mass": 1.0}, "mass is 1.0; it is a probability"),
        ({"engine": "gensim"}, "engine is 'gensim'; allowed are 'tomotopy', 'sklearn'"),
        ({"weights": "log"}, "weights is 'log'"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        LDAGroups(**options)


def test_without_tomotopy_the_way_out_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tomotopy", None)
    with pytest.raises(ImportError, match=r"pip install tomotopy.*lda:sklearn"):
        LDAGroups().check()
    LDAGroups(engine="sklearn").check()
