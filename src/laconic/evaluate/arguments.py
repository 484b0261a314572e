"""Checks of arguments that several functions share."""

from typing import Any

import numpy as np


def check_whole(name: str, value: Any, least: int, also: str = "") -> None:
    """Raise ``ValueError`` unless a value is a whole number from ``least``; ``also`` says what else may be."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number from {least}{also}, got {value!r}.")
