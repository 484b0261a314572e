"""Explanations of tags add up to the scores, and transitions are those of the model."""

import numpy as np
import pytest

from laconic import SequenceTagger
from tests.structured.planted import planted_sentences


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(["word[0]", "pos[-1..0]"], passes=2).fit(*planted_sentences(80))


@pytest.fixture(scope="module")
def short():
    sentences, _ = planted_sentences(60, seed=8)
    return sentences.take(np.flatnonzero(sentences.lengths <= 5)[:8])


def test_reasons_add_up(tagger, short):
    scores = tagger.to_scorer().scores(short[:1])
    sentence = short[0]
    tags = tagger.predict([sentence])[0]
    explained = tagger.explain(sentence)
    assert [one.tag for one in explained] == tags
    assert [one.token for one in explained] == sentence["word"]
    for i, one in enumerate(explained):
        mine, other = tagger.labels_.index(one.tag), tagger.labels_.index(one.runner_up)
        assert sum(reason.weight for reason in one.reasons) == pytest.approx(scores[i, mine], abs=1e-4)
        assert sum(reason.against for reason in one.reasons) == pytest.approx(scores[i, other], abs=1e-4)
        assert one.margin > 0
    assert tagger.explain({"word": [], "pos": []}) == []


def test_transitions(tagger):
    table = tagger.transitions_
    assert set(table) == {*tagger.labels_, "⊥"}
    assert table["⊥"]["I-NP"] == pytest.approx(float(tagger.model_.transitions[-1][tagger.labels_.index("I-NP")]))
