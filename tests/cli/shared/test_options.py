"""Allowed values and settings are written once, where they are owned; the command line reads them from there."""

import click
import pytest

from laconic.cli.app import app
from laconic.cli.shared.options import DocumentFrequency, HowMany, Ngrams
from laconic.core.calibration import KINDS
from laconic.evaluate.metrics.scores import METRICS
from laconic.evaluate.tuning.candidates import RULES
from laconic.models.search.recipe import METHODS
from laconic.structured.settings import ParserSettings, TaggerSettings
from laconic.text.design import CELLS
from laconic.text.tokenizer import PRESETS


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


def parameters(*names):
    command = app
    for name in names:
        command = command.get_command(click.Context(command), name)
    return {parameter.name: parameter for parameter in command.params}


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("methods", METHODS),
        ("metric", METRICS),
        ("rule", ("sparse", *RULES)),
        ("cells", CELLS),
        ("tokenizer", PRESETS),
        ("calibrate", KINDS[:2]),
    ],
)
def test_values_of_fit_are_those_of_their_owners(option, values):
    assert tuple(parameters("fit")[option].type.choices) == tuple(values)


@pytest.mark.parametrize(("command", "settings"), [("tag", TaggerSettings), ("parse", ParserSettings)])
def test_settings_become_options_with_their_defaults_values_and_help(command, settings):
    options = parameters(command, "fit")
    fields = settings.__dataclass_fields__
    shared = set(options) & set(fields) - {"templates"}
    assert len(shared) >= 15
    for name in shared:
        assert options[name].default == fields[name].default or (name, fields[name].default) == ("projective", False)
        assert options[name].help == fields[name].metadata["help"]
        if fields[name].metadata["among"]:
            assert tuple(options[name].type.choices) == fields[name].metadata["among"]
    assert options["templates"].default == [fields["templates"].default]


@pytest.mark.parametrize("value", ["0", "-3"])
def test_bounds_of_settings_are_usage_mistakes(run, value):
    assert run("tag", "fit", "train.conll", "--passes", value).code == 2


def every_option(command):
    for name in command.list_commands(click.Context(command)):
        inner = command.get_command(click.Context(command), name)
        if isinstance(inner, click.Group):
            yield from every_option(inner)
        yield from (option for option in inner.params if isinstance(option, click.Option))


def test_every_help_text_is_a_sentence():
    texts = [option.help for option in every_option(app)]
    assert len(texts) > 150
    assert not [text for text in texts if not text or not (text[0].isupper() or text[0] == "λ")]
    assert not [text for text in texts if text.startswith("Of ") or not text.endswith((".", ").", "…"))]
