"""Groups that a user brings: words by name, from a JSON file, a dictionary or a column of a table, or saved `Groups`.

``{"space": ["moon", "orbit"], …}`` fits any vocabulary: words that are not in it are dropped and counted. A file of
`Groups` holds numbers of words, so it fits only the vocabulary whose hash it carries; another one is refused.

What may be given as groups of a text model is a builder (anything with ``build(corpus, vocabulary, analyzer)``),
finished `Groups`, a dictionary ``{name: [word, …]}``, or a list of these, whose families are put together.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from laconic.core.files import read_json
from laconic.core.groups import Groups
from laconic.core.values import excerpt
from laconic.data.corpus import Corpus
from laconic.data.document import Document
from laconic.data.files.readers import as_table
from laconic.groups.builder import Builder, check_weights, finished, with_missing
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

NAMED = 3  # groups that a message names


@dataclass(frozen=True)
class GivenGroups(Builder):
    """Take groups from a file, a dictionary or a table.

    Parameters
    ----------
    given : path, mapping or frame
        A JSON file ``{name: [word, …]}`` or one that `Groups.save` wrote; or such a dictionary itself. With `column`, a
        table: a file (.csv, .tsv, .jsonl, .parquet, also compressed), a frame of pandas or polars, or a list of dicts.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size in the vocabulary, or 1. A file of `Groups` brings its own weights.
    column : str, optional
        The column of a table that names the group of each word; rows without a value there are left out.
    words : str, default="word"
        The column of a table that has the words. A word of several groups stands in several rows.

    Examples
    --------
    >>> import numpy as np
    >>> vocabulary = Vocabulary(("disk", "moon", "orbit"), np.array([1, 1, 1]), n_documents=3)
    >>> groups = GivenGroups({"space": ["orbit", "moon", "rover"]}).build(None, vocabulary)
    >>> groups.names, groups.members(0).tolist(), groups.source
    (('space',), [1, 2], 'given groups (1 of 3 words not in the vocabulary)')
    >>> table = [{"word": "moon", "field": "space"}, {"word": "orbit", "field": "space"}, {"word": "lamp"}]
    >>> GivenGroups(table, column="field").read()
    {'space': ['moon', 'orbit']}
    """

    given: Any
    weights: str = "sqrt"
    column: str | None = None
    words: str = "word"

    def __post_init__(self) -> None:
        check_weights(self.weights)
        if self.column is None and not isinstance(self.given, (str, os.PathLike, Mapping)):
            raise TypeError(
                f"GivenGroups takes a file or a dictionary {{name: [word, …]}}, but got {type(self.given).__name__}; "
                "for a table, name the column of its groups by column=."
            )

    def check(self) -> None:
        """Raise an error, before any work, unless what was given can be read."""
        self.read()

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does; corpus and analyzer are not looked at."""
        place = os.fspath(self.given) if isinstance(self.given, (str, os.PathLike)) else ""
        content = self.read()
        if isinstance(content, Groups):
            check_made_for(content, vocabulary, place)
            return content
        index = vocabulary.index
        lists = [sorted({index[word] for word in words if word in index}) for words in content.values()]
        total = sum(len(set(words)) for words in content.values())
        missing = total - sum(map(len, lists))
        what = place or "given groups"
        if missing == total:
            raise ValueError(
                f"None of the {total} words of {what} ({_some(list(content))}) is in the vocabulary; words must be "
                f"written as the model sees them, such as {vocabulary.words[len(vocabulary) // 2]!r}."
            )
        source = with_missing(what, missing, total)
        return finished(lists, tuple(content), vocabulary, self.weights, source, "no word is in the vocabulary.")

    def read(self) -> Groups | dict[str, list[str]]:
        """Return what was given, checked: words by group name, or `Groups` that come from a file of their own."""
        if self.column is not None:
            return _from_table(self.given, self.words, self.column)
        if isinstance(self.given, Mapping):
            return _checked(self.given, "The given groups")
        path = Path(self.given)
        data = read_json(path, "groups")
        if isinstance(data, Mapping) and data.get("kind") == "groups":
            try:
                return Groups.from_json(data)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{path} cannot be used: {error}") from error
        return _checked(data, str(path))


def check_made_for(groups: Groups, vocabulary: Vocabulary, place: str = "") -> None:
    """Raise ValueError, naming the groups and their file, unless they were made for this vocabulary."""
    try:
        groups.check_features(vocabulary.sha256, len(vocabulary))
    except ValueError as error:
        whose = f"The groups {_some(list(groups.names[: NAMED + 1]), len(groups))}{' of ' * bool(place)}{place}"
        raise ValueError(
            f"{whose} cannot be used here. {error} Groups by word, {{name: [word, …]}}, fit any vocabulary, also those "
            "of the folds of cross-validation."
        ) from None


