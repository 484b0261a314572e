"""The columns that arc templates look at, with stand-ins for those that a treebank leaves blank.

A column of which every cell is ``_`` says nothing. For fine tags the coarse ones stand in (and the other way round),
for lemmas the first five letters of the word, for morphology its last two. What stood in for what in training is part
of a model, and is done again in prediction.
"""

import warnings
from collections.abc import Callable, Collection

from laconic.data.annotated.sentences import WORD, Sentences

BLANK = "_"
TAGS = ("pos", "xpos")
_FROM_WORD: dict[str, Callable[[str], str]] = {
    "lemma": lambda word: word.lower()[:5],
    "feats": lambda word: word.lower()[-2:],
}
MADE = (*TAGS, *_FROM_WORD)


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
    """Return sentences with stand-ins for the columns ``replaced``.

    ``used`` are columns that a model looks at: a warning says if one of them is blank here but was not in training.
    """
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
