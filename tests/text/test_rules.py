import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.text.rules import ChunkRule, RegexRule

LETTERS = (("w", ((ord("a"), ord("z")),)),)
CHUNKS = ChunkRule(((9, 13), (32, 32)), outer="()-", shortest=3, inner=".?!", longest=6)


def test_ascii_signs_in_a_class_are_literal():
    signs = "".join(map(chr, range(33, 48))) + "[]^\\`{|}~@"
    rule = RegexRule("[{s}]", (("s", tuple((ord(c), ord(c)) for c in signs)),))
    assert rule.find(signs + "aZ0") == list(signs)


@pytest.mark.parametrize("escape", [r"\w", r"\b", r"\d+", r"\S", r"(?:a)\1", r"\\\w"])
def test_escapes_that_differ_between_languages_are_refused(escape):
    with pytest.raises(ValueError, match="different characters in different languages"):
        RegexRule(f"[{{w}}]{escape}", LETTERS)


def test_stable_escapes_are_allowed():
    assert RegexRule(r"[{w}]+\x2d\u00e9|\\", LETTERS).find("ab-é \\") == ["ab-é", "\\"]


def test_bad_patterns():
    with pytest.raises(ValueError, match=r"names the classes \['q'\], but only \['w'\]"):
        RegexRule("[{q}]", LETTERS)
    with pytest.raises(ValueError, match="not a regular expression"):
        RegexRule("[{w}", LETTERS).find("a")
    with pytest.raises(ValueError, match="capturing groups"):
        RegexRule("([{w}])", LETTERS).find("a")
    with pytest.raises(ValueError, match="empty string"):
        RegexRule("[{w}]*", LETTERS).find("a")
    with pytest.raises(TypeError, match="is a string"):
        RegexRule(None, LETTERS)


@pytest.mark.parametrize("ranges", [[[5, 3]], [[0, 0x110000]], [[-1, 2]], [[1]], [["a", "b"]], 7, [[1.0, 2.0]]])
def test_bad_ranges(ranges):
    with pytest.raises(ValueError, match=r"'w' must be pairs"):
        RegexRule.from_json({"pattern": "[{w}]", "classes": {"w": ranges}})


@given(st.text("ab.?!()- \n\x0c", max_size=40))
def test_chunks_equal_the_obvious_loop(text):
    expected = []
    for chunk in text.split():
        word = chunk.strip("()-")
        if len(word) > 2:
            word = word.strip(".?!")
            if 0 < len(word) < 7:
                expected.append(word)
    assert CHUNKS.find(text) == expected
    spans = CHUNKS.find_spans(text)
    assert [token for _, _, token in spans] == expected
    assert all(text[start:end] == token for start, end, token in spans)


def test_bad_chunks():
    with pytest.raises(ValueError, match=r"shortest .* got 0"):
        ChunkRule(((32, 32),), "", 0, "", 5)
    with pytest.raises(ValueError, match=r"longest .* got True"):
        ChunkRule(((32, 32),), "", 1, "", True)
    with pytest.raises(ValueError, match="at least one range"):
        ChunkRule((), "", 1, "", 5)
    with pytest.raises(TypeError, match="outer and inner"):
        ChunkRule(((32, 32),), None, 1, "", 5)
