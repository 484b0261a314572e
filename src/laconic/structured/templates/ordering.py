"""Coarse before fine: a partial order on templates, its groups, and its Hasse diagram.

A template comes before another if each of its cells is in the other one too, at the same offset, in the same column or
in a finer one (part of speech, lemma, shape, affixes and lower case are coarser than the word). With
:math:`G_a = \\bigcup_{b \\succeq a} I(T_b)` as groups a template can only have weights if all coarser ones may.

Besides, a tree: templates within those that look at the same columns.
"""

import re
from collections.abc import Collection, Sequence
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from laconic.structured.templates.language import Template

_COARSE = {"case": {"shape", "word"}, "digit": {"shape", "word"}, "punct": {"shape", "word"}}
_COARSE |= {"shape": {"word"}, "pos": {"xpos", "word"}, "lower": {"word"}}
_COARSE |= {"xpos": {"word"}, "lemma": {"word"}, "feats": {"word"}}
_AFFIX = re.compile(r"(prefix|suffix)(\d+)")


def is_coarser_column(a: str, b: str) -> bool:
    """Say whether column ``a`` can be read off column ``b``, or is taken to be coarser (pos and word)."""
    first, second = _AFFIX.fullmatch(a), _AFFIX.fullmatch(b)
    if first and second:
        return first[1] == second[1] and int(first[2]) < int(second[2])
    if first:
        return b == "word"
    return b in _COARSE.get(a, ())


def comes_before(a: Template, b: Template) -> bool:
    """Say whether template ``a`` is coarser than or equal to ``b``."""
    return all(
        any(
            mine.place == other.place and (mine.column == other.column or is_coarser_column(mine.column, other.column))
            for other in b.cells
        )
        for mine in a.cells
    )


def coarse_groups(templates: Sequence[Template]) -> list[NDArray[np.int64]]:
    """Return for each template the templates that are not before it: itself and all finer ones."""
    return [
        np.array([b for b, other in enumerate(templates) if comes_before(one, other)], dtype=np.int64)
        for one in templates
    ]


def column_tree(templates: Sequence[Template]) -> list[NDArray[np.int64]]:
    """Return nested groups: each template alone, then those that look at the same columns, if there are several."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(templates):
        alike.setdefault(one.columns, []).append(number)
    alone = [np.array([number]) for number in range(len(templates))]
    return alone + [np.array(group) for group in alike.values() if len(group) > 1]


def disjoint_families(groups: Sequence[NDArray[np.int64]]) -> list[list[int]]:
    """Split groups into families within which none overlap, by first fit, larger groups first."""
    families: list[tuple[set[int], list[int]]] = []
    for number in sorted(range(len(groups)), key=lambda g: (-len(groups[g]), g)):
        members = set(groups[number].tolist())
        for taken, family in families:
            if not taken & members:
                taken |= members
                family.append(number)
                break
        else:
            families.append((members, [number]))
    return [family for _, family in families]


def hasse_edges(templates: Sequence[Template]) -> list[tuple[int, int]]:
    """Return the pairs (coarser, finer) with no template between them."""
    above = [set(group.tolist()) - {number} for number, group in enumerate(coarse_groups(templates))]
    return [(a, b) for a in range(len(above)) for b in sorted(above[a]) if not any(b in above[c] for c in above[a])]


ROW, CHARACTER, SPACE, MARGIN = 64, 7, 18, 16


def hasse_svg(templates: Sequence[Template], kept: Collection[str] = ()) -> str:
    """Return the diagram; templates in ``kept`` are filled."""
    edges = hasse_edges(templates)
    level = [0] * len(templates)
    for _ in templates:  # at most so many levels
        for a, b in edges:
            level[b] = max(level[b], level[a] + 1)
    names = [str(one) for one in templates]
    place: dict[int, tuple[float, float]] = {}
    right = [0.0] * (max(level, default=0) + 1)
    for number in sorted(range(len(names)), key=lambda n: (level[n], names[n])):
        width = CHARACTER * len(names[number]) + SPACE
        place[number] = (MARGIN + right[level[number]] + width / 2, MARGIN + 12 + ROW * level[number])
        right[level[number]] += width + SPACE
    full = max(right, default=0.0)
    for number, (x, y) in place.items():  # each row in the middle
        place[number] = (x + (full - right[level[number]]) / 2, y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{full + 2 * MARGIN:.0f}" '
        f'height="{ROW * len(right) + MARGIN:.0f}" font-family="monospace" font-size="11">'
    ]
    for a, b in edges:
        (x1, y1), (x2, y2) = place[a], place[b]
        parts.append(f'<line x1="{x1:.0f}" y1="{y1 + 11:.0f}" x2="{x2:.0f}" y2="{y2 - 11:.0f}" stroke="#999"/>')
    for number, (x, y) in place.items():
        width = CHARACTER * len(names[number]) + SPACE - 8
        fill = "#cde8d5" if names[number] in kept else "#ffffff"
        parts.append(
            f'<rect x="{x - width / 2:.0f}" y="{y - 11:.0f}" width="{width}" height="22" rx="4" fill="{fill}" '
            f'stroke="#555"/><text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{escape(names[number])}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
