"""Planted documents in place of every known data set."""

from typing import NamedTuple

import pytest

from laconic.data import planted
from laconic.data.corpus import Splits
from papers import tasks
from papers.__main__ import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd, monkeypatch, tmp_path):
    """Call ``python -m papers`` in a folder of its own and return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LACONIC_DATA", raising=False)
    tasks._loaded.cache_clear()  # what another test may have read

    def call(*arguments):
        capfd.readouterr()
        return Result(main([str(argument) for argument in arguments]), *capfd.readouterr())

    return call


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
