"""Values of columns as numbers: 0 is the room between sentences, known values count from 1, unknown ones are −1.

Views are columns that are computed from other columns, such as shapes, affixes and letter case. A template names them
as if they were columns of the data: ``shape[0]`` is the shape of the word, ``shape(lemma)[0]`` of another column.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.templates.language import Template

Tables = dict[str, dict[str, int]]
DEFAULT = "word"
_NAME = re.compile(r"(?P<view>[A-Za-z_][\w-]*?)(?P<size>[1-9]\d?)?(?:\((?P<source>[\w-]+)\))?")


def tables_of(atoms: Mapping[str, Sequence[str]]) -> Tables:
    """Return column to value to atom, of the known values of columns."""
    return {column: {value: atom for atom, value in enumerate(values, 1)} for column, values in atoms.items()}


def keep_atoms(
    columns: Sequence[str], places: Sequence[tuple[str, NDArray]], tables: Mapping[str, Mapping[str, int]], always: int
) -> dict[str, list[str]]:
    """Return by column the values whose atoms occur at some places, and the first ``always`` ones."""
    # A place is a column with an array of atoms, which are renumbered in place.
    kept: dict[str, list[str]] = {}
    for column in columns:
        mine = [atoms for name, atoms in places if name == column]
        used = np.zeros(len(tables[column]) + 1, dtype=np.bool_)
        for atoms in mine:
            used[atoms] = True
        used[0], used[1 : 1 + always] = False, True
        new = np.cumsum(used) * used
        for atoms in mine:
            atoms[...] = new[atoms]
        values = list(tables[column])  # in the order of their numbers
        kept[column] = [values[atom - 1] for atom in np.flatnonzero(used).tolist()]
    return kept


def place_tokens(sentences: Sentences, gap: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return where sentences start, where tokens stand, and how many positions there are, with room between them."""
    starts = gap + sentences.ends[:-1] + gap * np.arange(len(sentences), dtype=np.int64)
    tokens = np.repeat(starts - sentences.ends[:-1], sentences.lengths) + np.arange(sentences.n_tokens, dtype=np.int64)
    return starts, tokens, sentences.n_tokens + gap * (len(sentences) + 1)


def number_atoms(
    sentences: Sentences, tables: Tables, tokens: NDArray[np.int64], size: int, grow: bool
) -> NDArray[np.int32]:
    """Return the numbers of all values, one row a column; with ``grow`` new values are added to the tables."""
    # Views (shape, suffix3, …) are computed once for each different value.
    atoms = np.zeros((max(len(tables), 1), size), dtype=np.int32)
    local: dict[str, tuple[list[str], NDArray[np.int32]]] = {}
    for row, (column, table) in enumerate(tables.items()):
        source, function = source_of(column, sentences.columns)
        if source not in local:
            local[source] = _numbered(source, sentences)
        values, numbers = local[source]
        seen: Any = values if function is None else map(function, values)
        if grow:
            found = [table.setdefault(value, len(table) + 1) for value in seen]
        else:
            found = [table.get(value, -1) for value in seen]
        if found:
            atoms[row, tokens] = np.array(found, dtype=np.int32)[numbers]
    return atoms


def real_values(
    sentences: Sentences, templates: Sequence[Template], tokens: NDArray[np.int64], size: int
) -> NDArray[np.float32]:
    """Return the numbers that real-valued templates carry, one row a template."""
    values = np.zeros((len(templates), size), dtype=np.float32)
    columns: dict[str, NDArray[np.float32]] = {}
    for row, one in enumerate(templates):
        product = np.ones(len(tokens), dtype=np.float32)
        for cell in one.cells:
            if cell.real:
                if cell.column not in columns:
                    columns[cell.column] = np.zeros(size, dtype=np.float32)
                    columns[cell.column][tokens] = _floats(view(cell.column)[0], sentences)
                product *= columns[cell.column][tokens + cell.offset]
        values[row, tokens] = product
    return values


def power_of_two(least: int) -> int:
    """Return the smallest power of two from 16 that is at least so large."""
    return 1 << max(4, (least - 1).bit_length())


