"""Saves that are killed, or run out of room, at a random moment or at a random system call; and readers during saves.

Whatever happens to a save, the old model loads or the new one does, both whole, and who saved gets a sentence. System
calls are stopped by strace, where there is one. ``python -m tools.attack.saves`` goes through all calls of a save.
"""

import argparse
import ctypes
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import laconic
from laconic import TextClassifier
from laconic.core import files
from tools.attack.matrices import Array
from tools.attack.samples import ROWS
from tools.attack.verdicts import HELD, Verdict, raised

TEXTS = [row["text"] for row in ROWS]
SAVED, NO_ROOM = 0, 3  # how a child ends
SAVES = 20  # of a child that is killed at some moment, or while others read
ANY_TRACER = ctypes.c_ulong(0x59616D61), ctypes.c_ulong(-1 & (2**64 - 1))  # prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY)
WITHOUT_FILES = (
    "mmap",
    "munmap",
    "mprotect",
    "brk",
    "futex",
    "exit_group",
    "rt_sigaction",
    "rt_sigprocmask",
    "madvise",
)

TAKING_ROOM = ("write", "fsync", "mkdir", "rename", "renameat2")


class Call(NamedTuple):
    """The n-th system call of a name in a save, and whether a full disk can make it fail."""

    name: str
    n: int
    takes_room: bool


class Fault(NamedTuple):
    """What befalls a save: at a call or after some seconds, a kill or a full disk, with two names exchanged or not."""

    call: Call | None
    kills: bool
    exchanging: bool
    seconds: float = 0.0


def prepare() -> None:
    """Make what all cases of this kind begin with."""
    calls(True), calls(False)


def save_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one save that is stopped, or on a reader during saves."""
    exchanging = bool(rng.random() < 0.7)
    known, way = calls(exchanging), rng.integers(4)
    if way == 0:
        return _read_during_saves(folder, exchanging)
    call = known[rng.integers(len(known))] if known and way > 1 else None
    seconds = float(rng.uniform(0.0, 0.1))
    return stopped(folder, Fault(call, call is None or way == 2 or not call.takes_room, exchanging, seconds))


def stopped(folder: Path, fault: Fault) -> Verdict:
    """Return the verdict on one save that a fault stops; the word says which model is left: "old" or "new"."""
    place = folder / "model"
    _model(0).save(place)
    child, go = _child(lambda: _save(place, SAVES if fault.call is None else 1), fault.exchanging)
    end = _killed_after(child, go, fault.seconds) if fault.call is None else _traced(child, go, _injection(fault))
    verdict = _verdict(end, place, fault)
    return Verdict(verdict.word, f"{verdict.why} [{fault}]") if verdict.word == "finding" else verdict


@cache
def calls(exchanging: bool) -> tuple[Call, ...]:
    """Return the system calls of a save that have to do with files, none where they cannot be traced."""
    if shutil.which("strace") is None:
        return ()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        log, place = Path(folder) / "log", Path(folder) / "model"
        _model(0).save(place)
        child, go = _child(lambda: _save(place, 1), exchanging)
        _traced(child, go, ["-o", str(log)])
        lines = [line for line in log.read_text().splitlines() if line.partition("(")[0].isidentifier()]
    counts: Counter[str] = Counter()
    found = []
    for line in lines:
        name = line.partition("(")[0]
        counts[name] += 1
        found.append(Call(name, counts[name], name in TAKING_ROOM or "O_CREAT" in line))
    return tuple(call for call in found if call.name not in WITHOUT_FILES)


@cache
def _model(seed: int) -> TextClassifier:
    labels = [row["label"] for row in ROWS]
    return TextClassifier().fit(TEXTS, labels if seed == 0 else [*labels[1:], labels[0]])


@cache
def _expected(seed: int) -> Array:
    """Return what a model predicts once it is loaded."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        return np.asarray(laconic.load(_model(seed).save(Path(folder) / "model")).predict_proba(TEXTS))


def _save(place: Path, times: int) -> None:
    for i in range(times):
        _model((i + 1) % 2).save(place, overwrite=True)


