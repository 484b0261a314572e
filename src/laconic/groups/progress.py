"""How long-running builders say how far they are, to whoever listens.

A builder is a value, compared and stored; a bar on a terminal is no part of it. So the listener is set around a call:

>>> seen = []
>>> with listening(lambda done, total, note="": seen.append((done, total))):
...     report(1, 10)
>>> seen
[(1, 10)]
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_listener: ContextVar[Callable[..., Any] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[..., Any]) -> Iterator[None]:
    """Call ``listener(done, total, note)`` while builders work inside this block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done: int, total: int, note: str = "") -> None:
    """Tell the listener, if there is one, how far the work is."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total, note)
