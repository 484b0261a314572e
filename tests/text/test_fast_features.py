"""The short way gives the tokens of the long way."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from laconic.text import Analyzer, Tokenizer
from laconic.text.fast_features import _byte_table, fast_features
from laconic.text.rules import RegexRule
from laconic.text.tokenizer import LowerTable

LATIN = st.text(st.characters(max_codepoint=0xFF) | st.sampled_from("a'B é´`"), max_size=40)
MARKED = st.lists(
    st.sampled_from(("a", "B", " ", "&", "amp;", "&#8217;", "&eacute;", "<br>", "www.", "http://", ".", "’"))
)
ANY = st.text(st.sampled_from("aB '’_\u200dΣİ東😀\ud800") | st.characters(), max_size=40)
ANALYZERS = [Analyzer(), Analyzer(ngrams=(1, 3)), Analyzer(strip_mail=True), Analyzer(ngrams=(2, 2), strip_mail=True)]
ANALYZERS += [Analyzer(Tokenizer.preset("default-1"))]
DEFAULT = Tokenizer.preset("default")
SPACE_IN_WORDS = RegexRule(DEFAULT.rule.pattern, (*DEFAULT.rule.classes[1:], ("w", ((32, 122),))))


@pytest.mark.parametrize("analyzer", ANALYZERS)
@settings(max_examples=300)
@given(text=LATIN | ANY | MARKED.map("".join))
@example("'a' 'b'''c''''d' e'")
@example("a'b'c''d ' ' '")
@example("Subject: x\n\n> quoted\nDon't")
def test_features_are_the_analyzers(analyzer, text):
    assert fast_features(analyzer)(text) == analyzer.features(text)


def test_every_latin_character_between_letters_and_alone():
    short = fast_features(Analyzer())
    for code in range(0x100):
        for text in (chr(code), f"a{chr(code)}b", f"a{chr(code)}{chr(code)}b", f"'{chr(code)}'"):
            assert short(text) == Analyzer().features(text), (code, text)


def test_the_default_tokenizer_has_the_short_way():
    assert _byte_table(DEFAULT) is not None
    assert _byte_table(Tokenizer.preset("default-1")) is not None


@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(Tokenizer.preset("wnut2018")),
        Analyzer(kind="char"),
        Analyzer(kind="tokens"),
        Analyzer(str.split),
        Analyzer(Tokenizer(RegexRule("[{w}]+", (("w", ((97, 122),)),)), DEFAULT.lower)),
        Analyzer(Tokenizer(DEFAULT.rule, LowerTable("A", "Ā"))),
        Analyzer(Tokenizer(SPACE_IN_WORDS, DEFAULT.lower)),
    ],
)
def test_other_rules_take_the_long_way(analyzer):
    assert fast_features(analyzer) == analyzer.features


def test_a_table_that_keeps_the_case_is_followed():
    analyzer = Analyzer(Tokenizer(DEFAULT.rule, LowerTable("", "")))
    assert fast_features(analyzer)("Don't É") == analyzer.features("Don't É") == ["Don't", "É"]