def _child(work: Callable[[], None], exchanging: bool) -> tuple[int, int]:
    """Fork a process that does some work once it is told to; return its number and what to tell it through."""
    _model(1)  # made before, so that the child only saves
    wait, go = os.pipe()
    if child := os.fork():
        os.close(wait)
        return child, go
    code = 1
    try:
        os.close(go)
        if not exchanging:
            files.exchange = lambda *_: False
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(*ANY_TRACER, 0, 0, 0)
        os.read(wait, 1)
        work()
        code = SAVED
    except OSError as error:
        code = NO_ROOM if "could not be saved" in str(error) or "No space" in str(error) else 1
    finally:
        os._exit(code)


def _killed_after(child: int, go: int, seconds: float) -> int:
    os.close(go)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _traced(child: int, go: int, options: list[str]) -> int:
    """Let a child work under strace, and return how it ended."""
    tracer = subprocess.Popen(["strace", "-qq", "-p", str(child), *options], stderr=subprocess.DEVNULL)
    while tracer.poll() is None and "TracerPid:\t0" in Path(f"/proc/{child}/status").read_text():
        time.sleep(0.001)
    os.close(go)
    end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    tracer.wait()
    return end


def _injection(fault: Fault) -> list[str]:
    call, what = fault.call, "signal=KILL" if fault.kills else "error=ENOSPC"
    assert call is not None
    return ["-o", "/dev/null", "-e", f"trace={call.name}", "-e", f"inject={call.name}:{what}:when={call.n}"]


def _verdict(end: int, place: Path, fault: Fault) -> Verdict:
    if end not in (SAVED, NO_ROOM, -signal.SIGKILL):
        return Verdict("finding", f"the save ended with code {end}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error" if fault.exchanging else "ignore")
            found = laconic.load(place).predict_proba(TEXTS)
        _model(1).save(place, overwrite=True)
        laconic.load(place)
    except Exception as error:
        return raised(error)
    which = [seed for seed in (0, 1) if np.array_equal(found, _expected(seed))]
    if not which:
        return Verdict("finding", "a model that is neither the old nor the new one")
    return HELD._replace(why="new" if which[0] else "old")


def _read_during_saves(folder: Path, exchanging: bool) -> Verdict:
    """Load a model again and again while another process replaces it."""
    place, reads = folder / "model", 0
    _model(0).save(place)
    child, go = _child(lambda: _save(place, SAVES), exchanging)
    os.close(go)
    try:
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            found = laconic.load(place).predict_proba(TEXTS)
            reads += 1
            if not any(np.array_equal(found, _expected(seed)) for seed in (0, 1)):
                return Verdict("finding", "a reader saw a model that nobody saved")
    except Exception as error:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return raised(error)
    return HELD


def main() -> int:
    """Stop a save at each of its system calls, by a kill and by a full disk, and then kill at random moments."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack.saves", description="Saves that are stopped.")
    parser.add_argument("--kills", type=int, default=300, help="how many kills in all, at least")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="of the random moments")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    plan = [
        Fault(call, kills, way)
        for way in (True, False)
        for kills in (True, False)
        for call in calls(way)
        if kills or call.takes_room
    ]
    missing = options.kills - sum(fault.kills for fault in plan)
    plan += [Fault(None, True, bool(i % 2), float(rng.uniform(0.0, 0.1))) for i in range(max(missing, len(plan) // 4))]
    counts: Counter[tuple[str, str]] = Counter()
    for fault in plan:
        with tempfile.TemporaryDirectory(prefix="attack-") as folder:
            verdict = stopped(Path(folder), fault)
        kind = "killed" if fault.kills else "no room"
        place = "at a random moment" if fault.call is None else f"at {fault.call.name}"
        counts[f"{kind} {place}", verdict.why if verdict.word == "held" else "finding"] += 1
        if verdict.word == "finding":
            print(verdict.why, flush=True)
    print(f"seed {options.seed}, {sum(fault.kills for fault in plan)} kills, {len(plan)} saves\n")
    for kind in dict.fromkeys(kind for kind, _ in counts):
        print(f"{kind:32}" + "".join(f"{word} {counts[kind, word]:4}   " for word in ("old", "new", "finding")))
    return int(any(word == "finding" for _, word in counts))


if __name__ == "__main__":
    sys.exit(main())
