"""Rows of text as an aligned table."""

from collections.abc import Sequence


def aligned(rows: Sequence[dict]) -> str:
    """Return rows as an aligned table; a key that a row lacks is shown as a dash."""
    header = list(dict.fromkeys(key for row in rows for key in row))
    cells = [header, *([_text(row.get(key, "-")) for key in header] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for line in cells:
        padded = [cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _text(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
