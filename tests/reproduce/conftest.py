"""Planted documents in place of every known data set."""

import pytest

from laconic.data import planted
from laconic.data.splits import Splits
from laconic.reproduce import tasks


@pytest.fixture
def planted_sets(monkeypatch):
    """Let every task be the same small planted corpus, with trees of two constituents."""
    made = planted(90, n_words=200, n_sentences=6, telling=2, seed=3).corpus
    parts = [made.subset(range(50)), made.subset(range(50, 70)), made.subset(range(70, 90))]
    splits = Splits(*parts)
    monkeypatch.setattr(tasks, "load", lambda name, data_dir=None: splits)
    for cached in (tasks._loaded, tasks.design_of, tasks.matrices):
        cached.cache_clear()
    yield splits
    for cached in (tasks._loaded, tasks.design_of, tasks.matrices):
        cached.cache_clear()
