"""Groups as ``{name: [word, …]}``: what a person can read and edit, and what fits any vocabulary."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from laconic.core.atomic import write_file
from laconic.core.groups import Groups


def by_word(groups: Groups, words: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups by name, with their words in place of numbers; weights are left out."""
    return {name: [words[j] for j in groups.members(g)] for g, name in enumerate(groups.names)}


def write_groups(path: Path, groups: Mapping[str, Sequence[str]]) -> None:
    """Write such groups as a JSON file; an existing file is replaced at once or not at all."""
    write_file(path, json.dumps(groups))
