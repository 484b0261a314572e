"""Speed, measured as a ratio to peers in the same run: ``python -m benchmarks NAME``."""

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

# One thread each, ours and the peers': set before numpy is imported by any of them.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

from benchmarks import datasets, defaults, first_run, objectives, solvers  # noqa: E402

TABLES = (
    "brown",
    "edit",
    "first_run",
    "group_builders",
    "group_imdb",
    "parsing",
    "predict",
    "singletons",
    "softmax_pursuit",
    "stability",
    "startup",
    "tagging",
    "tree_prox",
    "treebanks",
)
GROUP_SWEEPS = ("group_path", "group_grid", "group_scaling", "overlapping")
SWEEPS = ("cluster", "defaults", "path", *GROUP_SWEEPS, "pursuit", "pursuit_scaling", "scaling")
NAMES = (*TABLES, *objectives.NAMES, *SWEEPS)
EXAMPLES = """\
examples:
  python -m benchmarks startup predict
  python -m benchmarks first_run --data sms,davidson          plain fits beside scikit-learn's grid
  python -m benchmarks defaults                               features and penalties at equal numbers of words: hours
  python -m benchmarks lasso                                  all data sets, all peers: takes long
  python -m benchmarks lasso --data planted_small             a trial of some minutes
  python -m benchmarks ridge --data imdb --solvers liblinear,sklearn_lbfgs --lambdas 5,100
  python -m benchmarks path --data news20 --softmax
  python -m benchmarks group_path --data imdb                 disjoint groups against adelie
  python -m benchmarks group_builders brown                   groups of the 20 Newsgroups tasks; Brown clusters
  python -m benchmarks overlapping --data religion            sentence groups against the published ADMM: takes long
Real data sets need LACONIC_DATA. Peers are installed into benchmarks/.environments when first needed.
"""


def main() -> int:
    """Run the named benchmarks."""
    arguments = parse()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or NAMES:
        print(f"\n{run(name, arguments)}\n", flush=True)
    return 0


def run(name: str, arguments: argparse.Namespace) -> str:
    """Run one benchmark, write what it found and return the tables to print."""
    if name in objectives.NAMES:
        from benchmarks import race

        options = race.Options(
            arguments.out, arguments.data, arguments.solvers, arguments.lambdas or race.DIVISORS, arguments.runs
        )
        return race.run(name, options).tables()
    if name in ("path", "group_path"):
        from benchmarks import path

        kind = "group_lasso" if name == "group_path" else "softmax_lasso" if arguments.softmax else "lasso"
        return path.run(arguments.out, arguments.data, arguments.runs, kind)
    module = import_module(f"benchmarks.{name}")
    if name == "overlapping":
        return module.run(arguments.out, arguments.data, arguments.runs, arguments.limit, arguments.proof)
    if name == "group_grid":
        return module.run(arguments.out, arguments.data)
    if name == "defaults":
        return module.run(arguments.data, arguments.out)
    if name == "first_run":
        return _table(name, module, module.run(arguments.data), arguments.out)
    if name in ("cluster", "scaling", "group_scaling", "pursuit", "pursuit_scaling"):
        return module.run(arguments.out, arguments.runs)
    return _table(name, module, module.run(), arguments.out)


def _table(name: str, module: ModuleType, rows: list[dict], out: Path) -> str:
    from benchmarks.tables import aligned

    (out / f"{name}.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return f"{module.__doc__.splitlines()[0]}\n\n{aligned(rows)}"


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)}; all without one")
    every = tuple(
        dict.fromkeys((*datasets.NAMES, *datasets.SENTENCES, *datasets.FAMILIES, *first_run.SETS, *defaults.SETS))
    )
    parser.add_argument("--data", type=_names_of(every), default=[], help=", ".join(every))
    parser.add_argument("--solvers", type=_names_of(solvers.PEERS), default=[], help=", ".join(solvers.PEERS))
    parser.add_argument("--lambdas", type=_numbers, default=[], help="race at λ_max / these, as in 5,100")
    parser.add_argument("--runs", type=int, default=7, help="alternating rounds, at least 5; 7 without")
    parser.add_argument(
        "--limit", type=float, default=600.0, help="overlapping: stop ADMM after these seconds, the ratio a lower bound"
    )
    parser.add_argument("--proof", action="store_true", help="overlapping: stop ADMM once the ratio wanted is shown")
    parser.add_argument("--softmax", action="store_true", help="path: 20 classes of news20 instead of two")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results"), help="folder of the results")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    for name in arguments.data:
        if any((one == "overlapping") != (name in datasets.SENTENCES) for one in arguments.names or NAMES):
            parser.error(f"--data {name}: {', '.join(datasets.SENTENCES)} are for overlapping, all others for the rest")
    if arguments.runs < 5:
        parser.error(f"--runs is {arguments.runs}; an interval needs at least 5 rounds.")
    return arguments


def _names_of(known: tuple[str, ...]):
    def read(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {name!r}; there are {', '.join(known)}")
        return names

    return read


def _numbers(text: str) -> list[float]:
    numbers = [float(part) for part in text.split(",")]
    if min(numbers) <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r}: each number must be above 1, since λ_max is divided by it")
    return numbers


if __name__ == "__main__":
    sys.exit(main())
