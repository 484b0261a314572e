"""UAS and LAS of hand-made trees."""

import numpy as np
import pytest

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.scores import is_punctuation, plain_relation, score_trees

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
