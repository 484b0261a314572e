"""Computed columns."""

import pytest

from laconic.structured.templates.views import shape, view


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("Confidence", "Aa"),
        ("2,664,098", "0,0+,0+"),
        ("7", "0"),
        ("", ""),
        ("...", "."),
        ("İstanbul", "Aa"),
        ("東京", "a"),
    ],
)
def test_shape(word, made):
    assert shape(word) == made


def test_a_view_of_another_column():
    source, function = view("prefix2(lemma)")
    assert (source, function("house")) == ("lemma", "ho")


def test_unknown_views_are_refused():
    with pytest.raises(ValueError, match="There is no 'colour\\(word\\)'"):
        view("colour(word)")
