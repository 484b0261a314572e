"""Entities and tags, read as what they stand for; `test_tokenizer` has the tokens."""

import hashlib
import html
import json
import lzma
import os
import pickle
import string
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from laconic.text import Tokenizer
from laconic.text.tokenizer import PRESETS, LowerTable, Markup

LOWER = Tokenizer.preset("default-1").lower
CASED = st.text(st.sampled_from("aBΣσςİıIßẞǅÉé你ⅧⓐⒶ𐐀𐐨😀 \ud800'") | st.characters())


def slow(table: LowerTable, text: str) -> str:
    mapping = dict(zip(table.upper, table.lower, strict=True))
    return "".join(mapping.get(c, c) for c in text)


@given(CASED)
def test_text_is_the_table_character_by_character(text):
    assert LOWER.text(text) == slow(LOWER, text)


def test_every_character_follows_the_table_alone_and_between_others():
    every = [chr(c) for c in range(sys.maxunicode + 1)]
    expected = slow(LOWER, "".join(every))
    assert LOWER.text("".join(every)) == expected
    assert "".join(map(LOWER.text, every)) == expected


@pytest.mark.parametrize(
    ("text", "lowered"),
    [("ΟΔΟΣ ΣΑΣ", "οδοσ σασ"), ("οδος", "οδοσ"), ("İIıi", "iiıi"), ("STRAẞE ß", "straße ß"), ("ǅ𐐀", "ǆ𐐨")],
)
def test_special_letters(text, lowered):
    assert LOWER.text(text) == lowered


def test_lowering_twice_changes_nothing():
    assert LOWER.text(LOWER.lower) == LOWER.lower


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table was frozen from Unicode 14")
def test_table_is_the_simple_lower_case_of_unicode_14():
    expected = {chr(c): chr(c).lower() for c in range(sys.maxunicode + 1) if chr(c).lower() != chr(c)}
    expected.update({"İ": "i", "ς": "σ"})
    assert dict(zip(LOWER.upper, LOWER.lower, strict=True)) == expected


@pytest.mark.parametrize("table", [LowerTable("", ""), LowerTable("AB", "ba"), LowerTable("ZΣÉ", "zΣe")])
@given(text=CASED)
def test_other_tables_are_obeyed_too(table, text):
    assert table.text(text) == slow(table, text)


def test_characters_younger_than_the_table_keep_their_case():
    # a table without É stands for a Python that knows a capital letter the table does not know
    old = LowerTable(LOWER.upper.replace("É", ""), LOWER.lower.replace("é", ""))
    assert old.text("ÀÉΣ") == "àÉσ"


def test_pickle_has_only_the_table():
    LOWER.text("Ü")
    assert pickle.loads(pickle.dumps(LOWER)) == LOWER
    assert len(pickle.dumps(LOWER)) < 12_000


def test_bad_tables():
    with pytest.raises(ValueError, match="1 upper and 2 lower"):
        LowerTable("A", "ab")
    with pytest.raises(ValueError, match="'A' more than once"):
        LowerTable("AA", "ab")
    with pytest.raises(TypeError, match="two strings"):
        LowerTable(["A"], ["a"])


MARKUP = Tokenizer.preset("default").markup
PIECES = (
    "a",
    " ",
    "&",
    "amp;",
    "&lt;",
    "br",
    "&gt;",
    "<",
    ">",
    "<br/>",
    "</p>",
    "&#8217;",
    "&#x1F602;",
    "&#55357;",
    "x;",
    "😀",
)


@pytest.mark.parametrize(
    "name", ["amp", "lt", "nbsp", "eacute", "rsquo", "hellip", "alpha", "#146", "#8220", "#X1f600"]
)
def test_entities_are_those_of_html(name):
    assert MARKUP.plain(f"x&{name};y") == "x" + html.unescape(f"&{name};") + "y"


@pytest.mark.parametrize("text", ["&nope;", "&#55357;", "&#x110000;", "&#12345678;x", "AT&T;", "&amp", "<b>", "a < br"])
def test_what_stands_for_nothing_stays(text):
    assert MARKUP.plain(text) == text


def test_entities_of_entities_and_tags_of_entities():
    assert MARKUP.plain("&amp;amp; &amp;#8230; &lt;br /&gt;|") == "& …  |"


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_places_are_those_of_the_text(text):
    plain, places = MARKUP.plain_with_places(text)
    assert plain == MARKUP.plain(text)
    assert len(places) == len(plain) + 1
    assert places[-1] == len(text)
    assert places == sorted(set(places))
    for i, character in enumerate(plain):
        assert MARKUP.plain(text[places[i] : places[i + 1]]) == character or character in "&<"


@pytest.mark.parametrize(
    ("patterns", "names", "message"),
    [
        (("&(x);",), "amp lt", "as many characters"),
        (("(a)(b)",), "amp", "one group at most"),
        (("(",), "amp", "not a regular expression"),
    ],
)
def test_bad_markup(patterns, names, message):
    with pytest.raises(ValueError, match=message):
        Markup(patterns, names, "&")


