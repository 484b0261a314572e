"""Entities and tags, read as what they stand for; `test_tokenizer` has the tokens."""

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.text import Tokenizer
from laconic.text.markup import Markup

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
