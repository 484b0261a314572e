"""IMDB's training documents with their sentences as groups, at the λ's that dev chooses: seconds and peak memory.

Counts of words, one group of weight √size per sentence, (λ_g, λ₁) = (0.01, 1), to relative gaps of 1e-4 and 1e-6. Each
fit is cold and runs in a process of its own, compiled kernels in memory; processor seconds stand beside the wall's,
and the memory before the fit (the data) beside the peak. One run each.
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

POINT = {"group": 0.01, "l1": 1.0}
TOLERANCES = (1e-4, 1e-6)


def run() -> list[dict]:
    """Fit to both gaps."""
    say("group_imdb: reading")
    _sentences.get("imdb")
    return [_in_a_process(tol) for tol in TOLERANCES]


def one(tol: float) -> dict:
    """Fit once, here."""
    from laconic import GroupLassoClassifier, Groups

    data = _sentences.get("imdb")
    groups = Groups(data.indptr, data.indices, data.weights, data.X.shape[1])
    few = slice(None, None, 100)  # of both classes, which stand one after the other
    GroupLassoClassifier(groups, **POINT, tol=1e-2).fit(data.X[few], data.y[few])
    before, wall, processor = peak(), time.perf_counter(), time.process_time()
    model = GroupLassoClassifier(groups, **POINT, tol=tol).fit(data.X, data.y)
    return {
        "groups": len(groups),
        "members": len(groups.indices),
        **POINT,
        "tolerance": tol,
        "gap": model.dual_gap_,
        "words": int(np.count_nonzero(model.coef_)),
        "seconds": time.perf_counter() - wall,
        "processor seconds": time.process_time() - processor,
        "data MB": before,
        "peak MB": peak(),
    }


def _in_a_process(tol: float) -> dict:
    say(f"group_imdb: to a gap of {tol:g}")
    command = [sys.executable, "-m", "benchmarks.group_imdb", str(tol)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if done.returncode:
        raise RuntimeError(f"group_imdb: {(done.stderr or 'killed').strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(one(float(sys.argv[1]))))
