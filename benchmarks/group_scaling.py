"""Time and memory of a fit with sentence groups against their number, 10⁴ to 2.5·10⁶, on planted documents.

Each corpus is made of numbers, not texts: documents of ten sentences with twelve words each, drawn from 50,000 words by
Zipf's law; 200 words tell the class, and a telling sentence has one of them. Each fit runs in a process of its own,
whose peak memory is reported with that before the fit (the data themselves); λ₁ = λ_max/20, which grows with the
documents, and λ_g = 0.01, which a word meets once in each of its sentences, with √size weights; to a relative gap of
1e-4; from 100,000 sentences on once only. The slope is that of log(seconds) against log(groups): 1 is linear.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks import figures, machine
from benchmarks.measure import summary
from benchmarks.race import say
from benchmarks.scaling import slope
from benchmarks.tables import aligned

SIZES = (10_000, 40_000, 160_000, 640_000, 2_500_000)
SENTENCES, LENGTH, WORDS, TELLING = 10, 12, 50_000, 200
TOLERANCE = 1e-4
GROUP = 0.01


def run(out: Path, runs: int, sizes: tuple[int, ...] = SIZES) -> str:
    """Measure all sizes, write JSON and SVG, return the table."""
    content: dict = {"title": "Cost of sentence groups", "machine": machine.describe(), "rows": []}
    for size in sizes:
        say(f"group_scaling: {size} sentences")
        answers = [_in_a_process(size) for _ in range(runs if size < 100_000 else 1)]
        seconds = [one["seconds"] for one in answers]
        row = answers[0] | {"seconds": summary(seconds) if len(seconds) > 2 else 3 * seconds[:1], "runs": len(answers)}
        content["rows"].append(row)
        (out / "group_scaling.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    rows = content["rows"]
    if len(rows) > 1:
        groups = [row["groups"] for row in rows]
        content["slope"] = slope(groups, [row["seconds"][0] for row in rows])
        content["slope of memory"] = slope(groups, [row["fit_mb"] for row in rows])
        (out / "group_scaling.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        panels = {
            "time": {"seconds": [(row["groups"], row["seconds"][0]) for row in rows]},
            "memory": {"peak MB": [(row["groups"], row["peak_mb"]) for row in rows]},
        }
        figures.curves(content["title"], panels, ("sentence groups", "seconds, megabytes"), out / "group_scaling.svg")
    slopes = f"slope of time {content.get('slope', np.nan):.2f}, of memory {content.get('slope of memory', np.nan):.2f}"
    return "\n\n".join([__doc__.splitlines()[0], aligned([_line(row) for row in rows]), slopes])


def corpus(n_sentences: int, seed: int = 0):
    """Return X, y and the groups as (indptr, indices): one group per sentence, its distinct words."""
    from scipy import sparse

    rng = np.random.default_rng(seed)
    n_documents = n_sentences // SENTENCES
    n_tokens = n_documents * SENTENCES * LENGTH
    shares = 1.0 / np.arange(1, WORDS + 1)
    tokens = np.searchsorted(np.cumsum(shares / shares.sum()), rng.random(n_tokens)).astype(np.int32)
    sentence = np.repeat(np.arange(n_documents * SENTENCES), LENGTH)
    y = rng.choice([-1.0, 1.0], n_documents)
    telling = np.flatnonzero(rng.random(n_documents * SENTENCES) < 0.2)
    # The telling words stand between the frequent and the rare: even numbers for one class, odd ones for the other.
    right = (y[telling // SENTENCES] > 0) ^ (rng.random(len(telling)) < 0.1)
    tokens[telling * LENGTH] = 500 + 2 * rng.integers(0, TELLING // 2, len(telling)) + right
    tokens = np.minimum(tokens, WORDS - 1)
    pairs = np.unique(sentence.astype(np.int64) * WORDS + tokens)
    members = (pairs % WORDS).astype(np.int32)
    indptr = np.searchsorted(pairs // WORDS, np.arange(n_documents * SENTENCES + 1))
    rows = np.repeat(np.arange(n_documents), SENTENCES * LENGTH)
    X = sparse.csr_array((np.ones(n_tokens), (rows, tokens)), shape=(n_documents, WORDS))
    X.sum_duplicates()
    X.data[:] = 1.0
    return X, y, indptr, members


def one(n_sentences: int) -> dict:
    """Fit once, here; return seconds and megabytes."""
    from laconic import GroupLassoClassifier, Groups
    from laconic.linear import lambda_max

    X, y, indptr, members = corpus(n_sentences)
    groups = Groups(indptr, members, np.sqrt(np.diff(indptr)), X.shape[1])
    top = lambda_max(X, y)
    # A small fit first, so that compiled kernels are in memory.
    small, labels, ends, some = corpus(1000)
    few = Groups(ends, some, np.sqrt(np.diff(ends)), X.shape[1])
    GroupLassoClassifier(few, GROUP, 1.0, tol=TOLERANCE).fit(small, labels)
    before = peak()
    started = time.perf_counter()
    model = GroupLassoClassifier(groups, GROUP, top / 20, tol=TOLERANCE).fit(X, y)
    return {
        "groups": len(groups),
        "members": len(groups.indices),
        "documents": X.shape[0],
        "words": int(np.count_nonzero(model.coef_)),
        "selected": len(model.selected_groups_),
        "gap": model.dual_gap_,
        "seconds": time.perf_counter() - started,
        "data_mb": before,
        "peak_mb": peak(),
        "fit_mb": max(peak() - before, 1.0),
    }


def _in_a_process(n_sentences: int) -> dict:
    command = [sys.executable, "-m", "benchmarks.group_scaling", str(n_sentences)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if done.returncode:
        raise RuntimeError(f"{n_sentences} sentences: {(done.stderr or 'killed').strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def peak() -> float:
    """Return the most memory this process ever held, in MB."""
    # Not ru_maxrss where it can be helped: a new process begins with that of the one that started it.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(one for one in status.read_text(encoding="utf-8").splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _line(row: dict) -> dict:
    median, low, high = row["seconds"]
    return {
        "groups": row["groups"],
        "members": row["members"],
        "documents": row["documents"],
        "words": row["words"],
        "selected": row["selected"],
        "seconds": f"{median:.3g}",
        "interval": f"{low:.3g}-{high:.3g}",
        "runs": row["runs"],
        "gap": f"{row['gap']:.0e}",
        "data MB": f"{row['data_mb']:.0f}",
        "peak MB": f"{row['peak_mb']:.0f}",
    }


if __name__ == "__main__":
    print(json.dumps(one(int(sys.argv[1]))))
