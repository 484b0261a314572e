import hashlib

import numpy as np
import pytest

from laconic.text import Vocabulary


def test_index_fingerprint_and_read_only_frequencies():
    vocabulary = Vocabulary(("a", "b\n", "é"), [1, 2, 3], 5)
    assert vocabulary.index == {"a": 0, "b\n": 1, "é": 2}
    assert vocabulary.sha256 == hashlib.sha256(b'["a","b\\n","\\u00e9"]').hexdigest()
    assert repr(vocabulary) == "<Vocabulary of 3 words from 5 documents>"
    with pytest.raises(ValueError, match="read-only"):
        vocabulary.document_frequency[0] = 7


def test_the_callers_array_is_copied():
    frequency = np.array([1, 2])
    Vocabulary(("a", "b"), frequency, 2)
    frequency[0] = 2


def test_fingerprints_tell_words_apart():
    assert Vocabulary(("a,b",), [1], 1).sha256 != Vocabulary(("a", "b"), [1, 1], 1).sha256


@pytest.mark.parametrize("words", [("b", "a"), ("a", "a")])
def test_words_must_be_sorted_and_different(words):
    with pytest.raises(ValueError, match="sorted and different"):
        Vocabulary(words, [1, 1], 1)


def test_one_frequency_for_each_word():
    with pytest.raises(ValueError, match=r"2 words .* got \(3,\)"):
        Vocabulary(("a", "b"), [1, 1, 1], 1)
