"""From a document to features: words, word n-grams, character n-grams, given tokens or a user's function.

The character n-grams are those of scikit-learn's ``char`` (runs of two or more white-space characters count as one
space) and ``char_wb`` (the n-grams of each word between two spaces; a word not longer than n counts once, whole). The
functions of n-grams with spans are the obvious twins of the fast ones without.

`fast_features` is a shorter way for Latin-1 texts and the default tokenizer's rule. In Latin-1 that rule,
``[w]+(?:'[w]+)*``, asks only which of 256 characters are word characters. So one table look-up per byte lower-cases the
text and puts a space for every other sign except the apostrophe; then apostrophes that do not stand between two word
characters become spaces; then the text is split at its spaces. The tokens are the same, in about half the time of the
regular expression. All other texts and rules take `Analyzer.features`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.text.mail import strip_mail
from laconic.text.rules import RegexRule
from laconic.text.tokenizer import Tokenizer

Span = tuple[int, int, str]
NOT_FOUND = -1
KINDS = ("word", "char", "char_wb", "tokens")
LONGEST = 30  # words or characters of an n-gram: the length of all those of a text grows with the square of this
# In this pattern, characters below U+0100 take part only as {w} and as the joiner ' inside a word.
WORDS_WITH_JOINERS = (
    r"[{w}]+(?:['’\u200c\u200d][{w}]+(?:['’\u200c\u200d][{w}]+)*|)"
    r"|(?![\x00-\u1fff])(?:[{k}]+|[{r}][{r}]|[{x}](?:[{v}]|\u200d[{j}])*)"
)
GAP = (b"", b" ")  # what stands beside an apostrophe that is no part of a word


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


@dataclass(frozen=True)
class Analyzer:
    """Turn a document into a list of features, or into features with their places.

    Parameters
    ----------
    tokenizer : Tokenizer, callable or None, default=None
        What finds words; None is ``Tokenizer.preset("default")``. A function ``text -> list of str`` works too; a model
        stores only its name, and it must be passed again when the model is loaded. Character n-grams use only the
        tokenizer's lower-case table.
    kind : {"word", "char", "char_wb", "tokens"}, default="word"
        With "tokens", documents are lists of strings and are taken as they are.
    ngrams : (int, int), default=(1, 1)
        Shortest and longest n-gram. Words of an n-gram are joined by a space.
    strip_mail : bool, default=False
        Blank out mail headers, quotations and signatures first; see `laconic.text.strip_mail`.

    Examples
    --------
    >>> Analyzer(ngrams=(1, 2)).features("To be or")
    ['to', 'be', 'or', 'to be', 'be or']
    >>> Analyzer(kind="char_wb", ngrams=(3, 3)).spans("Ab c")
    [(0, 2, ' ab'), (0, 2, 'ab '), (3, 4, ' c ')]
    """

    tokenizer: Tokenizer | Callable[[str], Sequence[str]] | None = None
    kind: str = "word"
    ngrams: tuple[int, int] = (1, 1)
    strip_mail: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"Unknown kind of analyzer {self.kind!r}; allowed are {', '.join(map(repr, KINDS))}.")
        if not isinstance(self.strip_mail, bool):
            raise TypeError(f"strip_mail must be True or False, got {self.strip_mail!r}.")
        object.__setattr__(self, "ngrams", _checked_ngrams(self.ngrams))
        if self.kind == "tokens":
            if self.tokenizer is not None or self.strip_mail:
                raise ValueError("kind='tokens' takes lists of tokens: leave out tokenizer and strip_mail.")
        elif self.tokenizer is None:
            object.__setattr__(self, "tokenizer", Tokenizer.preset("default"))
        elif not isinstance(self.tokenizer, Tokenizer):
            if not callable(self.tokenizer):
                raise TypeError(f"tokenizer must be a Tokenizer, a function or None, got {self.tokenizer!r}.")
            if self.kind != "word":
                raise ValueError(f"kind={self.kind!r} does not use words: leave out the tokenizer function.")

    def features(self, document: str | Sequence[str]) -> list[str]:
        """Return the features of a document, with repetitions."""
        if self.kind == "char":
            return char_ngrams(self._lowered(document), self.ngrams)
        if self.kind == "char_wb":
            return char_wb_ngrams(self._lowered(document), self.ngrams)
        tokens = self._tokens(document)
        return tokens if self.ngrams == (1, 1) else word_ngrams(tokens, self.ngrams)

    def spans(self, document: str | Sequence[str]) -> list[Span]:
        """Return ``(start, end, feature)`` for each feature.

        Start and end are code points into the document, or positions in the list for ``kind="tokens"``. The spaces
        that ``char_wb`` puts around a word take no room. A token of a user's function is searched from the end of the
        one before it, whatever its case; one that cannot be found is left out.
        """
        if self.kind == "char":
            return char_ngram_spans(self._lowered(document), self.ngrams)
        if self.kind == "char_wb":
            return char_wb_ngram_spans(self._lowered(document), self.ngrams)
        if isinstance(self.tokenizer, Tokenizer):
            spans = self.tokenizer.spans(self._text(document))
        elif self.kind == "tokens":
            spans = [(i, i + 1, token) for i, token in enumerate(self._tokens(document))]
        else:
            spans = _locate(self._text(document), self._tokens(document))
        return word_ngram_spans(spans, self.ngrams)

    def to_json(self) -> dict:
        """Return the analyzer as plain data; a user's function is named, not stored."""
        if isinstance(self.tokenizer, Tokenizer):
            tokenizer = self.tokenizer.to_json()
        elif self.tokenizer is None:
            tokenizer = None
        else:
            tokenizer = {"kind": "callable", "name": _qualified_name(self.tokenizer)}
        return {"kind": self.kind, "ngrams": list(self.ngrams), "strip_mail": self.strip_mail, "tokenizer": tokenizer}

    @classmethod
    def from_json(cls, data: Mapping, tokenizer: Callable[[str], Sequence[str]] | None = None) -> "Analyzer":
        """Return the analyzer of plain data; nothing named in it is run, a user's function comes as `tokenizer`."""
        if not isinstance(data, Mapping):
            raise TypeError(f"An analyzer is stored as a JSON object, but got {type(data).__name__}.")
        names = ("kind", "ngrams", "strip_mail", "tokenizer")
        if missing := [name for name in names if name not in data]:
            raise ValueError(f"The stored analyzer lacks {', '.join(map(repr, missing))}.")
        stored = data["tokenizer"]
        if isinstance(stored, Mapping) and stored.get("kind") == "callable":
            if tokenizer is None:
                raise ValueError(
                    f"This model was made with the tokenizer function {stored.get('name')!r}, which is not stored with "
                    "it. Pass that function as tokenizer= when loading."
                )
            kept: Any = tokenizer
        elif tokenizer is not None:
            raise ValueError("This model brings its own tokenizer: load it without tokenizer=.")
        else:
            kept = None if stored is None else Tokenizer.from_json(stored)
        return cls(kept, data["kind"], data["ngrams"], data["strip_mail"])

    def _tokens(self, document: Any) -> list[str]:
        if self.kind == "tokens":
            return _checked_tokens(document, "With kind='tokens' a document")
        if isinstance(self.tokenizer, Tokenizer):
            return self.tokenizer.tokens(self._text(document))
        name = f"The result of the tokenizer function {_qualified_name(self.tokenizer)}"
        return _checked_tokens(self.tokenizer(self._text(document)), name)  # type: ignore[misc]

    def _text(self, document: Any) -> str:
        return strip_mail(document) if self.strip_mail else document

    def _lowered(self, document: Any) -> str:
        if not isinstance(document, str):
            raise TypeError(f"A document must be a string, but got {type(document).__name__}.")
        return self.tokenizer.lower.text(self._text(document))  # type: ignore[union-attr]


