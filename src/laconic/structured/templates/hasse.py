"""The Hasse diagram of templates as SVG: coarse ones on top, lines down to the finer ones."""

from collections.abc import Collection, Sequence
from xml.sax.saxutils import escape

from laconic.structured.templates.language import Template
from laconic.structured.templates.ordering import hasse_edges

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
