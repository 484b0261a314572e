"""Builders by name, as on a command line: ``sentences``, ``lda:500``, ``vectors:PATH``, a file of groups.

What follows the colon is the number of groups, topics or clusters to ask for, or a choice or file of that kind.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from laconic.groups.brown import BrownGroups
from laconic.groups.builder import Builder
from laconic.groups.constituents import NEUTRAL, ConstituentGroups
from laconic.groups.embeddings import EmbeddingGroups
from laconic.groups.given import GivenGroups
from laconic.groups.lda import ENGINES, LDAGroups
from laconic.groups.lsi import LSIGroups
from laconic.groups.ngrams import NgramGroups
from laconic.groups.pursuit import PursuitGroups
from laconic.groups.sentences import LEVELS, SentenceGroups
from laconic.groups.word_graph import METHODS, WordGraphGroups

SIZES = {
    BrownGroups: "clusters",
    LDAGroups: "topics",
    LSIGroups: "components",
    EmbeddingGroups: "clusters",
    PursuitGroups: "n_groups",
}
TABLE = re.compile(r"\.(csv|tsv|jsonl|parquet):[^:]+$", re.IGNORECASE)
PATHS = re.compile(r"\.paths(\.gz|\.xz|\.zst)?$", re.IGNORECASE)
KINDS = (
    *("sentences", *(f"sentences:{level}" for level in LEVELS[1:])),
    *("constituents", "constituents:neutral", "constituents:TREES"),
    *("lda", "lda:N", "lda:sklearn", "lsi", "lsi:N", "brown", "brown:N", "brown:PATHS"),
    *("graph", "graph:leiden", "ngrams", "vectors:PATH", "vectors", "learned"),
)


def builder_of(kind: str, *, size: int | None = None, texts: Any = None, seed: int | None = None) -> Builder:
    """Return the builder that a name or file stands for; `size` is the number of topics, clusters or groups."""
    name, _, more = kind.rpartition(":") if TABLE.search(kind) else kind.partition(":")
    if more.isdecimal():
        if size is not None and size != int(more):
            raise ValueError(f"The size of {kind!r} is given twice; the other one is {size}.")
        size, more = int(more), ""
    builder = _named(kind, name, more)
    asked = {SIZES.get(type(builder), "size"): size, "texts": texts, "seed": seed}
    given = {name: value for name, value in asked.items() if value is not None}
    allowed = inspect.signature(type(builder)).parameters
    for name, value in given.items():
        # `size` of a builder itself is the size of one group, not their number.
        if name not in allowed or (name == "size" and type(builder) not in SIZES):
            raise ValueError(f"Groups of the kind {kind!r} take no {name} ({value!r}).")
    return replace(builder, **given) if given else builder  # type: ignore[type-var]


def _named(kind: str, name: str, more: str) -> Builder:
    if name in ("vectors", "embeddings"):
        return EmbeddingGroups(more or None)
    if kind.lower().endswith(".json"):
        return GivenGroups(kind)
    if TABLE.search(kind):
        return GivenGroups(name, column=more)
    if name in MAKERS and (made := MAKERS[name](more)) is not None:
        return made
    if PATHS.search(kind):
        raise ValueError(f"{kind!r} is a file of Brown clusters by its name; use it as 'brown:{kind}'.")
    raise ValueError(
        f"There are no groups of the kind {kind!r}; use {', '.join(KINDS)}, a .json file or a table FILE.csv:COLUMN."
    )


def _one_of(make: Callable[[str], Builder], allowed: tuple[str, ...]) -> Callable[[str], Builder | None]:
    return lambda more: make(more or allowed[0]) if (more or allowed[0]) in allowed else None


MAKERS: dict[str, Callable[[str], Builder | None]] = {
    "sentences": _one_of(SentenceGroups, LEVELS),
    "constituents": lambda more: (
        ConstituentGroups(labels=NEUTRAL) if more == "neutral" else ConstituentGroups(more or None)
    ),
    "lda": _one_of(lambda engine: LDAGroups(engine=engine), ENGINES),
    "lsi": _one_of(lambda _: LSIGroups(), ("",)),
    "brown": lambda more: BrownGroups(paths=more or None),
    "graph": _one_of(lambda method: WordGraphGroups(method=method), METHODS),
    "ngrams": _one_of(lambda _: NgramGroups(), ("",)),
    "learned": _one_of(lambda _: PursuitGroups(), ("",)),
}
