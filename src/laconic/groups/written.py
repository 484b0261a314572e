"""Groups as ``{name: [word, …]}``: what a person can read and edit, and what fits any vocabulary."""

from collections.abc import Sequence

from laconic.core.groups import Groups


def by_word(groups: Groups, words: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups by name, with their words in place of numbers; weights are left out."""
    return {name: [words[j] for j in groups.members(g)] for g, name in enumerate(groups.names)}
