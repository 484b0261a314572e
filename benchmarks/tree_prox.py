"""The prox of nested groups against SPAMS: the largest difference, and seconds of one prox.

Random trees: every node owns some features of its own and has up to four children; every weight d_g is drawn, and so is
the point. SPAMS (``proximalTree``, ``tree-l2``) wants features in the order of the tree, which these have.
"""

import subprocess
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.environments import NotInstalledError, python
from benchmarks.measure import alternate, summary

SIZES = (10, 100, 1_000, 10_000)
TREES = 20
LEVELS = (0.01, 0.1, 1.0)
# Runs in the environment of SPAMS; `parent` of the root is −1.
PEER = """
import sys, time
import numpy as np, scipy.sparse as sp, spams
given = np.load(sys.argv[1])
n = len(given["parent"])
children = np.flatnonzero(given["parent"] >= 0)
nested = sp.csc_matrix((np.ones(len(children), bool), (children, given["parent"][children])), shape=(n, n), dtype=bool)
tree = {"eta_g": given["weights"], "groups": nested, "own_variables": given["first"].astype(np.int32),
        "N_own_variables": given["own"].astype(np.int32)}
U = np.asfortranarray(given["v"][:, None])
found, seconds = [], []
for level in given["levels"]:
    started = time.perf_counter()
    found.append(spams.proximalTree(U, tree, False, numThreads=1, lambda1=float(level), regul="tree-l2")[:, 0])
    seconds.append(time.perf_counter() - started)
np.savez(sys.argv[2], found=found, seconds=seconds)
"""


def run() -> list[dict]:
    """Return one row per size."""
    from laconic.core.groups import Groups
    from laconic.core.penalties.group import TreePenalty

    try:
        interpreter = python("requirements-spams.txt")
    except NotInstalledError as reason:
        return [{"features": "-", "largest difference": f"SPAMS is not installed: {reason}"}]
    rows = []
    for size in SIZES:
        worst, ours, theirs, zeros, groups_seen = 0.0, [], [], 0, 0
        for seed in range(TREES):
            rng = np.random.default_rng([size, seed])
            parent, first, own, last = random_tree(rng, size)
            v, weights = rng.normal(size=last[0]), rng.uniform(0.1, 2.0, len(parent))
            held = np.flatnonzero(last > first)
            lists = [np.arange(first[g], last[g]) for g in held]
            groups = Groups.from_lists(lists, len(v), weights=weights[held])
            theirs_found, seconds = _by_spams(
                interpreter, parent=parent, first=first, own=own, weights=weights, v=v, levels=np.array(LEVELS)
            )
            theirs.append(float(np.median(seconds)))
            for level, other in zip(LEVELS, theirs_found, strict=True):
                penalty = TreePenalty(groups, level)
                mine = penalty.prox(v, 1.0)
                worst = max(worst, float(np.abs(mine - other).max()))
                zeros += int(np.count_nonzero((mine == 0.0) != (other == 0.0)))
            job = {"ours": lambda penalty=penalty, v=v: penalty.prox(v, 1.0)}
            ours.append(summary(alternate(job)["ours"])[0])
            groups_seen += len(groups)
        rows.append(
            {
                "features": size,
                "groups": groups_seen // TREES,
                "trees": TREES,
                "largest difference": f"{worst:.1e}",
                "zeros that differ": zeros,
                "ms": 1e3 * float(np.median(ours)),
                "SPAMS ms": 1e3 * float(np.median(theirs)),
            }
        )
    return rows


def random_tree(rng: np.random.Generator, size: int) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Return parents, first own features, numbers of own features and ends of subtrees of a tree over some features.

    Nodes and features are numbered in the order of a walk from the root, a node's own features before its children's.
    """
    parent, first, own, last = [], [], [], []
    todo = [(-1, 0, size)]
    while todo:
        above, begin, features = todo.pop()
        node = len(parent)
        mine = int(rng.integers(0, 6)) if features > 8 else features
        parent.append(above)
        first.append(begin)
        own.append(mine)
        last.append(begin + features)
        left = features - mine
        if left:
            cuts = np.sort(rng.choice(np.arange(1, left), int(rng.integers(1, 4)), replace=False))
            ends = [0, *cuts, left]
            # The pile is taken from its end: the first child must lie there.
            parts = [(node, begin + mine + int(a), int(b - a)) for a, b in pairwise(ends)]
            todo += parts[::-1]
    return np.array(parent), np.array(first), np.array(own), np.array(last)


def _by_spams(interpreter: str, **given: NDArray) -> tuple[NDArray, NDArray]:
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "given.npz"), Path(folder, "found.npz")
        np.savez(source, **given)
        subprocess.run([interpreter, "-c", PEER, str(source), str(result)], capture_output=True, check=True)
        found = np.load(result)
        return found["found"], found["seconds"]
