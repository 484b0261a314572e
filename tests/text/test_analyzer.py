"""The short way gives the tokens of the long way."""

import json
import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from laconic.text import Analyzer, Tokenizer
from laconic.text.analyzer import (
    NOT_FOUND,
    _byte_table,
    char_ngram_spans,
    char_ngrams,
    char_wb_ngram_spans,
    char_wb_ngrams,
    fast_features,
    word_ngram_spans,
    word_ngrams,
)
from laconic.text.rules import RegexRule
from laconic.text.tokenizer import LowerTable

TEXTS = st.text(st.sampled_from("ab \n\t\u3000東😀\x1c\x85") | st.characters(exclude_categories=["Cs"]), max_size=30)
NGRAMS = st.tuples(st.integers(1, 5), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(st.sampled_from("abc"), max_size=8), NGRAMS)
def test_word_ngrams_equal_scikit_learn(tokens, ngrams):
    peer = CountVectorizer(ngram_range=ngrams, tokenizer=lambda t: t, preprocessor=lambda t: t, token_pattern=None)
    assert word_ngrams(tokens, ngrams) == peer.build_analyzer()(tokens)


@pytest.mark.parametrize(
    ("kind", "fast", "slow"),
    [("char", char_ngrams, char_ngram_spans), ("char_wb", char_wb_ngrams, char_wb_ngram_spans)],
)
@given(text=TEXTS, ngrams=NGRAMS)
def test_character_ngrams_equal_scikit_learn_and_their_places(kind, fast, slow, text, ngrams):
    found = fast(text, ngrams)
    assert found == CountVectorizer(analyzer=kind, ngram_range=ngrams, lowercase=False).build_analyzer()(text)
    spans = slow(text, ngrams)
    assert [feature for _, _, feature in spans] == found
    for start, end, feature in spans:
        assert 0 <= start <= end <= len(text)
        # white space may have been pulled together or added, nothing else
        assert "".join(text[start:end].split()) == "".join(feature.split())
        if kind == "char":
            assert end - start >= len(feature)


def test_word_ngram_places_leave_out_what_was_not_found():
    spans = [(0, 1, "a"), (NOT_FOUND, 1, "?"), (2, 3, "b")]
    assert word_ngram_spans(spans, (1, 3)) == [(0, 1, "a"), (2, 3, "b"), (0, 3, "a ? b")]


def test_n_grams_longer_than_the_text_take_no_time():
    tokens = ["a"] * 50
    assert word_ngrams(tokens, (50, 10**9)) == [" ".join(tokens)]
    assert word_ngrams(tokens, (51, 10**9)) == []


def split_upper(text: str) -> list[str]:
    return text.upper().split()


@pytest.mark.parametrize("kind", ["char", "char_wb"])
@given(text=st.text(st.sampled_from("aB \nÉ你😀ǅ"), max_size=30))
def test_character_features_equal_scikit_learn_with_lower_casing(kind, text):
    peer = CountVectorizer(analyzer=kind, ngram_range=(2, 4)).build_analyzer()
    assert Analyzer(kind=kind, ngrams=(2, 4)).features(text) == peer(text)


@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(),
        Analyzer(ngrams=(1, 3)),
        Analyzer(kind="char", ngrams=(1, 3)),
        Analyzer(kind="char_wb", ngrams=(2, 5)),
        Analyzer(Tokenizer.preset("wnut2018"), ngrams=(2, 2), strip_mail=True),
        Analyzer(strip_mail=True),
        Analyzer(kind="char", strip_mail=True),
    ],
)
@given(text=st.text(st.sampled_from("aB .>\nΣİ東😀\u0301'") | st.characters(), max_size=40))
def test_spans_hold_the_features_in_order_and_survive_json(analyzer, text):
    spans = analyzer.spans(text)
    assert [feature for _, _, feature in spans] == analyzer.features(text)
    assert all(0 <= start <= end <= len(text) for start, end, _ in spans)
    assert Analyzer.from_json(json.loads(json.dumps(analyzer.to_json()))).spans(text) == spans


def test_ngram_spans_run_from_the_first_word_to_the_last():
    text = "To BE, or"
    assert Analyzer(ngrams=(2, 2)).spans(text) == [(0, 5, "to be"), (3, 9, "be or")]


