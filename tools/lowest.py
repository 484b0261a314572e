"""``python -m tools.lowest``: run the core tests with the lowest packages that pyproject.toml allows, and the newest.

Each environment is made anew in a temporary folder. The lowest of ``numpy>=2.0`` is ``numpy==2.0``, which is 2.0.0.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TESTS = ("tests/core", "tests/solvers", "tests/linear", "tests/text", "tests/data")
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "cvxpy", "pandas", "polars")
EXTRAS = ("files",)
BOUND = re.compile(r"^(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\w.]+)$")


class Outcome(NamedTuple):
    """What the tests of one environment came to."""

    name: str
    packages: str
    tests: str
    code: int


def lowest_of(requirement: str) -> str:
    """Return a requirement that only the lowest release satisfies that another one allows.

    Examples
    --------
    >>> lowest_of("numpy>=2.0"), lowest_of("pytest>=8")
    ('numpy==2.0', 'pytest==8')
    """
    found = BOUND.match(requirement)
    if found is None:
        raise ValueError(f"{requirement!r} has no lower bound that this tool can read; write it as name>=version.")
    return f"{found['name']}=={found['version']}"


def requirements(names: Sequence[str] = TOOLS) -> list[str]:
    """Return what the core tests need, as pyproject.toml has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    tools = [one for one in optional["test"] if _name(one) in names]
    return [*project["dependencies"], *(one for extra in EXTRAS for one in optional[extra]), *tools]


def _name(requirement: str) -> str:
    """Return the package that a requirement names."""
    return re.split(r"[=>\[ ]", requirement)[0].lower()


def run(name: str, wanted: Sequence[str], tests: Sequence[str]) -> Outcome:
    """Make an environment of some requirements, run tests in it, and return how they went."""
    with tempfile.TemporaryDirectory(prefix=f"laconic-{name}-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        for what in (wanted, ["--no-deps", str(ROOT)]):
            made = subprocess.run([*pip, "install", "--quiet", *what], capture_output=True, text=True)
            if made.returncode:
                return Outcome(name, "", f"pip: {_conflict(made.stderr)}", made.returncode)
        frozen = subprocess.run([*pip, "freeze"], capture_output=True, text=True, check=True).stdout.split()
        names = {_name(one) for one in wanted}
        kept = ", ".join(one for one in frozen if _name(one) in names)
        done = subprocess.run(
            [python, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", *tests],
            cwd=ROOT, capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        print("\n".join(line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))))
        return Outcome(name, kept, (done.stdout.strip() or done.stderr.strip()).splitlines()[-1], done.returncode)


def _conflict(said: str) -> str:
    """Return which packages do not go together, or else the last line of what pip said."""
    lines = [line.strip() for line in said.strip().splitlines()]
    return "; ".join(line for line in lines if " depends on " in line) or lines[-1]


def main() -> int:
    """Run one or both environments and print a table; return 1 if any test failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.lowest", description="Core tests with lowest and newest.")
    parser.add_argument("--only", choices=["lowest", "newest"], help="one of the two")
    parser.add_argument("tests", nargs="*", default=list(TESTS), help=f"default: {' '.join(TESTS)}")
    options = parser.parse_args()
    wanted = requirements()
    plans = {"lowest": [lowest_of(one) for one in wanted], "newest": wanted}
    outcomes = [run(name, plan, options.tests) for name, plan in plans.items() if options.only in (None, name)]
    for one in outcomes:
        print(f"{one.name:8} {one.tests}\n{'':8} {one.packages}")
    return int(any(one.code for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