def check_columns(templates: Sequence[Any], given: Mapping[str, Any]) -> None:
    """Refuse templates that look at a column the data does not have."""
    for one in templates:
        for column in one.columns:
            source, _ = source_of(column, given)
            if source not in given:
                raise ValueError(
                    f"Template '{one}' looks at the column {source!r}; the data has {', '.join(map(repr, given))}, and "
                    f"computed are {views()}."
                )


def source_of(column: str, given: Mapping[str, Any]) -> tuple[str, Callable[[str], str] | None]:
    """Return the column that a name comes from, and its view; a column of the data goes before a view of that name."""
    return (column, None) if column in given else view(column)


def _numbered(source: str, sentences: Sentences) -> tuple[list[str], NDArray[np.int32]]:
    values = sentences.columns[source]
    different = list(dict.fromkeys(values))
    for value in different:
        if not isinstance(value, str):
            raise TypeError(
                f"Column {source!r} holds {value!r}, which is no string; for numbers use a template such as "
                f"real({source})[0]."
            )
    numbers = dict(zip(different, count()))
    return different, np.fromiter(map(numbers.__getitem__, values), dtype=np.int32, count=len(values))


def _floats(source: str, sentences: Sentences) -> NDArray[np.float32]:
    try:
        found = np.array([float(value) for value in sentences.columns[source]], dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Column {source!r}, used by real({source}), holds something that is no number: {error}."
        ) from error
    if not np.isfinite(found).all():
        raise ValueError(f"Column {source!r}, used by real({source}), holds a number that is not finite.")
    return found


def shape(word: str) -> str:
    """Replace capitals by A, small letters by a, a digit by 0, a run of digits by 0+; runs of the same are one."""
    made: list[str] = []
    last, run = "", 0
    for letter in word:
        kind = "0" if letter.isdigit() else "A" if letter.isupper() else "a" if letter.isalpha() else letter
        if kind == last:
            run += 1
            if kind == "0" and run == 2:
                made.append("+")
            continue
        made.append(kind)
        last, run = kind, 1
    return "".join(made)


def case(word: str) -> str:
    """Say how a word is capitalised: ``lower``, ``title``, ``upper``, ``mixed``, or ``none`` without letters."""
    if not any(letter.isalpha() for letter in word):
        return "none"
    if not any(letter.isupper() for letter in word):
        return "lower"
    if word[0].isupper() and not any(letter.isupper() for letter in word[1:]):
        return "title"
    return "upper" if not any(letter.islower() for letter in word) else "mixed"


def punct(word: str) -> str:
    """Say whether a word has punctuation or signs: ``all``, ``some`` or ``none``."""
    return _share([unicodedata.category(letter)[0] in "PS" for letter in word])


def digit(word: str) -> str:
    """Say whether a word has digits: ``all``, ``some`` or ``none``."""
    return _share([letter.isdigit() for letter in word])


_VIEWS: dict[str, Callable[[str], str]] = {
    "case": case,
    "digit": digit,
    "lower": str.lower,
    "punct": punct,
    "shape": shape,
}
_SIZED: dict[str, Callable[[int, str], str]] = {
    "prefix": lambda size, word: word[:size],
    "suffix": lambda size, word: word[-size:],
}


def view(column: str) -> tuple[str, Callable[[str], str] | None]:
    """Return the column that a name is computed from, and the function; the name itself and None if it is no view."""
    found = _NAME.fullmatch(column)
    if found is None:
        return column, None
    name, size, source = found["view"], found["size"], found["source"] or DEFAULT
    if size is None and name in _VIEWS:
        return source, _VIEWS[name]
    if size is not None and name in _SIZED:
        return source, partial(_SIZED[name], int(size))
    if found["source"] is not None and name != "real":
        raise ValueError(f"There is no {column!r}: {name + (size or '')!r} is none of {views()}.")
    return (source, None) if found["source"] is not None else (column, None)


def views() -> str:
    """Return the names of all views, for messages."""
    return ", ".join([*sorted(_VIEWS), *(f"{name}N" for name in sorted(_SIZED)), "real"])


def _share(flags: list[bool]) -> str:
    return "all" if flags and all(flags) else "some" if any(flags) else "none"