def test_json_round_trip():
    assert Markup.from_json(json.loads(json.dumps(MARKUP.to_json()))) == MARKUP


DEFAULT = Tokenizer.preset("default")
FIRST = Tokenizer.preset("default-1")
WNUT = Tokenizer.preset("wnut2018")
DATA = os.environ.get("LACONIC_DATA")
MIXED = st.text(
    st.sampled_from("aZ09_'’.?!- \nΣςİßé\u0301\u200c\u200d東京あがカー한글ไทยعربי😀👍🏽🇩🇪❤\ufe0f𐐀𠀀\ud800")
    | st.characters(),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't say ‘I can’t’! ＇tis", ["don't", "say", "i", "can't", "tis"]),
        ("rock'n'roll 'tis dogs' a''b", ["rock'n'roll", "tis", "dogs", "a", "b"]),
        ("C3PO, x_1: 3.14 e-mail", ["c3po", "x_1", "3", "14", "e", "mail"]),
        ("我爱北京。", ["我", "爱", "北", "京"]),
        ("東京タワーへ行く", ["東", "京", "タワー", "へ", "行", "く"]),
        ("iPhoneケース か\u3099ぎ カ\u3099ス", ["iphone", "ケース", "か\u3099", "ぎ", "カ\u3099ス"]),
        ("สวัสดี ครับ", ["สวัสดี", "ครับ"]),
        ("مرحبا، می\u200cخواهم ١٢٣", ["مرحبا", "می\u200cخواهم", "١٢٣"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("नमस्ते क्‍ष", ["नमस्ते", "क्‍ष"]),
        ("İSTANBUL Straẞe ΟΔΟΣ οδος", ["istanbul", "straße", "οδοσ", "οδοσ"]),
        ("CAFE\u0301 café", ["cafe\u0301", "café"]),
        ("so😀😀good 👍🏽!", ["so", "😀", "😀", "good", "👍🏽"]),
        ("👨‍👩‍👧🏳️‍🌈 ❤️‍🔥 🇩🇪🇫🇷", ["👨‍👩‍👧", "🏳️‍🌈", "❤️‍🔥", "🇩🇪", "🇫🇷"]),
        ("1️⃣ ©️ \u200d \ufeffa", ["1", "a"]),
        ("𝒳 𐐀 𠀀𠀁", ["𝒳", "𐐨", "𠀀", "𠀁"]),
        ("", []),
        (" .,;\n", []),
    ],
)
def test_default_tokens(text, tokens):
    assert DEFAULT.tokens(text) == tokens
    assert [token for _, _, token in DEFAULT.spans(text)] == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("don&#8217;t it&#x27;s isn&rsquo;t", ["don't", "it's", "isn't"]),
        ("caf&eacute; CAF&Eacute; AT&amp;T &amp;amp; &lt;3", ["café", "café", "at", "t", "3"]),
        ("&#128514;&#65039; &#1234567890; &nope; &#55357;", ["😂\ufe0f", "1234567890", "nope", "55357"]),
        ("one<br />two<BR>three&lt;br&gt;four<p>five</p><b>six", ["one", "two", "three", "four", "five", "b", "six"]),
        ("see http://t.co/a?b=1#c.", ["see", "http", "t.co"]),
        (
            "(HTTPS://WWW.Example.org:80/x) www.foo-bar.co.uk, ok",
            ["https", "example.org", "www", "foo-bar.co.uk", "ok"],
        ),
        ("http://localhost ends.Here e.g. U.S.", ["http", "localhost", "ends", "here", "e", "g", "u", "s"]),
    ],
)
def test_markup_and_links(text, tokens):
    assert DEFAULT.tokens(text) == tokens
    assert [token for _, _, token in DEFAULT.spans(text)] == tokens


def test_places_of_what_stood_as_markup_or_link():
    text = "It&#8217;s &amp; www.a.org/b?c, &#128514;!"
    places = [text[start:end] for start, end, _ in DEFAULT.spans(text)]
    assert places == ["It&#8217;s", "www", "a.org/b?c", "&#128514;"]


def test_the_first_version_is_as_it_was():
    stored = json.dumps(FIRST.to_json(), sort_keys=True).encode()
    assert hashlib.sha256(stored).hexdigest() == "1131f8e7023ac95f6305b4e4efc16b2434d88a565842d34f6d59a7c7b86a4f5e"
    assert FIRST.tokens("Don’t &#8217; http://t.co/a <br>") == ["don’t", "8217", "http", "t", "co", "a", "br"]