def _checked_ngrams(value: Any) -> tuple[int, int]:
    pair = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(pair) != 2 or any(type(n) is not int for n in pair) or not 1 <= pair[0] <= pair[1]:
        raise ValueError(f"ngrams must be two integers (a, b) with 1 <= a <= b, such as (1, 2); got {value!r}.")
    if pair[1] > LONGEST:
        raise ValueError(f"ngrams is {pair}, but n-grams of more than {LONGEST} words or characters are not made.")
    return pair


def _checked_tokens(value: Any, what: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{what} must be a list of strings, but got {type(value).__name__}.")
    tokens = list(value)
    if wrong := [kind.__name__ for kind in set(map(type, tokens)) if not issubclass(kind, str)]:
        raise TypeError(f"{what} must be a list of strings, but it holds {', '.join(sorted(wrong))}.")
    return tokens


def _qualified_name(function: Any) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None) or "builtins"  # methods of built-in types, such as str.split, have none
    return f"{module}:{named.__qualname__}"


def _locate(text: str, tokens: Sequence[str]) -> list[Span]:
    lower = Tokenizer.preset("default").lower.text
    lowered, spans, end = lower(text), [], 0
    for token in tokens:
        start = lowered.find(lower(token), end) if token else NOT_FOUND
        if start != NOT_FOUND:
            end = start + len(token)
        spans.append((start, end, token))
    return spans


