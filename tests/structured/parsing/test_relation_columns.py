"""Columns that a tree gives."""

import numpy as np

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.relation_columns import with_heads
from laconic.structured.parsing.tree_columns import fill_columns


def test_words_see_their_heads_and_what_hangs_on_them():
    given = Sentences.of([[{"word": "We", "pos": "P"}, {"word": "sang", "pos": "V"}]])
    found = with_heads(fill_columns(given, ("xpos", "lemma", "feats")), np.array([2, 0])).columns
    assert (found["head_word"], found["side"], found["first_xpos"]) == (["sang", "⊤"], ["left", "right"], ["⊥", "P"])
