import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.text import sentence_spans
from laconic.text.sentences import LONGEST, located_sentences, tokenized_sentences


def pieces(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("Dr. Smith left.  He was late!\n\nWhy?", "en", ["Dr. Smith left.", "He was late!", "Why?"]),
        ("我爱北京。你呢？好！", "zh", ["我爱北京。", "你呢？", "好！"]),
        ("今日は晴れ。行こう！", "ja", ["今日は晴れ。", "行こう！"]),
        ("هل أنت بخير؟ نعم.", "ar", ["هل أنت بخير؟", "نعم."]),
        ("สวัสดี ครับ", "th", ["สวัสดี ครับ"]),
        ("😀 yes. 👨‍👩‍👧 İyi! Σας ß. Cafe\u0301 x.", "en", ["😀 yes.", "👨‍👩‍👧 İyi!", "Σας ß.", "Cafe\u0301 x."]),
        ("z. B. morgen. Heute nicht.", "de", ["z. B. morgen.", "Heute nicht."]),
        ("no end", "en", ["no end"]),
        (" \n\n ", "en", []),
        ("", "en", []),
    ],
)
def test_sentences(text, language, sentences):
    assert pieces(text, language) == sentences


@given(
    st.text(st.sampled_from("aB.!? \n。😀é\u0301İ𠀀”“\ud800\r") | st.characters(), max_size=60),
    st.sampled_from(["en", "zh", "ar", "de"]),
)
def test_spans_are_trimmed_ordered_and_hold_all_that_is_not_space(text, language):
    spans = sentence_spans(text, language)
    outside, end_before = "", 0
    for start, end in spans:
        assert end_before <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        outside += text[end_before:start]
        end_before = end
    assert not (outside + text[end_before:]).strip()


@pytest.mark.parametrize(
    ("language", "hint"),
    [("xx", r"'zh'\.$"), ("EN", "perhaps 'en'"), ("de-AT", "perhaps 'de'"), (None, "None"), ([], "a two-letter")],
)
def test_unknown_language(language, hint):
    with pytest.raises(ValueError, match=r"Unknown language .*ISO 639-1") as error:
        sentence_spans("a", language)
    assert error.match(hint)


def test_type():
    with pytest.raises(TypeError, match="got list"):
        sentence_spans(["a"])


def test_given_sentences_are_located_in_order():
    text = "Go. Go! Go."
    assert located_sentences(text, ["Go.", "Go!", "Go."]) == [(0, 3), (4, 7), (8, 11)]
    assert located_sentences(text, ["Go!", "Go."]) == [(4, 7), (8, 11)]
    assert located_sentences(text, ["Go!", "Go!"]) is None
    assert located_sentences(text, []) == []


def test_what_is_no_sentence_is_cut_and_no_word_is_lost():
    words = [f"w{i}" for i in range(2 * LONGEST + 7)]
    pieces = tokenized_sentences(" ".join(words))
    assert [len(piece) for piece in pieces] == [LONGEST, LONGEST, 7]
    assert [word for piece in pieces for word in piece] == words


def test_a_text_without_words_has_no_sentences():
    assert tokenized_sentences(" \n ") == []


def test_signs_are_words_of_their_own():
    assert tokenized_sentences("We sang. They didn't!") == [["We", "sang", "."], ["They", "didn't", "!"]]
