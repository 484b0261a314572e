"""Values in messages: long ones are cut, many are counted."""

from collections.abc import Iterable
from typing import Any

LONGEST = 60


def excerpt(value: Any) -> str:
    """Return how a message shows a value: its `repr`, cut to `LONGEST` characters."""
    text = repr(value if not isinstance(value, str) else value[: LONGEST + 1])
    return text if len(text) <= LONGEST + 2 else f"{text[:LONGEST]}..."


def some(values: Iterable[Any], most: int = 5) -> str:
    """Return the first of several values, as a message lists them."""
    shown = [excerpt(value) for _, value in zip(range(most + 1), values, strict=False)]
    return ", ".join(shown[:most]) + ", ..." * (len(shown) > most)
