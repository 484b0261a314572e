import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.text import strip_mail

POST = """From: ada@example.org (Ada)
Subject: Re: looms
Organization: Engines
 and Co.

In article <123@example.org>
bob@example.org (Bob) writes:
>> older
> old
| also old
Bob> and this
: and that
New words, a > b.
:-) is no quotation.
On the 5th of May, Eve wrote:
More new words
she said

--\x20
Ada, example.org
"""


def test_only_the_authors_own_lines_stay():
    own = [line for line in strip_mail(POST).split("\n") if line.strip()]
    assert own == ["New words, a > b.", ":-) is no quotation.", "More new words", "she said"]


@given(st.text(st.sampled_from("a>|:\n\r -<@X") | st.characters(), max_size=80) | st.just(POST))
def test_length_and_line_breaks_stay_and_the_rest_is_kept_or_blank(text):
    stripped = strip_mail(text)
    assert len(stripped) == len(text)
    assert all(new == old or (new == " " and old not in "\r\n") for old, new in zip(text, stripped, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "Note: two dots: no header\n\nbody",
        "An ordinary text.\n\nFrom: x is no header here",
        "\nSubject: after a blank line",
        " Subject: starts with a continuation\n\nbody",
        "Subject: x\nthis line is no field\n\nbody",
        "On Monday he said nothing.",
        "a -- b\n--- \nc",
        "",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert strip_mail(text) == text


def test_windows_line_breaks():
    text = POST.replace("\n", "\r\n")
    assert strip_mail(text) == strip_mail(POST).replace("\n", "\r\n")


def test_signatures():
    assert strip_mail("a\n-- \nb\n-- \nc").split() == ["a"]
    assert strip_mail("a\n--\nb\n--\nc").split() == ["a", "--", "b"]


def test_long_lines_are_quick():
    assert strip_mail("On " + "wrote @ " * 50_000).startswith("On wrote")


def test_type():
    with pytest.raises(TypeError, match="got NoneType"):
        strip_mail(None)