def fast_features(analyzer: Analyzer) -> Callable[[str], list[str]]:
    """Return a function that gives the same list as ``analyzer.features``, sooner where it can."""
    tokenizer = analyzer.tokenizer
    if analyzer.kind != "word" or not isinstance(tokenizer, Tokenizer):
        return analyzer.features
    rule, table = tokenizer.rule, _byte_table(tokenizer)
    if table is None or not isinstance(rule, RegexRule):
        return analyzer.features
    lower, links, markup = tokenizer.lower.text, bool(rule.link), tokenizer.markup
    curly = tokenizer.lower.mapping.get(0x2019) == ord("'")

    def words(text: str) -> list[str]:
        if not isinstance(text, str):
            return tokenizer.tokens(text)  # which refuses it
        if markup is not None and ("&" in text or "<" in text):
            text = markup.plain(text)
        if curly:
            text = text.replace("\u2019", "'")
        try:
            content = text.encode("latin-1").translate(table)
        except UnicodeEncodeError:
            return rule.find(lower(text))
        # The shorter searches, which mostly fail, take less time.
        if links and ((":" in text and "://" in text) or (b"www" in content and b"www " in content)):
            return rule.find(lower(text))
        return _without_quotes(content).decode("latin-1").split()

    if analyzer.ngrams == (1, 1) and not analyzer.strip_mail:
        return words

    def features(text: str) -> list[str]:
        return word_ngrams(words(strip_mail(text) if analyzer.strip_mail else text), analyzer.ngrams)

    return features


def _without_quotes(content: bytes) -> bytes:
    """Return a text with a space for every apostrophe that does not stand between two word characters."""
    before, *others = content.split(b"'")
    pieces = [before]
    for piece in others:
        pieces.append(b" " if before[-1:] in GAP or piece[:1] in GAP else b"'")
        pieces.append(piece)
        before = piece
    return b"".join(pieces)


def _byte_table(tokenizer: Tokenizer) -> bytes | None:
    """Return the table of 256 bytes, or None for a tokenizer whose rule it cannot express."""
    rule = tokenizer.rule
    if not isinstance(rule, RegexRule) or rule.pattern != WORDS_WITH_JOINERS:
        return None
    ranges = dict(rule.classes)["w"]
    word = {chr(code) for first, last in ranges for code in range(first, min(last, 0xFF) + 1)}
    images = [chr(tokenizer.lower.mapping.get(code, code)) for code in range(0x100)]
    if max(images) > "\xff" or "'" in word or any(character.isspace() for character in word):
        return None
    return "".join(image if image in word or image == "'" else " " for image in images).encode("latin-1")
