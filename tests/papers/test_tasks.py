"""Tasks: both readings of vote, resplits, stripped headers."""

import os

import pytest

from laconic.data import planted
from laconic.data.corpus import Splits
from papers import tasks


@pytest.fixture
def splits():
    made = planted(60, seed=1).corpus
    return Splits(made.subset(range(40)), made.subset(range(40, 50)), made.subset(range(50, 60)))


def test_resplits_share_all_documents_out_anew(splits):
    once, other = tasks.resplit(splits, "movie", 1), tasks.resplit(splits, "movie", 2)
    assert tasks.resplit(splits, "movie", 1) == once
    for made in (once, other):
        for (_, before), (_, after) in zip(splits, made, strict=True):
            assert after.class_counts() == before.class_counts()
        ids = [one for _, corpus in made for one in corpus.ids]
        assert sorted(ids) == sorted(one for _, corpus in splits for one in corpus.ids)
        assert made.test.sentences is not None
    assert set(once.test.ids) != set(other.test.ids) != set(splits.test.ids)


def test_unknown_tasks():
    for name in ("chess", "science peeled", "movie #x"):
        with pytest.raises(ValueError, match="There is no task"):
            tasks.splits_of(name)


def test_matrices_share_the_training_vocabulary(planted_sets):
    found = tasks.matrices("science", None, tasks.View("binary"))
    assert {X.shape[1] for X, _ in found.values()} == {len(tasks.design_of("science").vocabulary)}
    assert set(found["train"][0].data) == {1.0}


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets")
def test_real_tasks():
    vote, segments = tasks.splits_of("vote"), tasks.splits_of("vote segments")
    assert [len(corpus) for _, corpus in vote] == [1175, 257, 860]
    assert [len(corpus) for _, corpus in segments] == [2740, 257, 860]
    debates = tasks.debates_of("vote")
    assert len(debates) == 1175 + 257
    assert not set(debates[:1175]) & set(debates[1175:])
    assert tasks.debates_of("movie") is None
    whole, stripped = (tasks.design_of(task).vocabulary for task in ("religion", "religion stripped"))
    assert len(stripped) < len(whole) == 18_822
    often, left = (one.document_frequency[one.index["nntp-posting-host"]] for one in (whole, stripped))
    assert often > 100 > 10 > left  # a few posts quote headers in their text
    assert [len(corpus) for _, corpus in tasks.splits_of("books #3")] == [1440, 360, 200]
