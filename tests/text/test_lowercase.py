import pickle
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.text import Tokenizer
from laconic.text.lowercase import LowerTable

DEFAULT = Tokenizer.preset("default-1").lower
CASED = st.text(st.sampled_from("aBΣσςİıIßẞǅÉé你ⅧⓐⒶ𐐀𐐨😀 \ud800'") | st.characters())


def slow(table: LowerTable, text: str) -> str:
    mapping = dict(zip(table.upper, table.lower, strict=True))
    return "".join(mapping.get(c, c) for c in text)


@given(CASED)
def test_text_is_the_table_character_by_character(text):
    assert DEFAULT.text(text) == slow(DEFAULT, text)


def test_every_character_follows_the_table_alone_and_between_others():
    every = [chr(c) for c in range(sys.maxunicode + 1)]
    expected = slow(DEFAULT, "".join(every))
    assert DEFAULT.text("".join(every)) == expected
    assert "".join(map(DEFAULT.text, every)) == expected


@pytest.mark.parametrize(
    ("text", "lowered"),
    [("ΟΔΟΣ ΣΑΣ", "οδοσ σασ"), ("οδος", "οδοσ"), ("İIıi", "iiıi"), ("STRAẞE ß", "straße ß"), ("ǅ𐐀", "ǆ𐐨")],
)
def test_special_letters(text, lowered):
    assert DEFAULT.text(text) == lowered


def test_lowering_twice_changes_nothing():
    assert DEFAULT.text(DEFAULT.lower) == DEFAULT.lower


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table was frozen from Unicode 14")
def test_table_is_the_simple_lower_case_of_unicode_14():
    expected = {chr(c): chr(c).lower() for c in range(sys.maxunicode + 1) if chr(c).lower() != chr(c)}
    expected.update({"İ": "i", "ς": "σ"})
    assert dict(zip(DEFAULT.upper, DEFAULT.lower, strict=True)) == expected


@pytest.mark.parametrize("table", [LowerTable("", ""), LowerTable("AB", "ba"), LowerTable("ZΣÉ", "zΣe")])
@given(text=CASED)
def test_other_tables_are_obeyed_too(table, text):
    assert table.text(text) == slow(table, text)


def test_characters_younger_than_the_table_keep_their_case():
    # a table without É stands for a Python that knows a capital letter the table does not know
    old = LowerTable(DEFAULT.upper.replace("É", ""), DEFAULT.lower.replace("é", ""))
    assert old.text("ÀÉΣ") == "àÉσ"


def test_pickle_has_only_the_table():
    DEFAULT.text("Ü")
    assert pickle.loads(pickle.dumps(DEFAULT)) == DEFAULT
    assert len(pickle.dumps(DEFAULT)) < 12_000


def test_bad_tables():
    with pytest.raises(ValueError, match="1 upper and 2 lower"):
        LowerTable("A", "ab")
    with pytest.raises(ValueError, match="'A' more than once"):
        LowerTable("AA", "ab")
    with pytest.raises(TypeError, match="two strings"):
        LowerTable(["A"], ["a"])
