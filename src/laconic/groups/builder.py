"""What all builders of groups share: how they are put together, checked, and what they learn from.

A builder is a frozen dataclass with ``build(corpus, vocabulary, analyzer=None) -> Groups``. ``A + B`` of two builders
is a builder whose groups are those of both.

A builder is a value, compared and stored; a bar on a terminal is no part of it. So who listens is set around a call:

>>> seen = []
>>> with listening(lambda done, total, note="": seen.append((done, total))):
...     report(1, 10)
>>> seen
[(1, 10)]

`CachedGroups` are kept on disk, found again by what they were made from: the name of a file is a sha256 over the
builder's parameters (of files and texts among them: their content), its source code, the texts, the vocabulary and the
analyzer. So a file that is there holds the groups that would be built, and nothing has to be thrown away by hand when
one of these changes.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.group_parts import UnitNames
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.data.files.readers import read
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

_listener: ContextVar[Callable[..., Any] | None] = ContextVar("listener", default=None)
WEIGHTS = ("sqrt", "ones")
NAMED = 3  # words in the name of a group
UNKNOWN = -1


@contextmanager
def listening(listener: Callable[..., Any]) -> Iterator[None]:
    """Call ``listener(done, total, note)`` while builders work inside this block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done: int, total: int, note: str = "") -> None:
    """Tell the listener, if there is one, how far the work is."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total, note)


class Builder:
    """The base of all builders: it checks, builds, and can be added to another."""

    def check(self) -> None:
        """Raise an error, before any work, if a file or a package that is needed is not there."""

    def build(self, corpus: Any, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups of a corpus, numbered by the words of a vocabulary."""
        raise NotImplementedError

    def __add__(self, other: Any) -> "JoinedGroups":
        if not isinstance(other, Builder):
            return NotImplemented
        return JoinedGroups((*_parts(self), *_parts(other)))


class TextsBuilder(Builder):
    """The base of builders that learn from `texts` of their own, or from the training texts."""

    texts: Any
    weights: str

    def __post_init__(self) -> None:
        texts = self.texts
        if isinstance(texts, (str, os.PathLike)):
            texts = os.fspath(texts)
        elif texts is not None and not isinstance(texts, Corpus):
            if not isinstance(texts, Iterable):
                kind = type(texts).__name__
                raise TypeError(f"texts is a {kind}; it must be a Corpus, a list of texts, a file or None.")
            texts = Corpus.from_lists(list(texts))
        object.__setattr__(self, "texts", texts)
        check_weights(self.weights)

    def check(self) -> None:
        """Raise an error, before any work, if a file or a package that is needed is not there."""
        check_file(self.texts)