def _checked(data: Any, what: str) -> dict[str, list[str]]:
    if not isinstance(data, Mapping) or not data:
        raise ValueError(f"{what} must be an object {{name: [word, …], …}} with at least one group.")
    for name, words in data.items():
        if not isinstance(name, str):
            raise ValueError(f"{what}: the name of a group is {name!r}; names must be strings.")
        listed = isinstance(words, Sequence) and not isinstance(words, str)
        if not listed or not all(isinstance(word, str) for word in words):
            raise ValueError(f"{what}: the group {name!r} is {excerpt(words)}; it must be a list of words.")
        if not words:
            raise ValueError(f"{what}: the group {name!r} is empty; give it words or leave it out.")
    return {name: list(words) for name, words in data.items()}


def _from_table(source: Any, words: str, column: str) -> dict[str, list[str]]:
    table = as_table(os.fspath(source) if isinstance(source, os.PathLike) else source)
    groups: dict[str, list[str]] = {}
    seen: set[str] = set()
    for _, line, values in table.rows:
        seen.update(values)
        word, group = values.get(words), values.get(column)
        if group is None or group == "" or group != group:
            continue
        if not isinstance(word, str):
            if words not in values:
                break
            raise ValueError(f"{table.place(line)}: the word (column {words!r}) is {word!r}; it must be a string.")
        groups.setdefault(str(group), []).append(word)
    for name in (words, column):
        if seen and name not in seen:
            raise ValueError(
                f"{table.name} has no column {name!r}; its columns are {', '.join(map(repr, sorted(seen)))}."
            )
    if not groups:
        raise ValueError(f"{table.name}: no row has a group (column {column!r}).")
    return groups


def _some(names: list[str], count: int | None = None) -> str:
    count = len(names) if count is None else count
    return ", ".join(map(repr, names[:NAMED])) + (f" and {count - NAMED} more" if count > NAMED else "")


def by_word(groups: Groups, words: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups by name, with their words in place of numbers; weights are left out."""
    return {name: [words[j] for j in groups.members(g)] for g, name in enumerate(groups.names)}


def check_groups(groups: Any) -> None:
    """Raise TypeError unless `groups` is None or something that `built_groups` takes."""
    if groups is None:
        return
    families = _families(groups)
    if not families:
        raise ValueError("groups is an empty list; give at least one family of groups, or None for no groups.")
    for one in families:
        if isinstance(one, type) or not (isinstance(one, (Groups, Mapping)) or callable(getattr(one, "build", None))):
            what = f"the class {one.__name__}" if isinstance(one, type) else f"a {type(one).__name__}"
            raise TypeError(
                f"groups is {what}; it must be a builder such as SentenceGroups(), a laconic.Groups, a dictionary "
                "{name: [word, …]}, or a list of these."
            )


def built_groups(groups: Any, corpus: Corpus, vocabulary: Vocabulary, analyzer: Analyzer) -> Groups:
    """Return the groups of training texts over the vocabulary of their design; several families become one."""
    check_groups(groups)
    parts = []
    for family in _families(groups):
        if isinstance(family, Groups):
            check_made_for(family, vocabulary)
            parts.append(family)
        else:
            builder = GivenGroups(family) if isinstance(family, Mapping) else family
            parts.append(builder.build(corpus, vocabulary, analyzer))
    return reduce(add, parts)


def corpus_of(documents: Sequence[Any]) -> Corpus:
    """Return texts, token lists or documents as an unlabelled corpus; texts without an id are numbered from 1."""
    whole = [one for one in documents if isinstance(one, Document)]
    ids = tuple(one.id if isinstance(one, Document) else str(i) for i, one in enumerate(documents, 1))
    if len(set(ids)) < len(ids):  # of several sources: only their positions tell them apart
        ids = tuple(map(str, range(1, len(ids) + 1)))
    sentences, trees = None, None
    if len(whole) == len(documents) and all(one.sentences is not None for one in whole):
        sentences = tuple(one.sentences or () for one in whole)
    if len(whole) == len(documents) and all(one.tree is not None for one in whole):
        trees = tuple(one.tree or "" for one in whole)
    texts = tuple(one.text if isinstance(one, Document) else one for one in documents)
    return Corpus(texts, None, ids, sentences, trees)


def _families(groups: Any) -> list[Any]:
    return list(groups) if isinstance(groups, (list, tuple)) else [groups]
