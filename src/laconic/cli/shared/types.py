"""Values of options that click does not know."""

import re
from typing import Any

import click

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
LEAST = 200_000_000  # bytes: Python, numba and one small block


class Ngrams(click.ParamType):
    """``2`` or ``1-3``: the longest, or the shortest and the longest n-gram."""

    name = "N or A-B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return (shortest, longest)."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(?:(\d+)-)?(\d+)", str(value))
        first, last = (int(found[1] or 1), int(found[2])) if found else (0, 0)
        if not 1 <= first <= last:
            self.fail(f"{value!r} is not a range of n-grams such as 2, 1-3 or 3-5.", param, ctx)
        return first, last


class HowMany(click.ParamType):
    """``20``: how many to show, the value of an option that may stand alone."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return an int from 1."""
        if not re.fullmatch(r"[1-9]\d*", str(value)):
            option = param.opts[0] if param is not None else "the option"
            self.fail(f"{value!r} is not a number from 1; {option} alone goes behind the other arguments.", param, ctx)
        return int(value)


class DocumentFrequency(click.ParamType):
    """``5``: so many documents; ``0.1``: such a share of them."""

    name = "N or share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Return an int from 1, or a float from 0 to 1."""
        text = str(value)
        try:
            number: int | float = float(text) if "." in text or "e" in text.lower() else int(text)
        except ValueError:
            number = -1
        if not (number >= 1 if isinstance(number, int) else 0.0 <= number <= 1.0):
            self.fail(f"{value!r} is neither a number of documents such as 5 nor a share such as 0.01.", param, ctx)
        return number


class Memory(click.ParamType):
    """``2GB`` or ``500M``: a number of bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return bytes."""
        parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", str(value).strip().lower())
        size = int(float(parts[1]) * UNITS[parts[2]]) if parts else 0
        if size < LEAST:
            self.fail(f"{value!r} is not a size of memory from 200MB on, such as 2GB.", param, ctx)
        return size


class Seconds(click.ParamType):
    """``90``, ``60s``, ``5m`` or ``1h``: a number of seconds."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return seconds."""
        parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", str(value).strip().lower())
        seconds = float(parts[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[parts[2]] if parts else 0.0
        if seconds <= 0.0:
            self.fail(f"{value!r} is not a time such as 60s, 5m or 1h.", param, ctx)
        return seconds
