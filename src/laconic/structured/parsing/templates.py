"""Templates of arcs, in the language of `structured.templates.language`: what is looked at around head and modifier.

``head.word & mod.pos`` is the word of the head with the tag of the modifier; ``head.pos[1]`` the tag right of the head,
``mod.pos[-1..0]`` a run of two. ``between.pos`` finds every tag that occurs between the two, each a feature of its own.
``direction`` (of the modifier, seen from the head) and ``distance`` (1 to 5, 6–10, 11–20, more) can join any template.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from laconic.structured.templates.language import read_all, read_parts, read_run, refuse_repetition, write_cells

HEAD, MOD, BETWEEN, ARC = "head", "mod", "between", "arc"
SIDES = (HEAD, MOD, BETWEEN, ARC)
DIRECTION, DISTANCE = "direction", "distance"
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
