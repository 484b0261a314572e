"""How things are timed: alternating runs, medians with an interval, new processes, peak memory."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

RUNS = 9


def alternate(jobs: dict[str, Callable[[], object]], runs: int = RUNS) -> dict[str, list[float]]:
    """Time each job ``runs`` times, in turn, so that a busy moment of the machine strikes all of them alike."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            started = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - started)
    return seconds


def summary(values: list[float]) -> tuple[float, float, float]:
    """Return median and the interval between the second smallest and second largest run."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[1], ordered[-2]


def in_new_process(code: str) -> tuple[float, float, str]:
    """Run code in a new interpreter; return wall seconds, peak memory in MB and what it printed."""
    # The kernel's high-water mark of this process; getrusage would report the parent's where that is larger.
    wrapped = f"{code}\nprint(next(x.split()[1] for x in open('/proc/self/status') if x.startswith('VmHWM')))"
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", wrapped], capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - started
    *printed, memory = done.stdout.strip().splitlines()
    return seconds, float(memory) / 1024, "\n".join(printed)