@pytest.mark.parametrize("tokenizer", [FIRST, DEFAULT, WNUT], ids=["default-1", "default", "wnut2018"])
@given(text=MIXED)
def test_offsets_slice_back_to_the_token(tokenizer, text):
    assume(tokenizer.plain(text) == text and "www." not in tokenizer.lower.text(text) and "://" not in text)
    spans = tokenizer.spans(text)
    assert [token for _, _, token in spans] == tokenizer.tokens(text)
    end_before = 0
    for start, end, token in spans:
        assert end_before <= start < end <= len(text)
        assert tokenizer.lower.text(text[start:end]) == token
        end_before = end


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the ranges were frozen from Unicode 14")
def test_word_characters_are_the_letters_marks_and_digits_of_unicode_14():
    classes = {name: {c for a, b in ranges for c in range(a, b + 1)} for name, ranges in DEFAULT.rule.classes}
    own = classes["k"] | classes["x"] | classes["v"] | set(range(0x20DD, 0x20E5))
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        if category == "Cn":
            continue  # not a character yet
        word = (category[0] in "LMN" or code == ord("_")) and code not in own
        assert (code in classes["w"]) == word, hex(code)
    assert not classes["w"] & own


def test_classes_do_not_split_a_letter_from_its_lower_case():
    for upper, lower in zip(DEFAULT.lower.upper, DEFAULT.lower.lower, strict=True):
        if not unicodedata.category(upper).startswith("S"):  # Ⓐ and ⓐ are no letters
            assert DEFAULT.tokens(f"x{upper}x") == [f"x{lower}x"]


def readme_tokens(text: str) -> list[str]:
    keep = ".?!"
    other = "".join(c for c in string.punctuation if c not in keep)
    out = []
    for chunk in text.lower().split():
        word = chunk.strip(other)
        if len(word) > 2:
            word = word.strip(keep)
            if 0 < len(word) < 50:
                out.append(word)
    return out


@given(st.text(st.characters(exclude_characters="İΣς") | st.sampled_from(" .,!?()ab\x1c\x85\u3000"), max_size=80))
def test_wnut2018_is_the_published_loop(text):
    if unicodedata.unidata_version == "14.0.0" or text.isascii():
        assert WNUT.tokens(text) == readme_tokens(text)


def test_wnut2018_lengths():
    assert WNUT.tokens("ab abc (x.y) ..a " + "b" * 49 + " " + "c" * 50) == ["abc", "x.y", "a", "b" * 49]


@pytest.mark.skipif(DATA is None, reason="LACONIC_DATA is not set: it names the folder that holds text/20ng")
def test_wnut2018_vocabularies_of_the_four_newsgroup_tasks():
    vocabularies = {"science": set(), "sports": set(), "religion": set(), "computer": set()}
    with lzma.open(Path(DATA) / "text" / "20ng" / "train.jsonl.xz", "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            post = json.loads(line)
            if post.get("task") in vocabularies:
                vocabularies[post["task"]].update(WNUT.tokens(post["text"]))
    sizes = {task: len(words) for task, words in vocabularies.items()}
    assert sizes == {"science": 25787, "sports": 21938, "religion": 18822, "computer": 16282}


@pytest.mark.parametrize("tokenizer", [FIRST, DEFAULT, WNUT], ids=["default-1", "default", "wnut2018"])
def test_json_and_pickle_round_trips(tokenizer):
    again = Tokenizer.from_json(json.loads(json.dumps(tokenizer.to_json())))
    assert again == tokenizer
    assert hash(again) == hash(tokenizer)
    text = "İt's a (test): 東京 😀 — Σας... &eacute; http://a.b/c"
    assert again.spans(text) == tokenizer.spans(text) == pickle.loads(pickle.dumps(tokenizer)).spans(text)
    assert repr(again) in {f"Tokenizer.preset({name!r})" for name in PRESETS}


def test_a_pattern_of_ones_own_without_lower_casing():
    stored = {
        "kind": "regex",
        "pattern": "[{u}][{l}]*",
        "classes": {"u": [[65, 90]], "l": [[97, 122]]},
        "lower": ["", ""],
    }
    own = Tokenizer.from_json(stored)
    assert own.tokens("Ada and Bob") == ["Ada", "Bob"]
    assert own.to_json() == stored
    assert "[{u}][{l}]*" in repr(own)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "python"}, "Unknown kind of tokenizer 'python'; allowed are 'regex', 'chunks'"),
        ({"classes": None}, "classes"),
        ({"lower": "Aa"}, "two strings"),
        ({"lower": ["A", ""]}, "1 upper and 0 lower"),
    ],
)
def test_bad_json(change, message):
    with pytest.raises(ValueError, match=message):
        Tokenizer.from_json({**DEFAULT.to_json(), **change})


def test_missing_fields_unknown_preset_and_wrong_types():
    with pytest.raises(ValueError, match="lacks 'pattern', 'lower'"):
        Tokenizer.from_json({"kind": "regex", "classes": {}})
    with pytest.raises(ValueError, match="'english'; allowed are 'default', 'default-1', 'wnut2018'"):
        Tokenizer.preset("english")
    with pytest.raises(TypeError, match="JSON object, but got list"):
        Tokenizer.from_json([])
    for call in (DEFAULT.tokens, DEFAULT.spans):
        with pytest.raises(TypeError, match="must be a string, but got list"):
            call(["a"])
