"""Limits on one case: seconds of work and of waiting by alarms, memory by the peak that the system counts."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 20  # of the processor, which a busy machine does not change
WAITING = 180  # seconds by the clock, for what waits for ever
ROOM = 6_000_000_000  # bytes of addresses that one case may take in all, so that the machine outlives a finding
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TooLongError(BaseException):
    """A case ran longer than it may; no ``except Exception`` of the library holds it up."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what runs inside after some seconds of work, or many more of waiting."""

    def stop(*_: Any) -> None:
        raise TooLongError(f"no answer in {seconds:g} s")

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, WAITING))
    before = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0.0)
            signal.signal(number, handler)


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Let what runs inside fail with MemoryError rather than fill the machine."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = _of_status("VmSize")
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM if used else before[0], before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


class Peak:
    """How far memory rises above where it was when this was made; 0 where the system does not say."""

    def __init__(self) -> None:
        try:
            RESET.write_text("5")
            self._before: int | None = _of_status("VmRSS")
        except OSError:
            self._before = None

    def rise(self) -> int:
        """Return the bytes by which the highest use since then exceeds the use then."""
        return 0 if self._before is None else max(_of_status("VmHWM") - self._before, 0)


def _of_status(name: str) -> int:
    """Return a count of bytes from the system's page about this process, 0 where there is none."""
    if not STATUS.exists():
        return 0
    lines = (line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return next((1024 * int(line.split()[1]) for line in lines), 0)
