"""Templates of arcs, in the language of `structured.templates.language`: what is looked at around head and modifier.

``head.word & mod.pos`` is the word of the head with the tag of the modifier; ``head.pos[1]`` the tag right of the head,
``mod.pos[-1..0]`` a run of two. ``between.pos`` finds every tag that occurs between the two, each a feature of its own.
``direction`` (of the modifier, seen from the head) and ``distance`` (1 to 5, 6–10, 11–20, more) can join any template.
In an `ArcProgram` templates that differ in these two alone share a base, looked up once.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from operator import mul

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.arcs.shapes import BINS, OF_BETWEEN, OF_BOTH, OF_HEAD, OF_MOD, Bases
from laconic.structured.templates.language import read_all, read_parts, read_run, refuse_repetition, write_cells

HEAD, MOD, BETWEEN, ARC = "head", "mod", "between", "arc"
SIDES = (HEAD, MOD, BETWEEN, ARC)
DIRECTION, DISTANCE = "direction", "distance"
MOST_KEYS = 1 << 62
_PART = re.compile(
    r"\s*(?:(direction|distance)|(head|mod|between)\.([A-Za-z_][\w-]*(?:\([A-Za-z_][\w-]*\))?)"
    r"(?:\[\s*([+-]?\d+)\s*(?:\.\.\s*([+-]?\d+)\s*)?\])?)\s*(?=&|$)"
)
_EXAMPLES = "head.word, mod.pos[-1], between.pos, direction or distance"


@dataclass(frozen=True)
class ArcCell:
    """One cell that a template of arcs looks at; the side ``arc`` is for direction and distance."""

    side: str
    column: str
    offset: int = 0

    def __str__(self) -> str:
        if self.side == ARC:
            return self.column
        return self.name + (f"[{self.offset}]" if self.offset else "")

    @property
    def name(self) -> str:
        """What it looks at, without the offset."""
        return f"{self.side}.{self.column}"

    @property
    def place(self) -> tuple[str, int]:
        """Where it looks."""
        return self.side, self.offset

    @property
    def order(self) -> tuple[int, str, int]:
        """Cells are written in this order."""
        return SIDES.index(self.side), self.column, self.offset


@dataclass(frozen=True)
class ArcTemplate:
    """A conjunction of cells around an arc.

    Parameters
    ----------
    cells : tuple of ArcCell
        In their order; no cell twice.

    Examples
    --------
    >>> one = parse_arc_template("mod.pos & head.pos[0..1] & direction")
    >>> str(one)
    'head.pos[0..1] & mod.pos & direction'
    >>> parse_arc_template(str(one)) == one, [str(cell) for cell in one.base]
    (True, ['head.pos', 'head.pos[1]', 'mod.pos'])
    """

    cells: tuple[ArcCell, ...]

    def __str__(self) -> str:
        return write_cells(self.cells)

    @cached_property
    def base(self) -> tuple[ArcCell, ...]:
        """The cells without direction and distance."""
        return tuple(cell for cell in self.cells if cell.side != ARC)

    @cached_property
    def direction(self) -> bool:
        """Whether the direction is part of it."""
        return ArcCell(ARC, DIRECTION) in self.cells

    @cached_property
    def distance(self) -> bool:
        """Whether the distance is part of it."""
        return ArcCell(ARC, DISTANCE) in self.cells

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at, each once, sorted."""
        return tuple(sorted({cell.column for cell in self.base}))


def parse_arc_template(text: str) -> ArcTemplate:
    """Read one template.

    Parameters
    ----------
    text : str
        Cells joined by ``&``.

    Raises
    ------
    ValueError
        Saying what cannot be read.

    Examples
    --------
    >>> str(parse_arc_template("mod.word & head.pos[-1]"))
    'head.pos[-1] & mod.word'
    """
    if not isinstance(text, str):
        raise TypeError(f"A template is a string such as 'head.word & mod.pos', not {text!r}.")
    cells: list[ArcCell] = []
    for flag, side, column, first, last in read_parts(text, _PART, _EXAMPLES):
        if flag:
            cells.append(ArcCell(ARC, flag))
            continue
        run = read_run(text, f"{side}.{column}", first or "0", last)
        if side == BETWEEN and run != range(1):
            raise ValueError(f"Template {text!r}: between.{column} looks at all tokens between; leave out the offset.")
        cells += [ArcCell(side, column, offset) for offset in run]
    refuse_repetition(text, cells)
    if all(cell.side == ARC for cell in cells):
        raise ValueError(f"Template {text!r} looks at no token; name a cell such as head.pos too.")
    if sum(cell.side == BETWEEN for cell in cells) > 1:
        raise ValueError(f"Template {text!r} looks between head and modifier twice; once is enough.")
    return ArcTemplate(tuple(sorted(cells, key=lambda cell: cell.order)))


def parse_arc_templates(templates: Iterable[str | ArcTemplate]) -> tuple[ArcTemplate, ...]:
    """Read several templates, keep their order and drop repetitions."""
    return read_all(templates, ArcTemplate, parse_arc_template, "head.pos & mod.pos")


