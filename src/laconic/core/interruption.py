"""`Stop`: a limit in time, or a person's wish, that long work looks at between its steps and ends by `Stopped`.

Solvers call `check` between outer iterations. Whoever starts work that may be stopped sets a stop for its context, and
hands `in_threads` functions to other threads.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

SEARCH, FINAL = 0.6, 0.9  # of a limited time are for a search, and for all that is fitted


class Stopped(Exception):
    """Work was ended before its end, by a limit in time or on request."""


class Stop:
    """Ends work once it is asked for, or after a number of seconds from now."""

    def __init__(self, seconds: float | None = None) -> None:
        self.began, self.seconds, self.asked = time.monotonic(), seconds, False

    def late(self, share: float) -> bool:
        """Say whether more than a share of the time is gone."""
        return self.seconds is not None and time.monotonic() > self.began + share * self.seconds

    def now(self, share: float) -> bool:
        """Say whether work that may take a share of the time is to end."""
        return self.asked or self.late(share)


_ENDS: ContextVar[Callable[[], bool] | None] = ContextVar("ends", default=None)


@contextmanager
def stoppable(ends: Callable[[], bool] | None) -> Iterator[None]:
    """Let work in this context end once that is true; None lets it go on."""
    token = _ENDS.set(ends)
    try:
        yield
    finally:
        _ENDS.reset(token)


def in_threads(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function that heeds the stop of this context in any thread."""
    ends = _ENDS.get()

    def stopped_too(*arguments: Any) -> T:
        with stoppable(ends):
            return function(*arguments)

    return stopped_too


def check() -> None:
    """Raise `Stopped` if the work of this context is to end."""
    ends = _ENDS.get()
    if ends is not None and ends():
        raise Stopped


@contextmanager
def interruptible(stop: Stop, heard: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C ask for a stop the first time, and interrupt as ever the second; only in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        stop.asked = True
        heard()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
