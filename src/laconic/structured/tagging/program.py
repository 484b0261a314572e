"""Templates as a program: the columns to intern, the patterns to number once, and each template as a shift of one.

``pos[-2..-1]`` and ``pos[0..1]`` are the same pattern, a pair of neighbours, looked at from different places. Of the 96
chunking templates 10 patterns are left, of the 452 for named entities 44.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.structured.templates.language import Template, reach

Pattern = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Program:
    """What to look up where: templates, those that carry numbers last, and the columns whose values are interned.

    A pattern is a tuple of (number of a column, offset), the smallest offset 0; ``pattern_of`` and ``shifts`` are of
    each template. ``gap`` is how far a template looks at most; as much room is left between sentences.
    """

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
