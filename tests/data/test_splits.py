"""Splits: three corpora by name."""

from laconic.data import Corpus, Splits


def test_order():
    parts = [Corpus.from_lists([text], name=text) for text in ("a", "b", "c")]
    splits = Splits(*parts)
    assert [(name, corpus.name) for name, corpus in splits] == [("train", "a"), ("dev", "b"), ("test", "c")]
