"""Builders by name, as on a command line: ``sentences``, ``sentences:paragraph``, ``sentences:document``, a file."""

from laconic.groups.given import GivenGroups
from laconic.groups.sentences import LEVELS, SentenceGroups

KINDS = ("sentences", *(f"sentences:{level}" for level in LEVELS[1:]))


def builder_of(kind: str) -> SentenceGroups | GivenGroups:
    """Return the builder that a name stands for; a name that ends in ``.json`` is a file.

    Examples
    --------
    >>> builder_of("sentences:paragraph").level
    'paragraph'
    >>> builder_of("topics.json").given
    'topics.json'
    """
    if kind.lower().endswith(".json"):
        return GivenGroups(kind)
    name, _, level = kind.partition(":")
    if name != "sentences" or (level or LEVELS[0]) not in LEVELS:
        raise ValueError(f"There are no groups of the kind {kind!r}; use {', '.join(KINDS)} or a .json file.")
    return SentenceGroups(level or LEVELS[0])