@dataclass(frozen=True)
class ArcProgram:
    """What to look up where: templates, those of one base side by side, and the columns whose values are interned."""

    # ``gap`` is the room between sentences: as far as a template looks, and one more for the root.

    templates: tuple[ArcTemplate, ...]
    bases: tuple[tuple[ArcCell, ...], ...]
    base_of: tuple[int, ...]
    columns: tuple[str, ...]
    gap: int

    @cached_property
    def ends(self) -> list[int]:
        """Where the templates of each base end; the first entry is 0."""
        return [0, *np.cumsum(np.bincount(self.base_of, minlength=len(self.bases))).tolist()]

    @property
    def by_base(self) -> list[tuple[ArcTemplate, ...]]:
        """The templates of each base."""
        return [self.templates[start:end] for start, end in pairwise(self.ends)]

    def radices(self, values: Mapping[str, Sized]) -> list[tuple[list[int], list[int]]]:
        """Return for each base the number of values of each cell, and the strides that make keys of them."""
        # ``values`` has the known values of each column; one more is the 0 beyond a sentence.
        found = []
        for base in self.bases:
            counts = [len(values[cell.column]) + 1 for cell in base]
            *strides, product = accumulate(counts, mul, initial=1)
            if product > MOST_KEYS:
                raise ValueError(
                    f"The template '{ArcTemplate(base)}' has {product:.1e} possible values, more than fit a key "
                    f"({MOST_KEYS:.1e}); leave out one of its cells."
                )
            found.append((counts, strides))
        return found

    def parts(self, collapsed: bool = False) -> list[list[tuple[int, ...]]]:
        """Return for each base its parts: width, steps by direction and distance, and which templates it stands for."""
        # A collapsed base has one part, the sum of its templates.
        flags = [[(one.direction, one.distance) for one in templates] for templates in self.by_base]
        return [[_part(mine)] if collapsed else [_part([one]) for one in mine] for mine in flags]

    def arrays(self, values: Mapping[str, Sized], collapsed: bool = False) -> Bases:
        """Return the program as the kernels take it."""
        numbers = {column: number for number, column in enumerate(self.columns)}
        kinds, cells, cell_ends, between = [], [], [0], []
        for base, (counts, strides) in zip(self.bases, self.radices(values), strict=True):
            found = (-1, 0, 0)
            for cell, count, stride in zip(base, counts, strides, strict=True):
                if cell.side == BETWEEN:
                    found = numbers[cell.column], stride, count
                else:
                    cells.append((OF_HEAD if cell.side == HEAD else OF_MOD, numbers[cell.column], cell.offset, stride))
            between.append(found)
            cell_ends.append(len(cells))
            sides = {cell.side for cell in base}
            one_side = OF_HEAD if sides == {HEAD} else OF_MOD if sides == {MOD} else OF_BOTH
            kinds.append(OF_BETWEEN if BETWEEN in sides else one_side)
        parts, part_ends, widths = [], [0], []
        for mine in self.parts(collapsed):
            at = 0
            for width, *rest in mine:
                parts.append((at, *rest))
                at += width
            part_ends.append(len(parts))
            widths.append(at)
        columns = [_ints(kinds), _ints(cell_ends), *_columns(cells, 4), *_columns(between, 3)]
        return Bases(*columns, _ints(part_ends), *_columns(parts, 7), _ints(widths))  # type: ignore[call-arg]


def compile_arcs(templates: Sequence[ArcTemplate]) -> ArcProgram:
    """Return templates as a program."""
    bases = list(dict.fromkeys(one.base for one in templates))
    numbers = {base: number for number, base in enumerate(bases)}
    ordered = sorted(dict.fromkeys(templates), key=lambda one: (numbers[one.base], one.distance, one.direction))
    columns = tuple(dict.fromkeys(cell.column for base in bases for cell in base))
    reach = max((abs(cell.offset) for base in bases for cell in base), default=0)
    return ArcProgram(tuple(ordered), tuple(bases), tuple(numbers[one.base] for one in ordered), columns, reach + 1)


def sums_of(templates: tuple[ArcTemplate, ...]) -> list[NDArray[np.float64]]:
    """Return for each template of a base the matrix that adds up what it does not tell apart."""
    direction, distance = any(one.direction for one in templates), any(one.distance for one in templates)
    by_direction = {True: np.eye(2), False: np.ones((1, 2 if direction else 1))}
    by_distance = {True: np.eye(BINS), False: np.ones((1, BINS if distance else 1))}
    return [np.kron(by_direction[one.direction], by_distance[one.distance]).astype(np.float64) for one in templates]


def _part(flags: list[tuple[bool, bool]]) -> tuple[int, ...]:
    direction, distance = any(a for a, _ in flags), any(b for _, b in flags)
    width = (2 if direction else 1) * (BINS if distance else 1)
    steps = (BINS if distance else 1) if direction else 0, 1 if distance else 0
    kinds = ((False, False), (True, False), (False, True), (True, True))
    return width, *steps, *(int(kind in flags) for kind in kinds)


def _ints(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> list[np.ndarray]:
    return [np.ascontiguousarray(column) for column in np.array(rows, dtype=np.int64).reshape(-1, width).T]
