"""Groups that a user brings: words by name, from a JSON file or a dictionary, or a file that `Groups.save` wrote.

``{"space": ["moon", "orbit"], …}`` fits any vocabulary: words that are not in it are dropped and counted. A file of
`Groups` holds numbers of words, so it fits only the vocabulary whose hash it carries; another one is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.core import _groups_io as storage
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.sentences import WEIGHTS
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

NAMED = 3  # groups that a message names


@dataclass(frozen=True)
class GivenGroups:
    """Take groups from a file or a dictionary.

    Parameters
    ----------
    given : path or mapping
        A JSON file ``{name: [word, …]}`` or one that `Groups.save` wrote; or such a dictionary itself.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size in the vocabulary, or 1. A file of `Groups` brings its own weights.

    Examples
    --------
    >>> import numpy as np
    >>> vocabulary = Vocabulary(("disk", "moon", "orbit"), np.array([1, 1, 1]), n_documents=3)
    >>> groups = GivenGroups({"space": ["orbit", "moon", "rover"]}).build(None, vocabulary)
    >>> groups.names, groups.members(0).tolist(), groups.source
    (('space',), [1, 2], 'given groups (1 of 3 words not in the vocabulary)')
    """

    given: str | os.PathLike | Mapping[str, Sequence[str]]
    weights: str = "sqrt"

    def __post_init__(self) -> None:
        if self.weights not in WEIGHTS:
            raise ValueError(f"weights is {self.weights!r}; allowed are 'sqrt' (of the group's size) and 'ones'.")
        if not isinstance(self.given, (str, os.PathLike, Mapping)):
            raise TypeError(
                f"GivenGroups takes a file or a dictionary {{name: [word, …]}}, but got {type(self.given).__name__}."
            )

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, numbered by the words of a vocabulary.

        Parameters
        ----------
        corpus, analyzer
            Not looked at.
        vocabulary : Vocabulary

        Raises
        ------
        OSError
            If there is no such file.
        ValueError
            If it holds no groups, none of their words is in the vocabulary, or it was made for another vocabulary.
        """
        place = "" if isinstance(self.given, Mapping) else os.fspath(self.given)
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
        return Groups.from_lists(
            lists,
            len(vocabulary),
            "sqrt" if self.weights == "sqrt" else 1.0,
            tuple(content),
            vocabulary.sha256,
            f"{what} ({missing} of {total} words not in the vocabulary)" if missing else what,
        )

    def read(self) -> Groups | dict[str, list[str]]:
        """Return what was given, checked: words by group name, or `Groups` that come from a file of their own."""
        if isinstance(self.given, Mapping):
            return _checked(self.given, "The given groups")
        path = Path(self.given)
        if not path.is_file():
            raise FileNotFoundError(f"There is no file of groups {str(path)!r}; check its name.")
        data = storage.load(path)
        if isinstance(data, Mapping) and data.get("kind") == "groups":
            try:
                return Groups.from_json(data)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{path} cannot be used: {error}") from error
        return _checked(data, str(path))


def check_made_for(groups: Groups, vocabulary: Vocabulary, place: str = "") -> None:
    """Raise ValueError, naming the groups and their file, unless they were made for this vocabulary.

    Examples
    --------
    >>> import numpy as np
    >>> vocabulary = Vocabulary(("disk", "moon"), np.array([1, 1]), n_documents=3)
    >>> check_made_for(Groups.singletons(2), vocabulary)
    """
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
        if isinstance(words, str) or not isinstance(words, Sequence) or not all(isinstance(one, str) for one in words):
            raise ValueError(f"{what}: the group {name!r} is {str(words)[:60]!r}; it must be a list of words.")
    return {name: list(words) for name, words in data.items()}


def _some(names: list[str], count: int | None = None) -> str:
    count = len(names) if count is None else count
    return ", ".join(map(repr, names[:NAMED])) + (f" and {count - NAMED} more" if count > NAMED else "")
