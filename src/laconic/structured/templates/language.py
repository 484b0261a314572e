"""A small language for feature templates: which cells around a token make up a feature.

``word[-1] & pos[0]`` is the word before together with the part of speech here; ``pos[-2..0]`` is a run of three;
``suffix3[0]`` looks at the last three letters of the word, ``shape(lemma)[1]`` at the shape of another column.
``real(length)[0]`` takes a column of numbers as it is: the feature has that value instead of 1. Every template is
conjoined with the label; pairs of neighbouring labels are always part of a model and need no template.

A tagger takes its templates as a `Program`: the columns to intern, the patterns to number once, and each template as a
shift of one. ``pos[-2..-1]`` and ``pos[0..1]`` are the same pattern, a pair of neighbours, looked at from different
places. Of the 96 chunking templates 10 patterns are left, of the 452 for named entities 44.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Sets = dict[str, tuple[Callable[[], list[str]], str]]
Pattern = tuple[tuple[int, int], ...]

_PART = re.compile(r"\s*([A-Za-z_][\w-]*)(?:\(([A-Za-z_][\w-]*)\))?\[\s*([+-]?\d+)\s*(?:\.\.\s*([+-]?\d+)\s*)?\]\s*")
T = TypeVar("T")
REAL = "real"
FARTHEST = 1000


@dataclass(frozen=True, order=True)
class Cell:
    """One cell that a template looks at: a column as written (``word``, ``shape(lemma)``), and an offset."""

    column: str
    offset: int

    def __str__(self) -> str:
        return f"{self.column}[{self.offset}]"

    @property
    def name(self) -> str:
        """What it looks at, without the offset."""
        return self.column

    @property
    def place(self) -> int:
        """Where it looks."""
        return self.offset

    @property
    def real(self) -> bool:
        """Whether the cell is a number that scales the feature."""
        return self.column.startswith(f"{REAL}(")


@dataclass(frozen=True)
class Template:
    """A conjunction of cells.

    Parameters
    ----------
    cells : tuple of Cell
        Sorted; no cell twice.

    Examples
    --------
    >>> one = parse_template("pos[0] & pos[-1] & word[0]")
    >>> str(one)
    'pos[-1..0] & word[0]'
    >>> parse_template(str(one)) == one
    True
    """

    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return write_cells(self.cells)

    @property
    def real(self) -> bool:
        """Whether the template's features carry a number."""
        return any(cell.real for cell in self.cells)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at, each once, sorted."""
        return tuple(sorted({cell.column for cell in self.cells}))


def parse_template(text: str) -> Template:
    """Read one template.

    Parameters
    ----------
    text : str
        Cells joined by ``&``; a cell is ``column[offset]`` or a run ``column[first..last]``.

    Examples
    --------
    >>> [str(cell) for cell in parse_template("word[-1..1]").cells]
    ['word[-1]', 'word[0]', 'word[1]']
    >>> parse_template("word[0] pos[1]")
    Traceback (most recent call last):
        ...
    ValueError: Template 'word[0] pos[1]': expected & or the end at character 9, found 'pos[1]'.
    """
    if not isinstance(text, str):
        raise TypeError(f"A template is a string such as 'word[-1] & pos[0]', not {text!r}.")
    cells: list[Cell] = []
    for name, source, first, last in read_parts(text, _PART, "word[0], pos[-2..0] or suffix3[1]"):
        column = name if source is None else f"{name}({source})"
        cells += [Cell(column, offset) for offset in read_run(text, column, first, last)]
    refuse_repetition(text, cells)
    return Template(tuple(sorted(cells)))


def parse_templates(templates: Iterable[str | Template]) -> tuple[Template, ...]:
    """Read several templates, keep their order and drop repetitions."""
    return read_all(templates, Template, parse_template, "word[0]")


def reach(templates: Sequence[Template]) -> int:
    """Return how many tokens to either side the templates look at most."""
    return max((abs(cell.offset) for one in templates for cell in one.cells), default=0)


def read_all(templates: Iterable[str | T], kind: type[T], read: Callable[[str], T], example: str) -> tuple[T, ...]:
    """Return templates, those that are texts read, in their order and without repetitions."""
    parsed = [one if isinstance(one, kind) else read(one) for one in templates]  # type: ignore[arg-type]
    if not parsed:
        raise ValueError(f"There are no templates; give at least one, such as {example}.")
    return tuple(dict.fromkeys(parsed))


def write_cells(cells: Sequence[Any]) -> str:
    """Return cells joined by ``&``, runs of neighbouring ones as one."""
    runs: list[list[Any]] = []
    for cell in cells:
        if runs and cell == replace(runs[-1][-1], offset=runs[-1][-1].offset + 1):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return " & ".join(
        str(run[0]) if len(run) == 1 else f"{run[0].name}[{run[0].offset}..{run[-1].offset}]" for run in runs
    )


def read_parts(text: str, part: re.Pattern, examples: str) -> list[tuple[Any, ...]]:
    """Return what ``part`` finds in each of the parts that ``&`` joins; say where a text cannot be read."""
    found: list[tuple[Any, ...]] = []
    at = 0
    while True:
        one = part.match(text, at)
        if one is None:
            raise ValueError(
                f"Template {text!r}: expected a cell such as {examples} at character {at + 1}, found "
                f"{text[at:] or 'the end'!r}."
            )
        found.append(one.groups())
        at = one.end()
        if at == len(text):
            return found
        if text[at] != "&":
            raise ValueError(f"Template {text!r}: expected & or the end at character {at + 1}, found {text[at:]!r}.")
        at += 1


def read_run(text: str, column: str, first: str, last: str | None) -> range:
    """Return the offsets of a cell, or of a run of cells, of a template."""
    start, end = int(first), int(last if last is not None else first)
    if end < start:
        raise ValueError(f"Template {text!r}: the run {column}[{start}..{end}] ends before it begins.")
    if max(abs(start), abs(end)) > FARTHEST:
        raise ValueError(
            f"Template {text!r} looks {max(abs(start), abs(end))} tokens away; at most {FARTHEST} will do."
        )
    return range(start, end + 1)


def refuse_repetition(text: str, cells: Sequence[Any]) -> None:
    """Refuse a template that names a cell twice."""
    if len(set(cells)) < len(cells):
        twice = next(cell for cell in cells if cells.count(cell) > 1)
        raise ValueError(f"Template {text!r} names {twice} twice; name it once.")


def described(sets: Sets) -> dict[str, str]:
    """Return the names of sets and what each holds."""
    return {name: text for name, (_, text) in sets.items()}


def expanded(given: Any, template: type, sets: Sets, is_name: Callable[[str], bool], example: str) -> Iterable[Any]:
    """Yield what is given, one or several, with its templates in the place of the name of a set."""
    for one in [given] if isinstance(given, (str, template)) else given:
        if not isinstance(one, str) or not is_name(one):
            yield one
        elif one in sets:
            yield from sets[one][0]()
        else:
            raise ValueError(
                f"There is no set of templates {one!r}; there are {', '.join(sets)}, and templates such as {example}."
            )


@dataclass(frozen=True)
class Program:
    """What to look up where: templates, those that carry numbers last, and the columns whose values are interned."""

    # A pattern is a tuple of (number of a column, offset), the smallest offset 0; ``pattern_of`` and ``shifts`` are of
    # each template. ``gap`` is how far a template looks at most; as much room is left between sentences.

    templates: tuple[Template, ...]
    columns: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    pattern_of: tuple[int, ...]
    shifts: tuple[int, ...]
    gap: int

    @property
    def first_real(self) -> int:
        """Number of the first template that carries numbers."""
        return sum(not one.real for one in self.templates)

    def cells(self, pattern: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return columns and offsets of a pattern, as the kernels take them."""
        cells = np.array(self.patterns[pattern], dtype=np.int64).reshape(-1, 2)
        return np.ascontiguousarray(cells[:, 0]), np.ascontiguousarray(cells[:, 1])

    def wanted(self, pattern: int, tokens: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
        """Return at which of ``size`` positions some template asks for a pattern."""
        flags = np.zeros(size, dtype=np.bool_)
        for of, shift in zip(self.pattern_of, self.shifts, strict=True):
            if of == pattern:
                flags[tokens + shift] = True
        return flags


def compile_program(templates: Sequence[Template]) -> Program:
    """Return templates as a program."""
    ordered = tuple(sorted(templates, key=lambda one: one.real))
    columns = tuple(dict.fromkeys(cell.column for one in ordered for cell in one.cells if not cell.real))
    numbers = {column: number for number, column in enumerate(columns)}
    patterns: dict[Pattern, int] = {}
    pattern_of, shifts = [], []
    for one in ordered:
        cells = [(numbers[cell.column], cell.offset) for cell in one.cells if not cell.real]
        shift = min((offset for _, offset in cells), default=0)
        pattern = tuple((column, offset - shift) for column, offset in cells)
        pattern_of.append(patterns.setdefault(pattern, len(patterns)))
        shifts.append(shift)
    return Program(ordered, columns, tuple(patterns), tuple(pattern_of), tuple(shifts), max(1, reach(ordered)))
