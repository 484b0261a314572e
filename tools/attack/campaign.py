"""A run of the attack: cases of all kinds in turn, each under limits, a line for every finding, a table at the end."""

import io
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import numpy as np

from laconic.cli import main
from tools.attack.limits import SECONDS, TooLongError, at_most, bounded_memory
from tools.attack.verdicts import WORDS, Verdict, raised

Case = Callable[[np.random.Generator, Path], Verdict]
KINDS = {
    "problems": ("fits", "fit_case"),
    "starts": ("starts", "start_case"),
    "files": ("files", "file_case"),
    "folders": ("folders", "folder_case"),
    "commands": ("commands", "command_case"),
    "saves": ("saves", "save_case"),
}
ALIKE = 3  # findings that read the same, beyond which they are only counted
CASES = 1_000_000  # the number of a case is the seed of its run times this, plus its place


class Campaign:
    """Cases of some kinds, one after another, until time is up."""

    def __init__(self, kinds: Sequence[str], seed: int) -> None:
        self._seed = seed
        self._counts = {kind: Counter[str]() for kind in kinds}
        self._alike = Counter[str]()
        self._spent = dict.fromkeys(kinds, 0.0)

    def run(self, seconds: float) -> int:
        """Run cases for some seconds and return the exit code: 1 if anything was found."""
        print(f"seed {self._seed}", flush=True)
        _compile()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._next(min(self._spent, key=lambda kind: self._spent[kind]))
        self._print()
        return int(any(counts["finding"] for counts in self._counts.values()))

    def _next(self, kind: str) -> None:
        begun = time.monotonic()
        number = self._seed * CASES + self._counts[kind].total()
        verdict = run_case(kind, number)
        self._spent[kind] += time.monotonic() - begun
        self._counts[kind][verdict.word] += 1
        if verdict.word == "finding" and self._is_news(kind, verdict.why):
            print(f"{kind}-{number}: {verdict.why}", flush=True)

    def _is_news(self, kind: str, why: str) -> bool:
        """Say whether few findings so far read like this one, numbers and what is in brackets apart."""
        alike = kind + re.sub(r"\d+|\[.*", "", why)[:80]
        self._alike[alike] += 1
        return self._alike[alike] <= ALIKE

    def _print(self) -> None:
        print(f"\n{'kind':10}{'cases':>8}" + "".join(f"{word:>12}" for word in WORDS) + f"{'seconds':>10}")
        for kind, counts in self._counts.items():
            words = "".join(f"{counts[word]:12}" for word in WORDS)
            print(f"{kind:10}{counts.total():8}{words}{self._spent[kind]:10.1f}")
        if any(counts["finding"] for counts in self._counts.values()):
            print("\nReplay a finding by its name: python -m tools.attack --replay NAME")


def replay(name: str) -> int:
    """Run one case again, say what came of it, and return 1 for a finding."""
    kind, _, number = name.partition("-")
    if kind not in KINDS or not number.isdigit():
        print(f"{name!r} is no case; the name of one is such as problems-17000042", file=sys.stderr)
        return 2
    _compile()
    verdict = run_case(kind, int(number))
    print(f"{name}: {verdict.word} {verdict.why}")
    return int(verdict.word == "finding")


def _compile() -> None:
    """Compile all kernels, whose time does not count."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(["warmup"])


def run_case(kind: str, number: int) -> Verdict:
    """Return the verdict on a case, in a folder of its own and under limits."""
    name, function = KINDS[kind]
    module = import_module(f"tools.attack.{name}")
    case: Case = getattr(module, function)
    getattr(module, "prepare", lambda: None)()  # what is made once does not count
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        with bounded_memory(), at_most(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return case(np.random.default_rng(number), folder)
    except TooLongError as error:
        return Verdict("finding", str(error))
    except Exception as error:
        return raised(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
