"""Columns that stand in for others."""

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.tree_columns import fill_columns, stand_ins


def test_blank_and_lacking_columns_are_replaced():
    given = Sentences.of([[{"word": "Singing", "pos": "VERB", "lemma": "_"}]])
    assert stand_ins(given, ["word", "pos", "xpos", "lemma"]) == ("xpos", "lemma")
    filled = fill_columns(given, ("xpos", "lemma")).columns
    assert (filled["xpos"], filled["lemma"]) == (["VERB"], ["singi"])
