"""Span scores against seqeval."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.structured.tagging.scores import score_tags

tag = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])
pair = st.integers(0, 6).flatmap(lambda n: st.tuples(*[st.lists(tag, min_size=n, max_size=n)] * 2))


@given(st.lists(pair, min_size=1, max_size=5))
def test_scores_are_those_of_seqeval(pairs):
    metrics = pytest.importorskip("seqeval.metrics")
    true, given_tags = [list(one) for one in zip(*pairs, strict=True)]
    scores = score_tags(true, given_tags)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert scores.overall.precision == pytest.approx(metrics.precision_score(true, given_tags, zero_division=0))
        assert scores.overall.recall == pytest.approx(metrics.recall_score(true, given_tags, zero_division=0))
        assert scores.overall.f1 == pytest.approx(metrics.f1_score(true, given_tags, zero_division=0))
        if scores.tokens:
            assert scores.accuracy == pytest.approx(metrics.accuracy_score(true, given_tags))


def test_per_type():
    scores = score_tags([["B-X", "B-Y", "O"]], [["B-X", "B-X", "B-Y"]])
    assert scores.types["X"].precision == 0.5
    assert scores.types["Y"].f1 == 0.0
    assert scores.to_dict()["types"]["X"]["recall"] == 1.0


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="Sentence 0 has 2 true tags and 1"):
        score_tags([["O", "O"]], [["O"]])
    with pytest.raises(ValueError, match="1 sentences"):
        score_tags([["O"]], [])


def test_tags_that_mark_no_spans_are_counted_token_by_token():
    scores = score_tags([["DT", "NN", "NN"], ["NN"]], [["DT", "NN", "VB"], ["NN"]])
    assert scores.overall.f1 == scores.accuracy == 0.75
    assert (scores.types["NN"].precision, scores.types["NN"].recall) == (1.0, 2 / 3)
    assert set(scores.types) == {"DT", "NN", "VB"}
