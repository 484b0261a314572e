"""Columns that stand in for others."""

import numpy as np

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.extraction import fill_columns, stand_ins, with_heads


def test_blank_and_lacking_columns_are_replaced():
    given = Sentences.of([[{"word": "Singing", "pos": "VERB", "lemma": "_"}]])
    assert stand_ins(given, ["word", "pos", "xpos", "lemma"]) == ("xpos", "lemma")
    filled = fill_columns(given, ("xpos", "lemma")).columns
    assert (filled["xpos"], filled["lemma"]) == (["VERB"], ["singi"])


def test_words_see_their_heads_and_what_hangs_on_them():
    given = Sentences.of([[{"word": "We", "pos": "P"}, {"word": "sang", "pos": "V"}]])
    found = with_heads(fill_columns(given, ("xpos", "lemma", "feats")), np.array([2, 0])).columns
    assert (found["head_word"], found["side"], found["first_xpos"]) == (["sang", "⊤"], ["left", "right"], ["⊥", "P"])
