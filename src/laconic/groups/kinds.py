"""Builders by name, as on a command line: ``sentences``, ``vectors:PATH``, ``learned``, a file of groups."""

from typing import Any

from laconic.groups.embeddings import EmbeddingGroups
from laconic.groups.given import GivenGroups
from laconic.groups.pursuit import PursuitGroups
from laconic.groups.sentences import LEVELS, SentenceGroups

KINDS = ("sentences", *(f"sentences:{level}" for level in LEVELS[1:]), "vectors:PATH", "vectors", "learned")


def builder_of(kind: str) -> Any:
    """Return the builder that a name stands for; a name that ends in ``.json`` is a file.

    Examples
    --------
    >>> builder_of("sentences:paragraph").level
    'paragraph'
    >>> builder_of("vectors:glove.txt").vectors
    'glove.txt'
    >>> builder_of("topics.json").given
    'topics.json'
    """
    name, _, more = kind.partition(":")
    if name == "vectors":
        return EmbeddingGroups(more or None)
    if kind.lower().endswith(".json"):
        return GivenGroups(kind)
    if kind == "learned":
        return PursuitGroups()
    if name == "sentences" and (more or LEVELS[0]) in LEVELS:
        return SentenceGroups(more or LEVELS[0])
    raise ValueError(f"There are no groups of the kind {kind!r}; use {', '.join(KINDS)} or a .json file.")