def test_strip_mail_keeps_offsets():
    text = "Subject: spam\n\n> old\nNEW word"
    assert Analyzer(strip_mail=True).spans(text) == [(21, 24, "new"), (25, 29, "word")]
    assert Analyzer().features(text)[:2] == ["subject", "spam"]


def test_pretokenized_documents_are_taken_as_they_are():
    analyzer = Analyzer(kind="tokens", ngrams=(1, 2))
    assert analyzer.features(("A", "b c")) == ["A", "b c", "A b c"]
    assert analyzer.spans(["A", "b c"]) == [(0, 1, "A"), (1, 2, "b c"), (0, 2, "A b c")]
    assert Analyzer.from_json(analyzer.to_json()) == analyzer
    with pytest.raises(TypeError, match="list of strings, but got str"):
        analyzer.features("a text")
    with pytest.raises(TypeError, match="holds NoneType, int"):
        analyzer.features(["a", 1, None])


def test_a_users_function_is_searched_forward_whatever_its_case():
    analyzer = Analyzer(split_upper)
    assert analyzer.features("ab AB ab") == ["AB", "AB", "AB"]
    assert analyzer.spans("ab AB ab") == [(0, 2, "AB"), (3, 5, "AB"), (6, 8, "AB")]
    stems = Analyzer(lambda text: ["run", "", "walking", "be"], ngrams=(1, 2))
    assert stems.spans("RUNNING to be") == [(0, 3, "run"), (11, 13, "be")]


def test_a_users_function_is_named_but_never_loaded():
    stored = json.loads(json.dumps(Analyzer(split_upper).to_json()))
    assert stored["tokenizer"] == {"kind": "callable", "name": f"{__name__}:split_upper"}
    with pytest.raises(ValueError, match=r"split_upper.*Pass that function as tokenizer="):
        Analyzer.from_json(stored)
    assert Analyzer.from_json(stored, tokenizer=split_upper).features("a") == ["A"]
    with pytest.raises(ValueError, match="without tokenizer="):
        Analyzer.from_json(Analyzer().to_json(), tokenizer=split_upper)


def test_callable_objects_are_named_by_their_class():
    class Splitter:
        def __call__(self, text):
            return text.split()

    assert Analyzer(Splitter()).to_json()["tokenizer"]["name"].endswith("Splitter")


def test_results_of_a_users_function_are_checked():
    with pytest.raises(TypeError, match=r"tokenizer function .* must be a list of strings, but got str"):
        Analyzer(lambda text: text).features("a")
    with pytest.raises(TypeError, match="holds int"):
        Analyzer(lambda text: [1]).features("a")


def test_pickle_and_equality():
    assert pickle.loads(pickle.dumps(Analyzer(ngrams=(1, 2)))) == Analyzer(Tokenizer.preset("default"), ngrams=[1, 2])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kind": "words"}, "'words'; allowed are 'word', 'char', 'char_wb', 'tokens'"),
        ({"ngrams": (2, 1)}, r"got \(2, 1\)"),
        ({"ngrams": (0, 1)}, r"got \(0, 1\)"),
        ({"ngrams": 2}, "got 2"),
        ({"ngrams": (1, 100_000)}, r"ngrams is \(1, 100000\), but n-grams of more than 30 words"),
        ({"ngrams": (1, 2.0)}, "two integers"),
        ({"kind": "tokens", "strip_mail": True}, "leave out tokenizer and strip_mail"),
        ({"kind": "char", "tokenizer": split_upper}, "does not use words"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        Analyzer(**parameters)


def test_bad_types_and_documents():
    with pytest.raises(TypeError, match="True or False"):
        Analyzer(strip_mail="yes")
    with pytest.raises(TypeError, match="a Tokenizer, a function or None"):
        Analyzer("default")
    for analyzer in (Analyzer(), Analyzer(kind="char"), Analyzer(strip_mail=True)):
        with pytest.raises(TypeError, match="got int"):
            analyzer.features(3)
    with pytest.raises(ValueError, match="lacks 'ngrams', 'strip_mail', 'tokenizer'"):
        Analyzer.from_json({"kind": "word"})
    with pytest.raises(TypeError, match="got list"):
        Analyzer.from_json([])


def test_a_method_of_a_built_in_type_is_a_tokenizer_function():
    analyzer = Analyzer(str.split)
    assert analyzer.features("To be") == ["To", "be"]
    assert analyzer.to_json()["tokenizer"]["name"] == "builtins:str.split"


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
