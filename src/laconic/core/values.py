"""Values as JSON takes them, and as messages show them: long ones are cut, and of many the first are named."""

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

LONGEST = 60


def plain(value: Any, drop_none: bool = False) -> Any:
    """Return strings, numbers, lists and dictionaries alone, NaN and infinity as None; `drop_none` leaves None out."""
    if isinstance(value, Mapping):
        return {str(key): plain(own, drop_none) for key, own in value.items() if own is not None or not drop_none}
    if isinstance(value, (list, tuple)):
        return [plain(own, drop_none) for own in value]
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return plain(value.tolist(), drop_none)
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
