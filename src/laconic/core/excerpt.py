"""Values in messages: long ones are cut, and of many the first are named."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

LONGEST = 60


def excerpt(value: Any) -> str:
    """Return how a message shows a value: its `repr`, cut to `LONGEST` characters."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else value[: LONGEST - 3] + "...")
    shown = repr(value)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + "..."


def some(values: Iterable[Any], most: int = 5) -> str:
    """Return how a message lists several values: the first ones, and dots if there are more."""
    shown = [excerpt(value) for value in islice(values, most + 1)]
    return ", ".join(shown[:most]) + ", ..." * (len(shown) > most)
