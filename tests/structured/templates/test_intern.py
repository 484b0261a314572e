"""Computed columns."""

import pytest

from laconic.structured.templates.intern import case, digit, punct, shape, view


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("Confidence", "Aa"),
        ("2,664,098", "0,0+,0+"),
        ("AT&T", "A&A"),
        ("U.S.", "A.A."),
        ("7", "0"),
        ("", ""),
        ("...", "."),
        ("İstanbul", "Aa"),
        ("東京", "a"),
    ],
)
def test_shape(word, made):
    assert shape(word) == made


def test_shares_and_capitals():
    assert [case(word) for word in ("house", "House", "EU", "McDonald", "42")] == [
        *("lower", "title", "upper", "mixed", "none")
    ]
    assert [punct(word) for word in ("--", "U.S.", "house")] == ["all", "some", "none"]
    assert [digit(word) for word in ("1990", "1990s", "house")] == ["all", "some", "none"]
    assert view("chapter") == ("chapter", None)


def test_a_view_of_another_column():
    source, function = view("prefix2(lemma)")
    assert (source, function("house")) == ("lemma", "ho")


def test_unknown_views_are_refused():
    with pytest.raises(ValueError, match="There is no 'colour\\(word\\)'"):
        view("colour(word)")
