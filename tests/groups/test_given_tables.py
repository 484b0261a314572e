"""Groups from a column of a table: files, frames, rows."""

import pandas as pd
import polars as pl
import pytest

from laconic.groups import GivenGroups
from laconic.text import BagOfWords

ROWS = [
    {"word": "moon", "field": "space", "rank": 1},
    {"word": "orbit", "field": "space", "rank": 2},
    {"word": "rover", "field": "space", "rank": 2},
    {"word": "moon", "field": "poems", "rank": 1},
    {"word": "lamp", "field": None, "rank": 2},
]
VOCABULARY = BagOfWords().fit(["moon orbit lamp"]).vocabulary


@pytest.mark.parametrize("make", [list, pd.DataFrame, pl.DataFrame], ids=["rows", "pandas", "polars"])
def test_tables_in_memory(make):
    groups = GivenGroups(make(ROWS), column="field").build(None, VOCABULARY)
    assert dict(
        zip(groups.names, ([VOCABULARY.words[j] for j in groups.members(g)] for g in range(2)), strict=True)
    ) == {
        "space": ["moon", "orbit"],
        "poems": ["moon"],
    }
    assert groups.source == "given groups (1 of 4 words not in the vocabulary)"
    assert list(GivenGroups(make(ROWS), column="rank").read()) == ["1", "2"]


def test_a_file(tmp_path):
    place = tmp_path / "lexicon.csv"
    pd.DataFrame(ROWS).to_csv(place, index=False)
    groups = GivenGroups(place, column="field").build(None, VOCABULARY)
    assert groups.names == ("space", "poems")
    assert str(place) in groups.source
    renamed = pd.DataFrame(ROWS).rename(columns={"word": "term"})
    assert GivenGroups(renamed, column="field", words="term").build(None, VOCABULARY) == groups


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, {"column": "fields"}, "has no column 'fields'; its columns are 'field', 'rank', 'word'"),
        (ROWS, {"column": "field", "words": "term"}, "has no column 'term'"),
        ([{"word": 3, "field": "x"}], {"column": "field"}, r"item 1: the word \(column 'word'\) is 3"),
        ([{"word": "a", "field": ""}], {"column": "field"}, "no row has a group"),
    ],
)
def test_mistakes(rows, options, message):
    with pytest.raises(ValueError, match=message):
        GivenGroups(rows, **options).check()


def test_a_table_needs_its_column():
    with pytest.raises(TypeError, match="name the column of its groups by column="):
        GivenGroups(ROWS)
