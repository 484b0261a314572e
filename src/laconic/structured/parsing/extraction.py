"""Sentences to atoms for arc templates: the root is a token of its own, before the first one.

A column of which every cell is ``_`` says nothing. For fine tags the coarse ones stand in (and the other way round),
for lemmas the first five letters of the word, for morphology its last two. What stood in for what in training is part
of a model, and is done again in prediction. A tree makes columns of its own.
"""

import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import WORD, Sentences
from laconic.kernels.arcs.shapes import ArcText
from laconic.structured.parsing.templates import ArcProgram
from laconic.structured.templates.intern import Tables, check_columns, number_atoms, place_tokens

ROOT = "⊤"  # the value of every column at the root; its atom is 1
NONE = "⊥"
FROM_HEAD = ("word", "lemma", "pos", "xpos", "feats")
BLANK = "_"
TAGS = ("pos", "xpos")
_FROM_WORD: dict[str, Callable[[str], str]] = {
    "lemma": lambda word: word.lower()[:5],
    "feats": lambda word: word.lower()[-2:],
}
MADE = (*TAGS, *_FROM_WORD)


@dataclass(frozen=True)
class Arcs:
    """Training sentences with the heads of all their tokens, and all that is needed to name a feature."""

    program: ArcProgram
    text: ArcText
    tables: Tables
    heads: NDArray[np.int64]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where sentences begin in ``heads``."""
        return np.concatenate([[0], np.cumsum(self.text.lengths)]).astype(np.int64)

    def only(self, program: ArcProgram) -> "Arcs":
        """Return the same for fewer templates."""
        rows = [self.program.columns.index(column) for column in program.columns]
        text = self.text._replace(atoms=np.ascontiguousarray(self.text.atoms[rows]))
        # The room between sentences stays as wide as it was; more than needed does no harm.
        return Arcs(program, text, {column: self.tables[column] for column in program.columns}, self.heads)


def extract_arcs(sentences: Sentences, program: ArcProgram, heads: NDArray[np.int64]) -> Arcs:
    """Return training sentences with all their values interned."""
    tables: Tables = {column: {ROOT: 1} for column in program.columns}
    return Arcs(program, arc_text(sentences, program, tables, grow=True), tables, heads)


def arc_text(sentences: Sentences, program: ArcProgram, tables: Tables, grow: bool = False) -> ArcText:
    """Return sentences for the kernels; with ``grow`` new values are added to the tables."""
    check_columns(program.templates, sentences.columns)
    starts, tokens, size = place_tokens(sentences, program.gap)
    atoms = number_atoms(sentences, tables, tokens, size, grow)
    atoms[:, starts - 1] = 1
    return ArcText(atoms, starts, sentences.lengths)


def stand_ins(sentences: Sentences, used: Collection[str]) -> tuple[str, ...]:
    """Return which of the columns used are blank or lacking, so that others must stand in; refuse data without tags."""
    blank = tuple(name for name in MADE if name in used and _is_blank(sentences, name))
    tags = [name for name in TAGS if name in used]
    if tags and all(_is_blank(sentences, name) for name in TAGS):
        raise ValueError(
            f"There are no tags in {sentences.source}: a parser needs a part of speech for every token, in the column "
            "pos. Tag the sentences first, for example by a tagger of your own (laconic parse … --tagger MODEL)."
        )
    return blank


def fill_columns(sentences: Sentences, replaced: Collection[str], used: Collection[str] = ()) -> Sentences:
    """Return sentences with stand-ins for the columns ``replaced``."""
    # ``used`` are columns that a model looks at: a warning says if one of them is blank here but was not in training.
    columns = dict(sentences.columns)
    for name in replaced:
        if name in TAGS:
            columns[name] = columns[TAGS[1 - TAGS.index(name)]]
        else:
            made: dict[str, str] = {}
            make = _FROM_WORD[name]
            columns[name] = [made.setdefault(word, make(word)) for word in columns[WORD]]
    for name in used:
        if name in MADE and name not in replaced and _is_blank(sentences, name):
            if name in TAGS:
                stand_ins(sentences, TAGS)  # raises where there are no tags at all
            warnings.warn(
                f"The column {name} of {sentences.source} is empty, but the model was trained with it; it will parse "
                "worse than it could.",
                stacklevel=3,
            )
            columns[name] = [BLANK] * sentences.n_tokens
    return Sentences(columns, sentences.lengths, sentences.source)


def all_columns(sentences: Sentences, replaced: tuple[str, ...]) -> Sentences:
    """Return sentences with every column that relations look at, stand-ins for those that are blank."""
    return fill_columns(sentences, tuple(dict.fromkeys([*replaced, *stand_ins(sentences, MADE)])))


def _is_blank(sentences: Sentences, name: str) -> bool:
    return all(value == BLANK for value in sentences.columns.get(name, ()))


def with_heads(sentences: Sentences, heads: NDArray[np.int64]) -> Sentences:
    """Return sentences with columns of each word's head, of the head's head, and of words below and beside it."""
    n = sentences.n_tokens
    first_of = np.repeat(sentences.ends[:-1], sentences.lengths)
    places = np.arange(n) - first_of + 1
    above = np.where(heads > 0, first_of + heads - 1, -1)  # −1 is the root
    over = np.where(above >= 0, above[above], -1)
    columns = dict(sentences.columns)
    for name in FROM_HEAD:
        columns[f"head_{name}"] = _taken(sentences.columns[name], above, ROOT)
    columns["over_xpos"] = _taken(sentences.columns["xpos"], over, ROOT)
    columns["side"] = ["left" if left else "right" for left in (places < heads).tolist()]
    columns["distance"] = [str(one) if one < 4 else "4+" for one in np.abs(places - heads).tolist()]
    first, last = np.full(n, -1), np.full(n, -1)
    before, after = np.full(n, -1), np.full(n, -1)
    latest: dict[int, int] = {}  # the last word seen below a head
    for token, head in enumerate(above.tolist()):
        if head < 0:
            continue
        if first[head] < 0:
            first[head] = token
        last[head] = token
        if head in latest:
            before[token], after[latest[head]] = latest[head], token
        latest[head] = token
    for name, which in (("first", first), ("last", last), ("before", before), ("after", after)):
        columns[f"{name}_xpos"] = _taken(sentences.columns["xpos"], which, NONE)
    columns["first_lemma"] = _taken(sentences.columns["lemma"], first, NONE)
    return Sentences(columns, sentences.lengths, sentences.source)


def _taken(values: list[str], which: NDArray[np.int64], otherwise: str) -> list[str]:
    return [values[i] if i >= 0 else otherwise for i in which.tolist()]
