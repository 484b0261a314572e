"""Groups kept on disk, found again by what they were made from.

The name of a file is a sha256 over the builder's parameters (of files and texts among them: their content), its source
code, the texts, the vocabulary and the analyzer. So a file that is there holds the groups that would be built, and
nothing has to be thrown away by hand when one of these changes.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import Builder
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary


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
