import click
import pytest

from laconic.cli.shared.types import DocumentFrequency, HowMany, Ngrams


@pytest.mark.parametrize(("text", "value"), [("1", (1, 1)), ("3", (1, 3)), ("2-4", (2, 4))])
def test_ngrams(text, value):
    assert Ngrams().convert(text, None, None) == value
    assert Ngrams().convert(value, None, None) == value


@pytest.mark.parametrize("text", ["0", "3-2", "a", "1-", "-2", "1.5"])
def test_no_ngrams(text):
    with pytest.raises(click.BadParameter, match="range of n-grams"):
        Ngrams().convert(text, None, None)


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("12", 12), ("0.5", 0.5), ("1.0", 1.0), ("1e-3", 1e-3)])
def test_document_frequency(text, value):
    found = DocumentFrequency().convert(text, None, None)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "nan"])
def test_no_document_frequency(text):
    with pytest.raises(click.BadParameter, match="neither a number"):
        DocumentFrequency().convert(text, None, None)


def test_how_many():
    assert HowMany().convert("12", None, None) == HowMany().convert(12, None, None) == 12


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "reviews.laconic"])
def test_not_how_many(text):
    with pytest.raises(click.BadParameter, match="is not a number from 1; the option alone goes behind"):
        HowMany().convert(text, None, None)
