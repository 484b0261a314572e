"""Values as JSON takes them."""

import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any, drop_none: bool = False) -> Any:
    """Return strings, numbers, lists and dictionaries alone, NaN and infinity as None; `drop_none` leaves None out."""
    if isinstance(value, Mapping):
        return {str(key): plain(own, drop_none) for key, own in value.items() if own is not None or not drop_none}
    if isinstance(value, (list, tuple)):
        return [plain(own, drop_none) for own in value]
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return plain(value.tolist(), drop_none)
    return None if isinstance(value, float) and not math.isfinite(value) else value
