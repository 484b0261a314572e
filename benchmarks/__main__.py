"""Run a benchmark by name, print its table and write it as JSON: ``python -m benchmarks predict``."""

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path

# One thread each, ours and the peers': set before numpy is imported by any of them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

NAMES = ("predict", "startup")


def main() -> int:
    """Run the named benchmarks, all without a name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; all without one")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).with_name("results"), help="folder for the JSON files"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(NAMES)
    if unknown:
        parser.error(f"there is no benchmark {sorted(unknown)[0]!r}; there are {', '.join(NAMES)}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or NAMES:
        module = import_module(f"benchmarks.{name}")
        rows = module.run()
        print(f"\n{module.__doc__.splitlines()[0]}\n")
        print_table(rows)
        (arguments.out / f"{name}.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


def print_table(rows: list[dict]) -> None:
    """Print rows of equal keys as an aligned table."""
    cells = [list(rows[0])] + [[f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        print(
            "  ".join(
                cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
            )
        )


if __name__ == "__main__":
    sys.exit(main())
