"""Cost of a pursuit against documents, vocabulary, non-zeros and budget, on planted corpora: time and memory.

The corpora are those of ``scaling``: in each series one quantity doubles again and again while the others stay as they
are. The budget is 200 words, and in its own series doubles from 125 to 4,000 on the third corpus of the first. λ is
0.1. Every size is measured in a process of its own, whose peak memory is reported with that before the fit (the data
themselves). The slope is that of log(seconds) against log(size): 1 is linear.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import datasets, figures, machine
from benchmarks.group_scaling import peak
from benchmarks.measure import summary
from benchmarks.race import say
from benchmarks.scaling import DOUBLINGS, SERIES, Series, slope
from benchmarks.tables import aligned

BUDGET, LEVEL = 200, 0.1
BUDGETS = (125, 250, 500, 1000, 2000, 4000)


def run(out: Path, runs: int, series: tuple[Series, ...] = SERIES, doublings: int = DOUBLINGS) -> str:
    """Measure all series, write JSON and SVG, return the table."""
    content: dict = {"title": "Cost of a pursuit", "machine": machine.describe(), "rows": [], "slopes": []}
    for one in series:
        for doubling in range(doublings + 1):
            data = one.corpus(doubling)
            content["rows"].append({"series": one.name, "size": one.size(data), **_in_a_process(data, BUDGET, runs)})
    for budget in BUDGETS:
        data = series[0].corpus(min(2, doublings))
        content["rows"].append({"series": "budget", "size": budget, **_in_a_process(data, budget, runs)})
    panels: dict = {}
    for row in content["rows"]:
        panel = panels.setdefault(row["series"], {"milliseconds": [], "MB of the fit": []})
        panel["milliseconds"].append((row["size"], 1000.0 * row["seconds"][0]))
        panel["MB of the fit"].append((row["size"], row["fit_mb"]))
    for name, panel in panels.items():
        slopes = {what: round(slope(*zip(*points, strict=True)), 2) for what, points in panel.items()}
        content["slopes"].append({"series": name, **slopes})
    (out / "pursuit_scaling.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    figures.curves(content["title"], panels, ("size", "milliseconds, megabytes"), out / "pursuit_scaling.svg")
    lines = [{**row, "seconds": row["seconds"][0]} for row in content["rows"]]
    return "\n\n".join([__doc__.splitlines()[0], aligned(lines), "slopes", aligned(content["slopes"])])


def one(name: str, budget: int, runs: int) -> dict:
    """Fit here; return seconds and megabytes."""
    from laconic import OMPClassifier

    data = datasets.get(name)
    OMPClassifier(2).fit(data.X[:500], data.y[:500])
    before = peak()
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        model = OMPClassifier(budget, LEVEL).fit(data.X, data.y)
        seconds.append(time.perf_counter() - started)
    return {
        "documents": data.X.shape[0],
        "vocabulary": data.X.shape[1],
        "nonzeros": int(data.X.nnz),
        "words": int(model.path_.sizes[-1]),
        "seconds": summary(seconds),
        "data_mb": before,
        "fit_mb": max(peak() - before, 1.0),
    }


def _in_a_process(data: datasets.Data, budget: int, runs: int) -> dict:
    say(f"pursuit_scaling: {data.X.shape[0]} documents, {data.X.shape[1]} words, budget {budget}")
    command = [sys.executable, "-m", "benchmarks.pursuit_scaling", data.name, str(budget), str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if done.returncode:
        raise RuntimeError(f"{data.name}: {(done.stderr or 'killed').strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(one(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
