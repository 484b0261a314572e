"""Span scores against seqeval."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.annotated.sentences import Sentences
from laconic.structured.scores import is_punctuation, plain_relation, score_tags, score_trees

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


SENTENCES = Sentences.of(
    [
        [
            {"word": "We", "pos": "PRON"},
            {"word": "sang", "pos": "VERB"},
            {"word": "$", "pos": "SYM"},
            {"word": "...", "pos": "PUNCT"},
        ],
        [{"word": "Stop", "pos": "VERB"}, {"word": "(", "pos": "X"}],
    ]
)
TRUE = np.array([2, 0, 2, 2, 0, 1])
NAMES = ["nsubj:pass", "root", "obj", "punct", "root", "punct"]


def test_heads_and_relations():
    found = score_trees(
        SENTENCES, TRUE, np.array([2, 0, 1, 1, 0, 1]), NAMES, ["nsubj", "root", "obj", "punct", "dep", "p"]
    )
    # heads: all but $ and …; relations of the right ones: subtype does not count, Stop and ( are wrong
    assert (found.all.tokens, found.all.right_heads, found.all.right_arcs) == (6, 4, 2)
    # … and ( are punctuation characters, $ is none
    assert (found.words.tokens, found.words.right_heads, found.words.right_arcs) == (4, 3, 2)
    # only … is tagged PUNCT
    assert (found.ud_words.tokens, found.ud_words.right_heads, found.ud_words.right_arcs) == (5, 4, 2)
    assert found.complete == 0.5
    assert found.to_dict()["without punctuation"] == {"tokens": 4, "uas": 0.75, "las": 0.5}


def test_without_relations():
    found = score_trees(SENTENCES, TRUE, TRUE)
    assert (found.all.uas, found.all.las, found.complete) == (1.0, None, 1.0)


def test_nothing_to_count():
    found = score_trees(Sentences.of([[]]), TRUE[:0], TRUE[:0])
    assert (found.all.uas, found.sentences) == (0.0, 1)


def test_lengths_that_do_not_fit():
    with pytest.raises(ValueError, match="6 true heads and 2 predicted ones"):
        score_trees(SENTENCES, TRUE, TRUE[:2])


def test_punctuation_and_subtypes():
    assert [is_punctuation(word) for word in (",", "...", "»", "$", "U.S.")] == [True, True, True, False, False]
    assert [plain_relation(name) for name in ("nsubj:pass", ":", "subj")] == ["nsubj", ":", "subj"]
