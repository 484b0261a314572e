"""Settings: the one place for defaults, allowed values and help; estimators take their constructors from them."""

import inspect
import re
from dataclasses import fields

import pytest

from laconic.structured import DependencyParser, SequenceTagger
from laconic.structured.settings import ParserSettings, TaggerSettings

OF_TAGGERS = {"damping", "strength", "min_count", "keep", "token_costs"}
OF_PARSERS = {"projective", "single_root", "relations"}
BOTH = [(TaggerSettings, SequenceTagger), (ParserSettings, DependencyParser)]


@pytest.mark.parametrize(("settings", "estimator"), BOTH)
def test_constructors_are_those_of_the_settings(settings, estimator):
    offered = {one.name: one.default for one in fields(settings) if one.init}
    assert estimator().get_params() == offered
    parameters = list(inspect.signature(estimator).parameters.values())
    assert [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD] == ["templates", "budget", "loss"]
    for name in offered:
        assert f"{name} :" in estimator.__doc__ or f"{name}," in estimator.__doc__ or f"{name}\n" in estimator.__doc__


@pytest.mark.parametrize("settings", [TaggerSettings, ParserSettings])
def test_what_is_offered_has_a_sentence_and_allows_its_default(settings):
    for one in fields(settings):
        if one.init:
            assert one.metadata["help"].endswith(".")
            assert not one.metadata["among"] or one.default in one.metadata["among"]


def test_a_parser_fixes_what_only_taggers_offer():
    tagger, parser = ({one.name for one in fields(kind) if one.init} for kind in (TaggerSettings, ParserSettings))
    assert (tagger - parser, parser - tagger) == (OF_TAGGERS, OF_PARSERS)
    with pytest.raises(TypeError, match="damping"):
        DependencyParser(damping=1.0)


@pytest.mark.parametrize(
    ("settings", "given", "message"),
    [
        (TaggerSettings, {"passes": 0}, "passes is 0; it must be a whole number from 1."),
        (TaggerSettings, {"passes": True}, "passes is True; it must be a whole number from 1."),
        (TaggerSettings, {"loss": {}}, "loss is {}; it must be one of crf, "),
        (TaggerSettings, {"cap": 0, "loss": "mira"}, "cap is 0; it must be above 0, or None for no limit."),
        (TaggerSettings, {"l2": float("nan")}, "l2 is nan; it must be a number from 0."),
        (
            ParserSettings,
            {"selection": "labels"},
            "selection is 'labels'; it must be one of group-lasso, coarse-to-fine, lasso, information-gain.",
        ),
        (
            ParserSettings,
            {"optimizer": "lbfgs", "loss": "crf"},
            "optimizer is 'lbfgs'; it must be one of adagrad, sgd.",
        ),
        (ParserSettings, {"refit": "frozen", "loss": "crf"}, "refit is 'frozen', which the loss 'crf' does not offer"),
        (ParserSettings, {"refit": "frozen", "selection": "information-gain"}, "leaves templates and no features"),
    ],
)
def test_values_that_are_refused(settings, given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        settings(**given)


def test_estimators_are_checked_in_fit_only():
    tagger = SequenceTagger(passes=0)
    with pytest.raises(ValueError, match="passes is 0"):
        tagger.fit([["a"]], [["O"]])
    assert SequenceTagger(["word[0]"]).set_params(passes=1).fit([["a"]], [["O"]]).labels_ == ("O",)
