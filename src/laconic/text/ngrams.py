"""N-grams of words and of characters, with and without their places.

The character n-grams are those of scikit-learn's ``char`` (runs of two or more white-space characters count as one
space) and ``char_wb`` (the n-grams of each word between two spaces; a word not longer than n counts once, whole).
The functions with spans are the obvious twins of the fast ones without.
"""

import re
from collections.abc import Sequence

Span = tuple[int, int, str]
NOT_FOUND = -1


def word_ngrams(tokens: Sequence[str], ngrams: tuple[int, int]) -> list[str]:
    """Return the word n-grams, ordered by n and then by position, words joined by a space."""
    shortest, longest = ngrams
    joined = list(tokens) if shortest == 1 else []
    for n in range(max(shortest, 2), min(longest, len(tokens)) + 1):
        joined.extend(map(" ".join, zip(*(tokens[k:] for k in range(n)), strict=False)))
    return joined


def word_ngram_spans(spans: Sequence[Span], ngrams: tuple[int, int]) -> list[Span]:
    """Return the word n-grams with their places; those whose first or last word is `NOT_FOUND` are left out."""
    joined = [span for span in spans if span[0] != NOT_FOUND] if ngrams[0] == 1 else []
    for n in range(max(ngrams[0], 2), ngrams[1] + 1):
        for i in range(len(spans) - n + 1):
            first, last = spans[i], spans[i + n - 1]
            if first[0] != NOT_FOUND and last[0] != NOT_FOUND:
                joined.append((first[0], last[1], " ".join(token for _, _, token in spans[i : i + n])))
    return joined


def char_ngrams(text: str, ngrams: tuple[int, int]) -> list[str]:
    """Return the character n-grams of a text, ordered by n and then by position."""
    text = _SPACES.sub(" ", text)
    return [text[i : i + n] for n in range(ngrams[0], ngrams[1] + 1) for i in range(len(text) - n + 1)]


def char_ngram_spans(text: str, ngrams: tuple[int, int]) -> list[Span]:
    """Return the character n-grams with their places; a run of white space counts as one character."""
    places = [match.span() for match in _CHARACTERS.finditer(text)]
    single = _SPACES.sub(" ", text)
    return [
        (places[i][0], places[i + n - 1][1], single[i : i + n])
        for n in range(ngrams[0], ngrams[1] + 1)
        for i in range(len(single) - n + 1)
    ]


def char_wb_ngrams(text: str, ngrams: tuple[int, int]) -> list[str]:
    """Return the character n-grams inside words, word by word."""
    inside = []
    for word in text.split():
        padded = f" {word} "
        for n in _lengths(padded, ngrams):
            inside += [padded[i : i + n] for i in range(max(len(padded) - n, 0) + 1)]
    return inside


def char_wb_ngram_spans(text: str, ngrams: tuple[int, int]) -> list[Span]:
    """Return the character n-grams inside words with their places; the spaces added at both ends take no room."""
    inside = []
    for match in _WORD.finditer(text):
        start, end, padded = match.start(), match.end(), f" {match[0]} "
        for n in _lengths(padded, ngrams):
            inside += [
                (start + max(i - 1, 0), min(start + i - 1 + n, end), padded[i : i + n])
                for i in range(max(len(padded) - n, 0) + 1)
            ]
    return inside


_SPACES = re.compile(r"\s\s+")
_CHARACTERS = re.compile(r"\s\s+|[\s\S]")
_WORD = re.compile(r"\S+")


def _lengths(padded: str, ngrams: tuple[int, int]) -> range:
    # all lengths below the word's, and the first that holds it whole
    return range(ngrams[0], min(ngrams[1], max(len(padded), ngrams[0])) + 1)
