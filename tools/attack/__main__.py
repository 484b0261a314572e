"""``python -m tools.attack --seconds 60 [--seed N] [--kinds problems,starts]``, or ``--replay problems-17000042``."""

import argparse
import os
import secrets
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tools.attack.campaign import KINDS, Campaign, replay


def main() -> int:
    """Run the attack and return 1 if anything was found, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack", description="Random cases against laconic.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="of the run; random by default")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"which of {', '.join(KINDS)}")
    parser.add_argument("--replay", metavar="CASE", help="run one case again, named as a finding names it")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    kinds = options.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"there are no {unknown[0]!r}; the kinds are {', '.join(KINDS)}")
    return Campaign(kinds, options.seed).run(options.seconds)


if __name__ == "__main__":
    sys.exit(main())