@dataclass(frozen=True)
class JoinedGroups(Builder):
    """The groups of several builders together; ``A + B`` makes one.

    Parameters
    ----------
    builders : tuple of builders

    Examples
    --------
    >>> from laconic.groups import GivenGroups, SentenceGroups
    >>> from laconic.text import BagOfWords
    >>> corpus = Corpus.from_lists(["moon orbit", "lamp"])
    >>> both = GivenGroups({"space": ["moon", "orbit"]}) + SentenceGroups()
    >>> both.build(corpus, BagOfWords().fit(corpus.texts).vocabulary).names
    ('space', 'sentence 1 of doc 1', 'sentence 1 of doc 2')
    """

    builders: tuple[Builder, ...]

    def check(self) -> None:
        """Check every builder."""
        for builder in self.builders:
            builder.check()

    def build(self, corpus: Any, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups of all builders, one family after the other."""
        return reduce(add, (builder.build(corpus, vocabulary, analyzer) for builder in self.builders))


def check_weights(weights: str) -> None:
    """Raise ValueError unless `weights` is a known rule for d_g."""
    if weights not in WEIGHTS:
        raise ValueError(f"weights is {weights!r}; allowed are 'sqrt' (of the group's size) and 'ones'.")


def check_whole(name: str, value: Any, least: int) -> None:
    """Raise ValueError unless `value` is a whole number from `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is {value!r}; it is a whole number from {least}.")


def first_words(columns: Sequence[int] | np.ndarray, vocabulary: Vocabulary) -> str:
    """Return the words of the first columns, as the name of a group has them."""
    return ", ".join(vocabulary.words[j] for j in columns[:NAMED])


def frequent_words(columns: np.ndarray, vocabulary: Vocabulary) -> str:
    """Return the words of those columns that most documents hold, as the name of a group has them."""
    return first_words(columns[np.argsort(-vocabulary.document_frequency[columns], kind="stable")], vocabulary)


def with_missing(what: str, missing: int, total: int) -> str:
    """Return where groups come from, with the number of words that the vocabulary lacks."""
    return f"{what} ({missing} of {total} words not in the vocabulary)" if missing else what


def finished(
    lists: Iterable[Sequence[int] | np.ndarray],
    names: Sequence[str],
    vocabulary: Vocabulary,
    weights: str,
    source: str,
    reason: str,
) -> Groups:
    """Return `Groups` from lists of columns; if there is none, raise ValueError with the `reason`."""
    kept = [np.sort(np.asarray(columns, dtype=np.int64)) for columns in lists]
    if not any(map(len, kept)):
        raise ValueError(f"There are no groups: {reason}")
    d = "sqrt" if weights == "sqrt" else 1.0
    return Groups.from_lists(kept, len(vocabulary), d, tuple(names), vocabulary.sha256, source)


def unit_groups(
    sizes: np.ndarray, members: np.ndarray, names: UnitNames, vocabulary: Vocabulary, weights: str, source: str
) -> Groups:
    """Return `Groups` that are parts of documents, from their sizes and all their members."""
    d = np.sqrt(sizes) if weights == "sqrt" else np.ones(len(sizes))
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return Groups(ends, members, d, len(vocabulary), names, vocabulary.sha256, source)


def check_file(texts: Any) -> None:
    """Raise FileNotFoundError if `texts` names a file that is not there."""
    if isinstance(texts, str) and not os.path.exists(texts):
        raise FileNotFoundError(f"There is no file of texts {texts!r} to learn groups from; check its name.")


def texts_to_learn(texts: Any, corpus: Corpus | None) -> tuple[tuple[Any, ...], str]:
    """Return the texts that groups are learned from, and how a message calls them."""
    if texts is None:
        if corpus is None:
            raise ValueError("There are no texts to learn groups from; give a corpus, or texts.")
        return corpus.texts, corpus.name or "the training texts"
    if isinstance(texts, str):
        check_file(texts)
        return read(texts, labelled=False).texts, texts
    return texts.texts, texts.name or "the given texts"


def of_words(analyzer: Analyzer | None, what: str) -> Analyzer:
    """Return the analyzer for single words in the order of the text."""
    analyzer = Analyzer() if analyzer is None else analyzer
    if analyzer.kind not in ("word", "tokens"):
        raise ValueError(f"{what} needs words, but the features are character n-grams ({analyzer.kind!r}).")
    return replace(analyzer, ngrams=(1, 1))


def _parts(builder: Builder) -> tuple[Builder, ...]:
    return builder.builders if isinstance(builder, JoinedGroups) else (builder,)


@dataclass(frozen=True)
class CachedGroups(Builder):
    """Build groups once and read them from a folder afterwards.

    Parameters
    ----------
    builder : builder
    folder : path
        Made if it does not exist.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.groups import SentenceGroups
    >>> from laconic.text import BagOfWords
    >>> corpus = Corpus.from_lists(["moon orbit", "lamp"])
    >>> vocabulary = BagOfWords().fit(corpus.texts).vocabulary
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     builder = CachedGroups(SentenceGroups(), folder)
    ...     built, read = (builder.build(corpus, vocabulary) for _ in range(2))
    >>> built == read
    True
    """

    builder: Builder
    folder: str | os.PathLike

    def check(self) -> None:
        """Raise an error, before any work, if the folder is a file or the builder lacks something."""
        if os.path.exists(self.folder) and not os.path.isdir(self.folder):
            raise NotADirectoryError(f"{os.fspath(self.folder)} is a file; name a folder to keep groups in.")
        self.builder.check()

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, from the folder if they are there."""
        self.check()
        analyzer = Analyzer() if analyzer is None else analyzer
        place = Path(self.folder) / f"{self.key(corpus, vocabulary, analyzer)}.json"
        if place.is_file():
            return Groups.read(place)
        groups = self.builder.build(corpus, vocabulary, analyzer)
        place.parent.mkdir(parents=True, exist_ok=True)
        groups.save(place)
        return groups

    def key(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer) -> str:
        """Return the sha256 of all that the groups depend on."""
        digest = hashlib.sha256()
        _add(digest, self.builder)
        _add(digest, corpus)
        _add(digest, vocabulary.sha256)
        _add(digest, vocabulary.document_frequency)
        _add(digest, analyzer.to_json())
        return digest.hexdigest()


def _add(digest: Any, value: Any) -> None:
    """Take the content of a value into a digest; every part with its length, so that parts cannot run together."""
    if isinstance(value, Corpus):
        for part in (value.texts, value.ids, value.sentences, value.trees):
            _add(digest, part)
    elif is_dataclass(value) and not isinstance(value, type):
        source = getattr(sys.modules[type(value).__module__], "__file__", None)
        _put(digest, type(value).__name__.encode() + (Path(source).read_bytes() if source else b""))
        for parameter in fields(value):
            _put(digest, parameter.name.encode())
            _add(digest, getattr(value, parameter.name))
    elif isinstance(value, np.ndarray):
        _put(digest, str((value.dtype, value.shape)).encode() + np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (list, tuple)):
        _put(digest, str(len(value)).encode())
        for element in value:
            _add(digest, element)
    elif isinstance(value, (str, os.PathLike)) and _is_file(value):
        with Path(value).open("rb") as file:
            _put(digest, hashlib.file_digest(file, "sha256").digest())
    elif isinstance(value, Mapping):
        _put(digest, json.dumps(value, default=repr).encode())
    else:
        _put(digest, repr(value).encode("utf-8", "surrogatepass"))


def _put(digest: Any, content: bytes) -> None:
    digest.update(len(content).to_bytes(8, "little") + content)


def _is_file(value: str | os.PathLike) -> bool:
    try:
        return len(os.fspath(value)) < 4096 and Path(value).is_file()
    except (OSError, ValueError):
        return False
