"""IMDB's training documents with their sentences as groups, at the λ's that dev chooses: seconds and peak memory.

Counts of words, one group of weight √size per sentence, (λ_g, λ₁) = (0.01, 1), to relative gaps of 1e-4 and 1e-6; and
to 1e-4 at (0.1, 0.01), the point of the papers' grid that takes longest. Each fit is cold and runs in a process of its
own, compiled kernels in memory; processor seconds stand beside the wall's, and the memory before the fit (the data)
beside the peak. One run each.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.datasets import _sentences
from benchmarks.group_scaling import peak
from benchmarks.race import say

CHOSEN, SLOWEST = (0.01, 1.0), (0.1, 0.01)
FITS = ((*CHOSEN, 1e-4), (*CHOSEN, 1e-6), (*SLOWEST, 1e-4))


def run() -> list[dict]:
    """Fit at both points."""
    say("group_imdb: reading")
    _sentences.get("imdb")
    return [_in_a_process(*fit) for fit in FITS]


def one(group: float, l1: float, tol: float) -> dict:
    """Fit once, here."""
    from laconic import GroupLassoClassifier, Groups

    data = _sentences.get("imdb")
    groups = Groups(data.indptr, data.indices, data.weights, data.X.shape[1])
    few = slice(None, None, 100)  # of both classes, which stand one after the other
    GroupLassoClassifier(groups, group, l1, tol=1e-2).fit(data.X[few], data.y[few])
    before, wall, processor = peak(), time.perf_counter(), time.process_time()
    model = GroupLassoClassifier(groups, group, l1, tol=tol).fit(data.X, data.y)
    return {
        "groups": len(groups),
        "members": len(groups.indices),
        "group": group,
        "l1": l1,
        "tolerance": tol,
        "gap": model.dual_gap_,
        "words": int(np.count_nonzero(model.coef_)),
        "seconds": time.perf_counter() - wall,
        "processor seconds": time.process_time() - processor,
        "data MB": before,
        "peak MB": peak(),
    }


def _in_a_process(*fit: float) -> dict:
    say("group_imdb: λ_g={:g} λ₁={:g} to a gap of {:g}".format(*fit))
    command = [sys.executable, "-m", "benchmarks.group_imdb", *map(str, fit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if done.returncode:
        raise RuntimeError(f"group_imdb: {(done.stderr or 'killed').strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(one(*map(float, sys.argv[1:]))))
