"""Texts to sentences for a parser."""

from laconic.models.parsed_texts import LONGEST, tokenized_sentences


def test_what_is_no_sentence_is_cut_and_no_word_is_lost():
    words = [f"w{i}" for i in range(2 * LONGEST + 7)]
    pieces = tokenized_sentences(" ".join(words))
    assert [len(piece) for piece in pieces] == [LONGEST, LONGEST, 7]
    assert [word for piece in pieces for word in piece] == words


def test_a_text_without_words_has_no_sentences():
    assert tokenized_sentences(" \n ") == []


def test_signs_are_words_of_their_own():
    assert tokenized_sentences("We sang. They didn't!") == [["We", "sang", "."], ["They", "didn't", "!"]]
