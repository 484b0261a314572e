"""Small charts as SVG text, without a plotting package: panels of points or lines; equal numbers give equal files."""

import math
from collections.abc import Mapping, Sequence
from html import escape

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#666666", "#9a7d0a", "#7b4fa3", "#8b4513")
WIDTH, HEIGHT = 250, 190  # of a panel
LEFT, BOTTOM, TOP, RIGHT = 44, 34, 24, 10
COLUMNS = 4

Panels = Mapping[str, Mapping[str, Sequence[tuple[float, float]]]]


def panels(data: Panels, labels: tuple[str, str], lines: bool = False, log_x: bool = False) -> str:
    """Return a figure with one panel per entry of ``data``, each ``{series: [(x, y), …]}``.

    Parameters
    ----------
    data : dict of dicts of points
    labels : tuple of str
        Of the axes.
    lines : bool
        Whether points are joined.
    log_x : bool

    Examples
    --------
    >>> panels({"science": {"lasso": [(1.0, 91.6)]}}, ("size in %", "accuracy")).startswith("<svg")
    True
    """
    names = list(dict.fromkeys(name for series in data.values() for name in series))
    columns = min(COLUMNS, max(1, len(data)))
    rows = -(-len(data) // columns)
    legend = 18 * (-(-len(names) // 6)) + 8
    width, height = columns * WIDTH, rows * HEIGHT + legend
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="10">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for i, (title, series) in enumerate(data.items()):
        parts += _panel(title, series, names, labels, lines, log_x, (i % columns) * WIDTH, (i // columns) * HEIGHT)
    for i, name in enumerate(names):
        x, y = 12 + (i % 6) * (width - 12) / min(6, len(names)), rows * HEIGHT + 14 + 18 * (i // 6)
        parts.append(_mark(x, y - 3, i))
        parts.append(f'<text x="{x + 8:.1f}" y="{y:.1f}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    names: list[str],
    labels: tuple[str, str],
    lines: bool,
    log_x: bool,
    x0: float,
    y0: float,
) -> list[str]:
    points = [point for one in series.values() for point in one]
    xs = [_scaled(x, log_x) for x, _ in points] or [0.0]
    ys = [y for _, y in points] or [0.0]
    x_low, x_high = _widened(min(xs), max(xs))
    y_low, y_high = _widened(min(ys), max(ys))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        across = (_scaled(x, log_x) - x_low) / (x_high - x_low)
        return x0 + LEFT + inner_width * across, y0 + TOP + inner_height * (1 - (y - y_low) / (y_high - y_low))

    parts = [
        f'<text x="{x0 + LEFT}" y="{y0 + 15}" font-weight="bold">{escape(title)}</text>',
        f'<rect x="{x0 + LEFT}" y="{y0 + TOP}" width="{inner_width}" height="{inner_height}" fill="none" '
        'stroke="#999"/>',
        f'<text x="{x0 + LEFT + inner_width / 2}" y="{y0 + HEIGHT - 6}" text-anchor="middle">'
        f"{escape(labels[0])}</text>",
        f'<text transform="translate({x0 + 10} {y0 + TOP + inner_height / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(labels[1])}</text>",
    ]
    for value in _ticks(y_low, y_high):
        _, y = place(1.0, value)
        parts.append(f'<line x1="{x0 + LEFT}" x2="{x0 + LEFT + inner_width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>')
        parts.append(f'<text x="{x0 + LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">{value:g}</text>')
    for value in [math.ceil(x_low), math.floor(x_high)] if log_x else _ticks(x_low, x_high):
        real = 10.0**value if log_x else value
        x, _ = place(real, y_low)
        if x0 + LEFT - 1 <= x <= x0 + LEFT + inner_width + 1:
            parts.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT - BOTTOM + 12}" text-anchor="middle">{real:g}</text>')
    for name, one in series.items():
        number = names.index(name)
        placed = [place(*point) for point in one]
        if lines and len(placed) > 1:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[number % len(COLOURS)]}"/>')
        parts += [_mark(x, y, number) for x, y in placed]
    return parts


def _mark(x: float, y: float, number: int) -> str:
    """A circle for the first ten series, a square for the next."""
    colour = COLOURS[number % len(COLOURS)]
    if number < len(COLOURS):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'


def _scaled(x: float, log_x: bool) -> float:
    return math.log10(max(x, 1e-3)) if log_x else x


def _widened(low: float, high: float) -> tuple[float, float]:
    room = 0.06 * (high - low) or 0.5
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """Return three to six round numbers between two values."""
    raw = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [round(k * step, 10) for k in range(first, math.floor(high / step) + 1)]
