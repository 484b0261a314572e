"""A tagger on the real CoNLL-2000, where it is there."""

import os
from pathlib import Path

import pytest

from laconic import SequenceTagger
from laconic.data.annotated.tagged_files import read_tagged

pytestmark = pytest.mark.skipif(
    "LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets to run this"
)


def test_three_passes_of_the_perceptron():
    folder = Path(os.environ["LACONIC_DATA"], "structured", "conll2000")
    train, tags, scheme = read_tagged(folder / "train.conll.xz")
    assert (len(train), train.n_tokens, scheme) == (8936, 211727, "as-is")
    assert len({tag for one in tags for tag in one}) == 22
    tagger = SequenceTagger("crfsuite", loss="perceptron", passes=3).fit(train, tags)
    test, truth, _ = read_tagged(folder / "test.conll.xz")
    assert tagger.score(test, truth) > 0.93
    assert tagger.to_scorer().predict(test) == tagger.predict(test)
